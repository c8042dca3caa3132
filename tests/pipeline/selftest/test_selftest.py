"""The self-test: shares of noticed errors and of marks that stay, on shipped examples and on small runs."""

import json
import math

import msgspec
import pytest

from building import dialog, turn, write_lines
from growth import SQUARE, processor_growth
from turnmark.errors import DataError, UsageError
from turnmark.metrics.finance import METRICS
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.pipeline.selftest import figures as counts
from turnmark.pipeline.selftest import run as module
from turnmark.pipeline.selftest.run import SelfTestRequest, selftest
from turnmark.report.pages.markdown import escaped
from turnmark.report.pages.selftest import render_selftest
from turnmark.schemas.results.selftest import Share, Surprise
from turnmark.schemas.trace import DialogTrace
from turnmark.suites.planting.material import Perturbation, down
from turnmark.suites.registry import suite_definition

PROMISE = "M4.severe_violation_rate"


def measure(result, name):
    return next(one for one in result.measures if one.measure == name)


@pytest.fixture(scope="module")
def traces(tmp_path_factory):
    path = tmp_path_factory.mktemp("selftest") / "dialog_trace.jsonl"
    return write_lines(path, *[dialog(f"d{number:02}") for number in range(20)])


@pytest.fixture(scope="module")
def result(traces):
    return selftest(SelfTestRequest(traces))


def test_planted_promises_are_noticed(result):
    found = measure(result, PROMISE)
    assert (found.sensitivity.hits, found.sensitivity.total, found.sensitivity.dialogs) == (20, 20, 20)
    assert found.sensitivity.interval[0] > 0.8
    assert found.specificity.value == 1.0


def test_every_missed_error_comes_with_its_words(result):
    missed = sum(one.moved.total - one.moved.hits for one in result.perturbations)
    assert missed == sum(one.expected != "same" for one in result.surprises)
    for one in result.surprises:
        assert one.removed or one.added


def test_turns_without_room_enter_no_share(result):
    for one in result.perturbations:
        assert one.applied == one.no_room + one.moved.total
    bare = next(
        one for one in result.perturbations if one.measure == "M3.risk_coverage" and one.perturbation == "bare_reply"
    )
    assert (bare.applied, bare.no_room, bare.moved.total) == (20, 20, 0)


def test_same_seed_same_bytes_and_a_run_is_read_as_it_was_scored(traces, tmp_path, result):
    run = tmp_path / traces.parent.name
    score(ScoreRequest((traces,), run))
    again = selftest(SelfTestRequest(run))
    assert render_selftest(again).split("\n", 1)[1] == render_selftest(result).split("\n", 1)[1]
    small = selftest(SelfTestRequest(traces, max_turns=5, seed=1))
    assert small == selftest(SelfTestRequest(traces, max_turns=5, seed=1))
    assert small.turns == 5
    assert {one.sensitivity.interval for one in small.measures} == {None}


@pytest.mark.parametrize(
    ("suite", "file", "noticed"),
    [
        ("clinical", "clinical/llm/events.jsonl", ("SFS.slot_factuality", "CUS_improved.context_use")),
        ("rag", "rag/cases.jsonl", ("CRC.context_recall", "CRL.context_relevance")),
    ],
)
def test_every_suite_has_its_self_test(examples, suite, file, noticed):
    found = selftest(SelfTestRequest(examples.parent / file, suite, max_turns=12))
    assert found.suite == suite
    for name in noticed:
        share = measure(found, name).sensitivity
        assert share.total > 3
        assert share.value > 0.8


def test_the_verdict_goes_by_both_intervals():
    def share(low, high):
        return Share(hits=1, total=2, dialogs=30, interval=(low, high))

    unknown, none = Share(hits=1, total=2, dialogs=2), Share(hits=0, total=0, dialogs=0)
    assert counts._verdict(share(0.9, 1.0), share(0.8, 1.0), 0.8) == "trusted"
    assert counts._verdict(share(0.9, 1.0), share(0.2, 0.7), 0.8) == "below"
    assert counts._verdict(share(0.7, 0.9), share(0.9, 1.0), 0.8) == "not_enough_data"
    assert counts._verdict(share(0.9, 1.0), unknown, 0.8) == "not_enough_data"
    assert counts._verdict(none, share(0.9, 1.0), 0.8) == "not_tested"


def test_which_way_a_mark_went():
    assert [counts.move(*pair) for pair in ((1.0, None), (None, None), (0.5, 0.5), (None, 1.0))] == [
        "lost", "same", "same", "lost",
    ]  # fmt: skip
    assert (counts.move(0.5, 0.6), counts.move(0.6, 0.5)) == ("up", "down")
    assert (counts.move(0.5, 0.51), counts.move(0.5, 0.51, counts.GRADED)) == ("up", "same")


