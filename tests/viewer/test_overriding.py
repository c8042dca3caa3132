"""Overrides that reviewers write in the browser: into the file that ``report`` reads, and nowhere else."""

import json
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

from serving import Served, csrf_of, overrides_in
from turnmark.viewer.app import ViewerSettings, make_app

DIALOG = "zh-fund-first-steps"


def said(**fields):
    return {
        "run": "hasty", "reviewer": "Lee 준", "dialog_id": DIALOG, "turn_pair_id": 1, "metric": "reply_state",
        "label": "", "marked": "refusal", "reason": "It declines.", "date": "2026-03-04", **fields,
    }  # fmt: skip


def test_what_is_written_stands_in_the_report_and_changes_no_figure(served_hasty, hasty_run, cli):
    before = (hasty_run / "metrics_summary.json").read_bytes()
    assert served_hasty.post("/override", said())[0] == 200
    (one,) = overrides_in(hasty_run)
    assert (one["reviewer"], one["marked"], one["date"]) == ("Lee 준", "refusal", "2026-03-04")
    assert one["fingerprint"]
    assert cli("check", hasty_run).code == 0
    assert cli("report", hasty_run, "--lang", "en").code == 0
    assert "It declines." in (hasty_run / "report.html").read_text("utf-8")
    assert (hasty_run / "metrics_summary.json").read_bytes() == before
    assert "It declines." in served_hasty.get(f"/dialog?run=hasty&dialog={DIALOG}")[1]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"{", "expected an override"),
        (said(more=1), "expected an override"),
        (said(run="../.."), "run: expected"),
        (said(run="hasty/../../labels"), "run: expected"),
        (said(dialog_id="../x"), "expected a turn"),
        (said(turn_pair_id=99), "expected a turn"),
        (said(metric="m9_nothing"), "expected a mark of this turn"),
        (said(label="x"), "expected a mark of this turn"),
        (said(marked="wonderful"), "marked: expected one of normal"),
        (said(marked=True), "marked: expected one of normal"),
        (said(reason="  "), "reason: expected 1 to"),
        (said(reason="x" * 2001), "reason: expected 1 to"),
        (said(date="2026-02-31"), "date: expected a day"),
        (said(date="yesterday"), "date: expected a day"),
        (said(reviewer="../../etc/passwd"), "reviewer: expected a name"),
        (said(reviewer=""), "reviewer: expected a name"),
        (said(fingerprint="0" * 16), "has become another one"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_is_written(served_hasty, hasty_run, body, why):
    code, answer, _ = served_hasty.post("/override", body)
    assert (code, why in answer) == (400, True), answer
    assert not (hasty_run / "overrides.jsonl").exists()


def test_only_a_page_of_the_viewer_may_write(served_hasty, hasty_run):
    assert served_hasty.post("/override", said(), Origin="http://evil.example")[0] == 403
    for token in ("", "guessed", csrf_of(served_hasty.at, {})[:-1]):
        for path in ("/override", "/label", "/note"):
            assert served_hasty.post(path, said(), **{"X-Turnmark-CSRF": token})[0] == 403
    body, own = json.dumps(said()).encode(), {"Origin": served_hasty.at}
    plain = urllib.request.Request(served_hasty.at + "/override", data=body, headers=own)  # noqa: S310
    assert served_hasty._answer(plain)[0] == 403
    assert not (hasty_run / "overrides.jsonl").exists()


def test_two_viewers_have_two_tokens(served_hasty, hasty_run, tmp_path):
    other = Served(make_app(ViewerSettings(hasty_run.parent, tmp_path / "labels2")))
    try:
        assert csrf_of(other.at, {}) != csrf_of(served_hasty.at, {})
    finally:
        other.stop()


def test_nothing_is_written_through_a_link(served_hasty, hasty_run, tmp_path):
    (tmp_path / "outside.txt").write_text("mine", "utf-8")
    (hasty_run / "overrides.jsonl").symlink_to(tmp_path / "outside.txt")
    code, answer, _ = served_hasty.post("/override", said())
    assert (code, "found a link" in answer) == (400, True)
    assert (tmp_path / "outside.txt").read_text("utf-8") == "mine"


def test_many_at_once_are_all_kept_whole_behind_what_a_person_wrote(served_hasty, hasty_run):
    (hasty_run / "overrides.jsonl").write_text(
        json.dumps({**{key: value for key, value in said().items() if key != "run"}})
    )
    with ThreadPoolExecutor(8) as threads:
        codes = list(threads.map(lambda n: served_hasty.post("/override", said(reason=f"reason {n}"))[0], range(24)))
    assert codes == [200] * 24
    reasons = [one["reason"] for one in overrides_in(hasty_run)]
    assert reasons[0] == "It declines."
    assert sorted(reasons[1:]) == sorted(f"reason {n}" for n in range(24))


def test_every_mark_of_a_turn_can_be_chosen(served_hasty, hasty_run):
    page = served_hasty.get(f"/dialog?run=hasty&dialog={DIALOG}&lang=en")[1]
    assert 'data-metric="reply_state"' in page
    assert 'data-metric="m4_compliance" data-label="compliance_label" data-marked=\'"compliant"\'' in page
    rows = [json.loads(line) for line in (hasty_run / "turn_eval.jsonl").read_text("utf-8").splitlines()]
    first = next(row for row in rows if row["dialog_id"] == DIALOG and row["risk_required_tags"])
    tag = first["risk_required_tags"][0]
    asked = said(turn_pair_id=first["turn_pair_id"], metric="m3_risk_coverage", label=tag, marked=True)
    assert served_hasty.post("/override", asked)[0] == 200
    assert overrides_in(hasty_run)[0]["label"] == tag
