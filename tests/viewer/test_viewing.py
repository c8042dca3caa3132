"""The viewer over real HTTP and in a real browser: lists, dialogues, comparisons, labels, and what it refuses."""

import json
import shutil
import urllib.request

import pytest

from building import PROFILE, dialog, turn, write_lines
from growth import SQUARE, processor_growth
from serving import Served
from turnmark.errors import DataError, UsageError
from turnmark.locale.texts import LANGUAGES, texts_of
from turnmark.pipeline.labelling.correct import CorrectRequest, correct
from turnmark.pipeline.publishing.report import write_report
from turnmark.pipeline.publishing.run_turns import turns_of
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.runs.index import RunIndex
from turnmark.schemas.labels.turn import TurnLabel
from turnmark.schemas.marks import FAULT_KINDS
from turnmark.viewer.app import ViewerSettings, make_app
from turnmark.viewer.labels import LabelStore
from turnmark.viewer.marks import marks_of, parted
from turnmark.viewer.search import matcher
from turnmark.viewer.turns import TurnLists, chosen

HOSTILE = "<script>alert(1)</script> 保本保收益，稳赚不赔 \u202e"


@pytest.fixture(scope="module")
def runs(tmp_path_factory, shipped_run):
    """Three runs: both shipped examples and one whose texts are hostile."""
    folder = tmp_path_factory.mktemp("viewed")
    for name in ("careful", "hasty"):
        shipped_run(name, folder / name)
    lines = [dialog("<b>d&1</b>", [turn(1, HOSTILE, risks=["波动风险"]), turn(2)], profile_gt=PROFILE)]
    write_lines(folder / "trace.jsonl", *lines)
    score(ScoreRequest((folder / "trace.jsonl",), folder / "team" / "hostile"))
    (folder / "broken").mkdir()
    (folder / "broken" / "metrics_summary.json").write_text("{}", "utf-8")
    return folder


@pytest.fixture(scope="module")
def served(runs, tmp_path_factory):
    served = Served(make_app(ViewerSettings(runs, tmp_path_factory.mktemp("labels"))))
    yield served
    served.stop()


def test_the_list_of_runs(served):
    code, page, headers = served.get("/")
    assert code == 200
    assert all(name in page for name in ("careful", "hasty", "team/hostile", "broken"))
    assert headers["X-Frame-Options"] == "DENY"
    assert "expected" in page  # why the broken one cannot be read
    assert "careful" not in served.get("/?text=hasty")[1].partition("<tbody>")[2]
    assert "team/hostile" in served.get("/?text=hostile&suite=finance&sort=m3_risk_coverage.risk_coverage")[1]
    assert "0 runs" in served.get("/?text=%25_nothing")[1]


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_page_in_every_language(served, language):
    words = texts_of(language)
    assert words["viewer_compare_chosen"] in served.get(f"/?lang={language}")[1]
    assert words["viewer_export"] in served.get(f"/run?run=careful&lang={language}")[1]
    assert words["viewer_keys_help"] in served.get(f"/dialog?run=careful&dialog=zh-fund-first-steps&lang={language}")[1]


def test_turns_are_filtered_and_sorted(served):
    everything = served.get("/run?run=hasty")[1]
    assert "171 of 171 turns" in everything
    severe = served.get("/run?run=hasty&fault=severe&sort=worst")[1]
    assert "of 171 turns" in severe
    assert "171 of 171" not in severe
    assert "0 of 171 turns" in served.get("/run?run=hasty&find=nowhere+at+all")[1]
    assert "page=2" in everything
    assert served.get("/run?run=hasty&page=2")[1] != everything
    assert served.get("/run?run=hasty&page=99999999999")[0] == 200
    assert "1 of 171 turns" in served.get("/run?run=hasty&state=echo&fault=reply_state")[1]


def test_the_list_shows_the_first_words_of_the_user(served, runs):
    page = served.get("/run?run=careful")[1]
    first = json.loads((runs / "careful" / "dialog_trace.jsonl").read_text("utf-8").splitlines()[0])
    assert first["turns"][0]["user_text"][:20] in page
    worst = served.get("/run?run=careful&sort=m3_risk_coverage")[1]
    assert "of 171 turns" in worst
    assert "171 of 171" not in worst
    assert first["turns"][0]["user_text"][:20] in served.get("/run?run=careful&lang=ko")[1]