def test_every_measure_is_named_with_its_languages_or_with_why_it_was_not_tested(result):
    names = [f"{one.code}.{each.name}" for one in METRICS for each in one.measures]
    assert [one.measure for one in result.measures] == names
    for one in result.measures:
        assert bool(one.note) == (one.sensitivity.total == 0)
        parts = one.languages
        for whole, pieces in (
            (one.sensitivity, [part.sensitivity for part in parts]),
            (one.specificity, [part.specificity for part in parts]),
        ):
            assert (whole.hits, whole.total) == (sum(p.hits for p in pieces), sum(p.total for p in pieces))
    assert "author's own words" in measure(result, "M4.forbidden_hit_rate").note
    assert measure(result, "M1.key_coverage").note == counts.NO_ROOM


def test_figures_are_given_by_language(examples):
    found = selftest(SelfTestRequest(examples.parent / "rag/cases.jsonl", "rag"))
    parts = measure(found, "CRC.context_recall").languages
    assert [part.language for part in parts] == ["zh", "ko", "en"]
    page = render_selftest(found)
    assert "## By language" in page
    assert "| measure | zh | ko | en |" in page
    assert measure(found, "RTV.ndcg").sensitivity.value == 1.0
    # Of an open question a passage of the same matter decides nothing: one error in nine is not decided.
    assert measure(found, "ABS.right_abstention").sensitivity.value >= 8 / 9


def test_a_control_may_move_what_it_is_about():
    before, after = {"a.x": 0.5, "a.y": 0.5}, {"a.x": 0.7, "a.y": 0.7}
    ended = msgspec.convert(dialog("d"), DialogTrace)
    control = Perturbation("c", "c", lambda _: None, may_move=("a.x",))
    counted = counts._Counted("finance", {})
    counted.ends = {"a.x": (0.0, 1.0), "a.y": (0.0, 1.0)}
    counted.control(control, [counts.DetectionCounts(ended, ended, before, after)])
    assert [one.measure for one in counted.surprises] == ["a.y"]
    assert counted.controls[0].moved.hits == 1


def test_marks_without_room_and_marks_that_went_the_wrong_way():
    ended = msgspec.convert(dialog("d"), DialogTrace)
    error = Perturbation("e", "e", lambda _: None, down("M3.risk_coverage"))
    counted = counts._Counted("finance", {})
    counted.error(error, [
        counts.DetectionCounts(ended, ended, {"M3.risk_coverage": 1.0}, {"M3.risk_coverage": 0.5}),
        counts.DetectionCounts(ended, ended, {"M3.risk_coverage": 0.0}, {"M3.risk_coverage": 0.0}),
        counts.DetectionCounts(ended, ended, {"M3.risk_coverage": 0.5}, {"M3.risk_coverage": 1.0}),
    ])  # fmt: skip
    (told,) = counted.perturbations
    assert (told.applied, told.no_room, told.moved.hits, told.moved.total) == (3, 1, 1, 2)


def test_replies_in_no_language_do_not_stop_it(tmp_path):
    hostile = ["12345", "\U0001f600", "\ud800", "\x00\x07", "．" * 50, "ſhe ſaid ſo ſince K"]
    turns = [turn(1), *(turn(number, reply) for number, reply in enumerate(hostile, 2))]
    path = tmp_path / "trace.jsonl"
    path.write_bytes(json.dumps(dialog("d", turns)).encode() + b"\n")
    assert selftest(SelfTestRequest(path)).turns >= 5


def test_runs_that_hold_nothing_are_refused(tmp_path):
    with pytest.raises(UsageError, match="expected the folder of a scored run or a file"):
        selftest(SelfTestRequest(tmp_path / "missing"))
    with pytest.raises(UsageError, match="--suite"):
        selftest(SelfTestRequest(write(tmp_path, [dialog()]), "astrology"))
    with pytest.raises(DataError, match="answered turn"):
        selftest(SelfTestRequest(write(tmp_path, [dialog(turns=[turn(1, None)]), dialog("x", valid_dialog=False)])))


def write(folder, dialogs):
    path = folder / "trace.jsonl"
    write_lines(path, *dialogs)
    return path


def test_a_suite_without_perturbations_is_told(traces, monkeypatch):
    bare = msgspec.structs.replace(suite_definition("finance"), plants=None)
    monkeypatch.setattr(module, "suite_definition", lambda _name: bare)
    with pytest.raises(UsageError, match="suite finance plants no errors"):
        selftest(SelfTestRequest(traces))


def test_the_command_shows_writes_and_exits_by_the_findings(cli, traces, tmp_path):
    ran = cli("selftest", traces, "--max-turns", "20", "--out", tmp_path / "out")
    assert PROMISE in ran.out
    written = json.loads((tmp_path / "out/selftest.json").read_text("utf-8"))
    assert ran.code == int(any(one["verdict"] == "below" for one in written["measures"]))
    page = (tmp_path / "out/selftest.md").read_text("utf-8")
    assert "## Planted errors" in page
    assert cli("selftest", traces, "--max-turns", "20", "--format", "markdown").out == page
    assert cli("selftest", traces, "--max-turns", "20", "--format", "json").json == written


