"""From which score on a class is shown as possible: chosen on labels of a file or of a run's reviewers."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from turnmark.detectors.finance.possible.model import PossibleModel, decode, encoded, shipped_model
from turnmark.errors import DataError, PackError
from turnmark.pipeline.labelling.calibrate_possible import ClassFigures, calibrate_possible
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest

NEAR = "Kind {number}: the fund may be worth a smaller amount at the end of the year than today."
FAR = "Kind {number}: please send the form to the desk downstairs."
TAG = "volatility_risk"
EVERY = 5


def _labels(folder: Path, *, wrong: bool = False) -> Path:
    """Sixty replies, one in five of which comes near to a rule; these are labelled, or all the others are."""
    path = folder / "labels.jsonl"
    rows = []
    for number in range(120):
        near = number % EVERY == 0
        reply = (NEAR if near else FAR).format(number=number)
        rows.append({"id": f"d{number}", "reply": reply, "risk_disclosed": {TAG: near != wrong}})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def _of(figures: list[ClassFigures], language: str = "en") -> ClassFigures:
    return next(item for item in figures if (item.label, item.language) == (TAG, language))


def _offered(model: PossibleModel) -> dict[str, float]:
    return next(item.offered for item in model.classes if item.label == TAG)


def test_a_class_that_labels_tell_apart_is_offered_and_the_rest_stays(tmp_path: Path) -> None:
    found = calibrate_possible(_labels(tmp_path))
    own = _of(found.classes)
    assert (own.labels, own.there, own.offered) == (120, 24, True)
    # Every near reply scores alike, so that each fold shows its own.
    assert (own.shown, own.right) == (24, 24)
    made = decode(found.model, "own.json")
    before = shipped_model()
    assert made.version == before.version + "+own"
    assert made.weights == before.weights
    assert _offered(made) == {**_offered(before), "en": pytest.approx(_offered(made)["en"])}
    assert made.measured == {**before.measured, f"risk_disclosed/{TAG}/en": (24, 24)}
    assert [item for item in made.classes if item.label != TAG] == [
        item for item in before.classes if item.label != TAG
    ]
    assert calibrate_possible(_labels(tmp_path)).model == found.model


def test_a_class_that_labels_deny_is_offered_no_more(tmp_path: Path) -> None:
    model = shipped_model()
    classes = [msgspec.structs.replace(item, offered={"en": -99.0}) for item in model.classes]
    start = tmp_path / "start.json"
    start.write_bytes(encoded(msgspec.structs.replace(model, classes=classes)))
    labels = _labels(tmp_path)
    rows = [json.loads(line) for line in labels.read_text("utf-8").splitlines()]
    for number, row in enumerate(rows):
        row["risk_disclosed"][TAG] = number % 11 == 3  # whatever the text
    labels.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    found = calibrate_possible(labels, start)
    assert not _of(found.classes).offered
    made = decode(found.model, "own.json")
    assert _offered(made) == {}
    assert all(item.offered == {"en": -99.0} for item in made.classes if item.label != TAG)


def test_too_few_labels_are_refused_with_what_is_missing(tmp_path: Path) -> None:
    labels = _labels(tmp_path)
    lines = labels.read_text("utf-8").splitlines(keepends=True)
    labels.write_text("".join(lines[:45]), "utf-8")
    with pytest.raises(DataError, match=r"at most 45, 9 of them there \(volatility_risk\); label more replies"):
        calibrate_possible(labels)
    with pytest.raises(PackError, match="labels"):
        calibrate_possible(labels, labels)


def test_what_reviewers_wrote_in_a_run_counts_and_the_last_word_stands(tmp_path: Path) -> None:
    trace, run = tmp_path / "trace.jsonl", tmp_path / "run"
    rows = [json.loads(line) for line in _labels(tmp_path).read_text("utf-8").splitlines()]
    dialogs = [
        {
            "trace_version": "v1", "run_id": "r", "dialog_id": row["id"], "dataset_index": number,
            "dialog_status": "ok", "valid_dialog": True, "language": "en",
            "turns": [
                {
                    "turn_pair_id": 1, "user_turn_abs_idx": 0, "gt_assistant_abs_idx": 1, "gt_assistant_text": "",
                    "turn_status": "ok", "user_text": "How is the fund?", "pred_assistant_text": row["reply"],
                    "gt_turn_tags": {},
                }
            ],
        }
        for number, row in enumerate(rows)
    ]  # fmt: skip
    trace.write_text("".join(json.dumps(row) + "\n" for row in dialogs), "utf-8")
    score(ScoreRequest(traces=(trace,), out=run))
    said = [
        {
            "dialog_id": row["id"], "turn_pair_id": 1, "metric": "M3", "label": TAG, "marked": marked,
            "reviewer": "Lee", "reason": "read", "date": "2026-03-04",
        }
        for row in rows
        for marked in (not row["risk_disclosed"][TAG], row["risk_disclosed"][TAG])
    ]  # fmt: skip
    strange = {**said[0], "turn_pair_id": 9}
    (run / "overrides.jsonl").write_text("".join(json.dumps(row) + "\n" for row in [*said, strange]), "utf-8")
    found = calibrate_possible(run)
    assert _of(found.classes) == _of(calibrate_possible(tmp_path / "labels.jsonl").classes)
    assert [problem.line for problem in found.problems] == [len(said) + 1]


def test_the_command_says_what_came_of_it_and_score_reads_the_file(cli, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    labels, own = _labels(tmp_path), tmp_path / "own.json"
    ran = cli("calibrate", labels, "--suite", "finance", "--out", own, "--lang", "en")
    assert ran.code == 0
    assert "risk of price swings (en): 120 labels, 24 say it is there; shown" in ran.out
    assert "24, right: 24; shown from now on" in ran.out
    assert str(own) in ran.out
    found = cli("calibrate", labels, "--suite", "finance", "--out", own, "--format", "json")
    (tag,) = json.loads(found.out)["classes"]
    assert (tag["label"], tag["shown"], tag["right"], tag["offered"]) == (TAG, 24, 24, True)
    assert _offered(decode(own.read_bytes(), "own.json")).keys() == {"zh", "en"}


def test_options_of_the_other_suite_are_refused(cli, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    labels, own = _labels(tmp_path), tmp_path / "own.json"
    ran = cli("calibrate", labels, "--suite", "finance", "--judge", "rules", "--out", own)
    assert (ran.code, "--metric, --judge: say nothing about suite finance" in ran.err) == (2, True)
    ran = cli("calibrate", labels, "--out", own)
    assert (ran.code, "--metric: expected one of faithfulness" in ran.err) == (2, True)
    assert not own.exists()