def test_each_page_leads_to_itself_in_the_other_languages(served):
    page = served.get("/run?run=hasty&fault=severe&lang=zh")[1]
    assert 'href="/run?run=hasty&amp;fault=severe&amp;lang=ko"' in page
    assert 'href="/?text=hasty&amp;lang=zh"' in served.get("/?text=hasty")[1]


def test_a_dialogue_is_read_where_it_lies(runs, tmp_path):
    shutil.copytree(runs / "careful", tmp_path / "run")
    kept = TurnLists().of(tmp_path / "run")
    whole = {(view.dialog_id, view.turn_pair_id): view for view in turns_of(
        tmp_path / "run", {(entry.dialog_id, entry.turn_pair_id) for entry in kept.entries})}  # fmt: skip
    assert len(whole) == 171
    for dialog_id in kept.dialogs:
        for view in kept.views(dialog_id):
            assert view == whole[view.dialog_id, view.turn_pair_id]
    assert kept.views("none") == []
    last = TurnLists().of(tmp_path / "run")
    words = last.words(last.entries[-1:])
    assert words[last.entries[-1][:2]] == kept.words(kept.entries[-1:])[kept.entries[-1][:2]]
    assert words[last.entries[-1][:2]]
    (tmp_path / "run" / "dialog_trace.jsonl").unlink()
    alone = TurnLists().of(tmp_path / "run")
    assert alone.words(alone.entries) == {}
    assert not alone.views(alone.dialogs[0])[0].in_trace


def test_a_dialogue_with_half_an_emoji_is_shown_as_it_was_scored(tmp_path):
    told = dialog("half", [turn(1, "波动风险"), turn(2)], profile_gt=PROFILE)
    told["turns"][0]["user_text"] = "HALF here"
    line = json.dumps(told).replace("HALF", "\\ud83d")
    (tmp_path / "trace.jsonl").write_text(line + "\n", "ascii")
    folder = score(ScoreRequest((tmp_path / "trace.jsonl",), tmp_path / "run")).folder
    kept = TurnLists().of(folder)
    assert kept.words(kept.entries)["half", 1] == "\ufffd here"
    assert kept.views("half")[0].user_text == "\ufffd here"
    page = next(path for path in write_report(folder)[1].parent.glob("report/dialog-*.html"))
    assert "\ufffd here" in page.read_text("utf-8")


def test_hostile_text_stays_text(served):
    page = served.get("/dialog?run=team/hostile&dialog=%3Cb%3Ed%261%3C/b%3E")[1]
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "[U+202E]" in page
    assert "<b>d&1</b>" not in page
    assert "<mark" in page


@pytest.mark.parametrize(
    "path",
    ["/run?run=../..", "/run?run=/etc", "/run?run=nowhere", "/dialog?run=careful&dialog=none", "/labels?run=..",
     "/compare?run=careful", "/compare?run=careful&run=../x", "/label?run=careful&annotator=../x"],
)  # fmt: skip
def test_what_is_not_there_is_refused(served, path):
    code, said, _ = served.get(path)
    assert code == 400
    assert "Traceback" not in said


def test_no_such_page(served):
    assert served.get("/nothing")[0] == 404


def label(**fields):
    return {
        "run": "hasty", "annotator": "mina", "dialog_id": "zh-fund-first-steps", "turn_pair_id": 1,
        "measure": "M4.forbidden_hit_rate", "value": True, **fields,
    }  # fmt: skip


def test_labels_are_kept_replaced_and_exported(served, runs, tmp_path):
    assert served.post("/label", label())[0] == 200
    assert served.post("/label", label(value=False))[0] == 200
    assert served.post("/label", label(measure="M5.judge_score_mean", value=2.5))[0] == 200
    kept = json.loads(served.get("/label?run=hasty&annotator=mina")[1])
    assert kept["total"] == 2
    assert kept["labels"][0]["value"] is False
    assert json.loads(served.post("/label", label(annotator="Jun 준"))[1])["total"] == 1
    code, exported, headers = served.get("/labels?run=hasty")
    assert code == 200
    assert "attachment" in headers["Content-Disposition"]
    (tmp_path / "labels.jsonl").write_text(exported, "utf-8")
    found = correct(CorrectRequest(runs / "hasty", tmp_path / "labels.jsonl"))
    assert {one.measure for one in found.measures} == {"M4.forbidden_hit_rate", "M5.judge_score_mean"}
    assert found.unused == []


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"{", "expected a label"),
        (b"\xff", "expected a label"),
        (label(more=1), "expected a label"),
        (label(run="../.."), "run: expected"),
        (label(turn_pair_id=99), "expected a turn"),
        (label(measure="M9.nothing"), "measure: expected one of"),
        (label(annotator="../../etc/passwd"), "annotator: expected a name"),
        (label(annotator=""), "annotator: expected a name"),
        (label(value="yes"), "expected a label"),
    ],
)
def test_labels_that_make_no_sense_are_refused(served, body, said):
    code, answer, _ = served.post("/label", body)
    assert code == 400
    assert said in answer