def test_the_page_shows_the_words_of_surprises(result):
    surprises = [
        Surprise(
            perturbation="p", measure="m", expected=expected, dialog_id=f"d|{number}", turn_pair_id=2, before=None,
            after=0.5, removed="<b>", added="",
        )
        for expected, number in (("down", 1), *(("same", number) for number in range(22)))
    ]  # fmt: skip
    page = render_selftest(msgspec.structs.replace(result, surprises=surprises))
    missed, moved = page.split("## Missed errors")[1].split("## Moved by controls")
    assert "d\\|1:2 | n/a → 0.50 | &lt;b&gt; |" in missed
    assert "2 more in `selftest.json`" in moved


@pytest.mark.parametrize("bound", [math.nan, -0.1, 1.1])
def test_a_bound_is_a_share(traces, bound):
    with pytest.raises(UsageError, match="--at-least: expected a number from 0 to 1"):
        selftest(SelfTestRequest(traces, at_least=bound))


@pytest.mark.parametrize("filler", ["a", "。", "- \n", "好"])
def test_words_of_very_long_texts_are_compared_in_little_time(filler):
    """Comparing whole texts of this length takes minutes."""

    def compared(length):
        long = filler * length
        assert counts._difference(f"{long}yes{long}", f"{long}no{long}") == ("yes", "no")

    assert processor_growth(compared, 3_750, 30_000) < SQUARE


def test_a_mark_that_is_not_decided_any_more_misses_an_error_and_says_nothing_of_a_control():
    ended = msgspec.convert(dialog("d"), DialogTrace)
    name = "M3.risk_coverage"
    counted = counts._Counted("finance", {})
    counted.ends = {name: (0.0, 1.0)}
    unknown = counts.DetectionCounts(ended, ended, {name: 1.0}, {name: None}, frozenset({name}))
    counted.error(Perturbation("e", "e", lambda _: None, down(name)), [unknown])
    counted.control(Perturbation("c", "c", lambda _: None), [unknown])
    found = counted.measure(name, 0.8)
    assert (found.sensitivity.hits, found.sensitivity.total) == (0, 1)
    assert found.specificity.total == 0
    assert found.not_decided == 2


def test_the_page_names_errors_that_were_planted_nowhere(result):
    nowhere = {name for name, why in result.not_planted.items() if why == module.NOWHERE}
    applied = {one.meaning: one.applied for one in result.perturbations}
    assert nowhere == {meaning for meaning, count in applied.items() if not count}
    assert nowhere
    page = render_selftest(result).split("## Not tested")[1].split("\n## ")[0]
    for name in result.not_planted:
        assert escaped(name) in page


def test_off_topic_answers_are_told_by_their_passages_and_else_left_open(examples):
    found = selftest(SelfTestRequest(examples.parent / "rag/cases.jsonl", "rag"))
    by_name = {(one.perturbation, one.measure): one for one in found.perturbations}
    known = by_name["other_answer_from_passage", "ARL.answer_relevancy"]
    assert known.moved.hits == known.moved.total >= 10
    alone = by_name["other_answer", "ARL.answer_relevancy"]
    # Without its passages such an answer is told or left open, never called to the point.
    assert alone.moved.total - alone.moved.hits == (alone.not_decided or 0)


def test_errors_that_are_missed_stand_by_themselves(result):
    some = msgspec.structs.replace(
        result.perturbations[0], meaning="a sly one", moved=Share(hits=1, total=6, dialogs=6), not_decided=2
    )
    few = msgspec.structs.replace(some, meaning="a rare one", moved=Share(hits=0, total=4, dialogs=4))
    found = msgspec.structs.replace(some, meaning="a plain one", moved=Share(hits=6, total=6, dialogs=6))
    page = render_selftest(msgspec.structs.replace(result, perturbations=[some, few, found]))
    told = page.split("## Errors that are missed")[1].split("\n## ")[0]
    assert f"| a sly one | `{some.measure}` | 0.17, 1 of 6 | 2 |" in told
    assert "a rare one" not in told
    assert "a plain one" not in told
    assert "Errors that are missed" not in render_selftest(msgspec.structs.replace(result, perturbations=[found]))


def test_an_error_that_is_left_open_beside_what_was_decided_is_missed_and_not_decided():
    ended = msgspec.convert(dialog("d"), DialogTrace)
    name = "M3.risk_coverage"
    error = Perturbation("e", "e", lambda _: None, down(name))
    counted = counts._Counted("finance", {})
    opened = counts.DetectionCounts(ended, ended, {name: 1.0}, {name: 1.0}, left_open=frozenset({name}))
    fell = counts.DetectionCounts(ended, ended, {name: 1.0}, {name: 0.5}, left_open=frozenset({name}))
    wrong = counts.DetectionCounts(ended, ended, {name: 1.0}, {name: 1.0})
    counted.error(error, [opened, fell, wrong])
    (told,) = counted.perturbations
    assert (told.moved.hits, told.moved.total, told.not_decided) == (1, 3, 1)
    assert counted.measure(name, 0.8).not_decided == 1