def test_other_pages_and_hosts_may_not_write_or_read(served):
    assert served.post("/label", label(), Origin="http://evil.example")[0] == 403
    assert served.post("/label", label(), Origin="null")[0] == 403
    assert served.get("/", Host="evil.example")[0] == 400


def test_a_token_is_asked_for(runs, tmp_path):
    served = Served(make_app(ViewerSettings(runs, tmp_path / "labels", ("*",), "s3cret")))
    try:
        assert served.get("/")[0] == 403
        assert served.get("/?token=wrong")[0] == 403
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with opener.open(served.at + "/?token=s3cret&lang=ko") as answer:
            assert answer.status == 200
            assert "token" not in answer.url
        with opener.open(served.at + "/run?run=careful") as answer:
            assert answer.status == 200
    finally:
        served.stop()


def test_the_index_follows_the_folders(runs, tmp_path):
    root = tmp_path / "runs"
    shutil.copytree(runs / "careful", root / "a")
    shutil.copytree(runs / "hasty", root / "deep" / "er" / "b")
    index = RunIndex(root, tmp_path / "index.sqlite")
    index.refresh()
    assert [run.folder for run in index.runs()] == ["a", "deep/er/b"]
    by_risk = [run.folder for run in index.runs(sort="m3_risk_coverage.risk_coverage")]
    assert by_risk == ["a", "deep/er/b"]
    assert index.suites() == ["finance"]
    assert "m3_risk_coverage.risk_coverage" in index.measures("finance")
    shutil.rmtree(root / "a")
    index.refresh()
    assert [run.folder for run in index.runs()] == ["deep/er/b"]
    index.close()
    again = RunIndex(root, tmp_path / "index.sqlite")
    again.refresh()
    assert [run.folder for run in again.runs()] == ["deep/er/b"]
    again.close()
    (tmp_path / "index.sqlite").write_bytes(b"no database at all, but long enough to be looked at" * 40)
    with pytest.raises(DataError, match="delete it"):
        RunIndex(root, tmp_path / "index.sqlite")


def test_lists_of_turns_are_read_again_when_the_run_was_scored_again(runs, tmp_path):
    shutil.copytree(runs / "careful", tmp_path / "run")
    lists = TurnLists()
    first = lists.of(tmp_path / "run")
    assert lists.of(tmp_path / "run") is first
    rows = (tmp_path / "run" / "turn_eval.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "run" / "turn_eval.jsonl").write_bytes(b"".join(rows[:3]) + b"{broken\n")
    assert len(lists.of(tmp_path / "run").entries) == 3
    assert lists.of(tmp_path / "none").entries == []
    worst = chosen(first, fault="any", sort="worst")
    ranks = [FAULT_KINDS.index(entry.fault) for entry in worst if entry.fault]
    assert ranks == sorted(ranks)
    assert chosen(first, sort="m3_risk_coverage") == [], "the rows that were read are no longer there"


def test_turns_are_sorted_by_how_far_they_are_down_in_a_metric(runs):
    turns = TurnLists().of(runs / "careful")
    in_risk = chosen(turns, sort="m3_risk_coverage")
    assert 0 < len(in_risk) < len(turns.entries)
    pairs = zip(turns.entries, turns.shortfalls(), strict=True)
    down = {entry[:2]: dict(one).get("m3_risk_coverage", 0) for entry, one in pairs}
    assert [down[entry[:2]] for entry in in_risk] == sorted((one for one in down.values() if one), reverse=True)


def test_runs_that_are_kept_do_not_grow_without_end(runs, monkeypatch):
    monkeypatch.setattr("turnmark.viewer.turns.KEPT_TURNS", 200)
    lists = TurnLists()
    first = lists.of(runs / "careful")
    assert lists.of(runs / "team" / "hostile") is lists.of(runs / "team" / "hostile")
    assert lists.of(runs / "careful") is first
    lists.of(runs / "hasty")
    assert lists.of(runs / "careful") is not first


def test_labels_of_people_whose_names_look_alike_stay_apart(tmp_path):
    store = LabelStore(tmp_path)
    for name in ("a b", "a-b"):
        store.put("r/1", TurnLabel(dialog_id="d", turn_pair_id=1, measure="M4.x", value=True, annotator=name))
    assert len(list(tmp_path.rglob("*.jsonl"))) == 2
    assert len(store.read("r/1", "a-b").labels) == 1
    with pytest.raises(UsageError, match="annotator"):
        store.path("r", "\n")


def test_the_command_names_what_is_wrong(cli, tmp_path):
    ran = cli("view", str(tmp_path / "none"))
    assert ran.code == 2
    assert "expected a folder of runs" in ran.err


def test_a_search_finds_words_and_expressions_and_refuses_wrong_ones(served):
    words = served.get("/run?run=hasty&find=%E4%BF%9D%E6%9C%AC")[1]
    assert "171 of 171" not in words
    assert "0 of 171 turns" not in words
    same = served.get("/run?run=hasty&regex=1&find=%E4%BF%9D.%3F%E6%9C%AC")[1]
    assert "0 of 171 turns" not in same
    code, said, _ = served.get("/run?run=hasty&regex=1&find=(")
    assert code == 400
    assert "expected a regular expression" in said
    assert served.get("/run?run=hasty&find=" + "x" * 201)[0] == 400


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*b", "(.*a){20}", "^(([a-z])+.)+[A-Z]([a-z])+$"])
def test_no_expression_takes_long(pattern):
    matches = matcher(pattern, pattern=True)
    assert processor_growth(lambda length: matches("a" * length + "!"), 12_500, 100_000) < SQUARE


def test_an_expression_that_would_grow_is_refused():
    with pytest.raises(UsageError, match="regular expression"):
        matcher("((((((a{99}){99}){99}){99}){99}){99})", pattern=True)


def test_lists_say_what_was_found_and_when(served):
    page = served.get("/?suite=finance&sort=started")[1]
    rows = page.partition("<tbody")[2].split("<tr")[1:]
    assert any("Severe violation" in row and "hasty" in row for row in rows)
    assert "2026-03-02 09:30" in page
    chosen_columns = served.get("/?suite=finance&col=m4_compliance.severe_violation_rate")[1]
    assert chosen_columns.count('<th role="columnheader" scope="col" class="num"><span class="code">') == 1


def test_turns_that_changed_between_two_runs(served, runs):
    lists = TurnLists()
    hasty, careful = lists.of(runs / "hasty"), lists.of(runs / "careful")
    changed = hasty.changed(careful)
    assert 0 < len(changed) < 171
    assert hasty.changed(hasty) == {}
    page = served.get("/run?run=hasty&show=changed&against=careful")[1]
    assert f"{len(changed)} of 171 turns" in page
    assert "0 of 171 turns" in served.get("/run?run=hasty&show=changed&against=hasty")[1]
    assert served.get("/run?run=hasty&against=../..")[0] == 400


def note(**fields):
    return {"run": "hasty", "annotator": "mina", "dialog_id": "zh-fund-first-steps", "turn_pair_id": 1, **fields}


def test_notes_are_kept_replaced_and_taken_back(served):
    assert served.post("/note", note(star=True, comment="look <i>again</i>"))[0] == 200
    page = served.get("/run?run=hasty&star=1")[1]
    assert "1 of 171 turns" in page
    assert "look &lt;i&gt;again&lt;/i&gt;" in page
    assert served.post("/note", note())[0] == 200
    assert "0 of 171 turns" in served.get("/run?run=hasty&star=1")[1]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (note(turn_pair_id=99), "expected a turn"),
        (note(comment="x" * 2001), "comment: expected at most"),
        (note(annotator="../x"), "annotator: expected a name"),
        (note(run="../.."), "run: expected"),
        (note(more=1), "expected a note"),
        (b"{", "expected a note"),
    ],
)
def test_notes_that_make_no_sense_are_refused(served, body, said):
    code, answer, _ = served.post("/note", body)
    assert code == 400
    assert said in answer


def test_marks_that_matter_come_first(runs):
    view = TurnLists().of(runs / "hasty").views("zh-fund-first-steps")[0]
    first, rest = parted(marks_of("finance", view))
    assert first
    assert rest
    assert all(mark.short for mark in first)
    assert not any(mark.short for mark in rest)
