"""Labels of people against the marks of a run: what is corrected, what is missed, what is asked for next."""

import json

import pytest

from building import dialog, turn, write_lines
from turnmark.errors import DataError
from turnmark.pipeline.labelling.correct import CorrectRequest, correct
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest

PROMISE = "保本保收益，稳赚不赔。"
PLAIN = "可以考虑分散配置，定期检查，并留出应急资金。"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Thirty dialogues of two turns; the first reply of every third breaks a rule."""
    folder = tmp_path_factory.mktemp("labelled")
    dialogs = [
        dialog(f"d{place:02d}", [turn(1, PROMISE if place % 3 == 0 else PLAIN), turn(2, PLAIN, rubric=["信息依据"])])
        for place in range(30)
    ]
    write_lines(folder / "trace.jsonl", *dialogs)
    score(ScoreRequest((folder / "trace.jsonl",), folder / "run", detect="literal"))
    return folder / "run"


def label(place, number, value, **fields):
    return {
        "dialog_id": f"d{place:02d}", "turn_pair_id": number, "measure": "M4.forbidden_hit_rate", "value": value,
        "annotator": "a", **fields,
    }  # fmt: skip


def marked(run):
    rows = [json.loads(line) for line in (run / "turn_eval.jsonl").read_text("utf-8").splitlines()]
    return {(row["dialog_id"], row["turn_pair_id"]): bool(row["forbidden_hits"]) for row in rows}


def corrected(run, tmp_path, *labels, **settings):
    path = write_lines(tmp_path / "labels.jsonl", *labels)
    return correct(CorrectRequest(run, path, **settings))


def test_people_who_agree_leave_the_figure_where_it_is(run, tmp_path):
    marks = marked(run)
    labels = [label(place, number, marks[f"d{place:02d}", number]) for place in range(20) for number in (1, 2)]
    found = corrected(run, tmp_path, *labels).measures[0]
    assert found.measure == "M4.forbidden_hit_rate"
    assert (found.rows, found.labelled, found.annotators) == (60, 40, 1)
    assert found.raw == pytest.approx(sum(marks.values()) / 60)
    assert found.rogan_gladen == pytest.approx(found.raw) or found.raw == 0
    assert found.powered == pytest.approx(found.raw, abs=0.05)
    assert found.disagreements == []
    assert found.accuracy == 1.0


def test_missed_cases_are_counted_and_scaled_up(run, tmp_path):
    marks = marked(run)
    labels = [label(place, 2, place < 3) for place in range(15)]  # second turns carry no mark; three should
    found = corrected(run, tmp_path, *labels).measures[0]
    assert (found.unmarked_checked, found.missed) == (15, 3)
    assert found.miss_rate == pytest.approx(0.2)
    unmarked = sum(not mark for mark in marks.values())
    assert found.missed_in_run == pytest.approx(0.2 * unmarked)
    assert found.missed_in_run_interval[0] < found.missed_in_run < found.missed_in_run_interval[1]
    assert found.disagreements[0] == "d00 turn 2: marked 0, people say 1"
    assert len(found.label_next) == 20


def test_turns_picked_by_hand_do_not_correct_anything(run, tmp_path):
    found = corrected(run, tmp_path, *[label(place, 2, True, chosen=True) for place in range(12)]).measures[0]
    assert found.powered is None
    assert found.unmarked_checked == 0
    assert found.accuracy == 0.0
    assert len(found.disagreements) == 12


def test_several_annotators_count_by_their_majority(run, tmp_path):
    labels = [label(0, 2, value, annotator=name) for name, value in (("a", True), ("b", True), ("c", False))]
    labels += [label(1, 2, value, annotator=name) for name, value in (("a", True), ("b", False))]  # a tie
    labels += [label(2, 2, None)]
    found = corrected(run, tmp_path, *labels).measures[0]
    assert found.labelled == 1
    assert found.annotators == 3
    assert found.alpha is not None


def test_the_last_label_of_one_person_counts_and_is_no_second_opinion(run, tmp_path):
    twice = [label(place, 2, place < 3, annotator=name) for name in ("a", " a ") for place in range(6)]
    changed = [one | {"value": not one["value"]} for one in twice[:6]]
    found = corrected(run, tmp_path, *changed, *twice[6:])
    once = corrected(run, tmp_path, *twice[:6])
    assert (found.measures[0].annotators, found.measures[0].alpha) == (1, None)
    assert found.measures == once.measures
    assert len(found.unused) == 6
    assert found.unused[0].endswith(
        "labels.jsonl:1: a says M4.forbidden_hit_rate of turn 2 of 'd00' again in line 7, which counts"
    )

    two = corrected(run, tmp_path, *twice[:6], *[one | {"annotator": "b"} for one in twice[:6]])
    assert (two.measures[0].annotators, two.measures[0].alpha) == (2, 1.0)
    assert two.unused == []


def test_scores_are_corrected_by_their_mean(run, tmp_path):
    labels = [
        {**label(place, 2, 3.0 + place % 2), "measure": "m5_explainability.judge_score_mean"} for place in range(12)
    ]
    found = corrected(run, tmp_path, *labels).measures[0]
    assert found.measure == "M5.judge_score_mean"
    assert found.raw == 1.0  # no element of explanation was found
    assert found.powered == pytest.approx(3.5)
    assert found.rogan_gladen is None


@pytest.mark.parametrize(
    ("one", "message"),
    [
        ({**label(99, 1, True)}, "the run has no turn 1 of 'd99'"),
        ({**label(0, 1, True), "measure": "M9.nothing"}, "$.measure: expected one of"),
        (
            {**label(0, 1, True), "measure": "M5.rubric_hit_rate"},
            "M5.rubric_hit_rate does not apply to turn 1 of 'd00'",
        ),
        ({**label(0, 2, 1e308), "measure": "M5.judge_score_mean"}, "$.value: expected 1 to 5, found 1e+308"),
        ({**label(0, 1, "maybe")}, "labels.jsonl:1: $.value"),
    ],
)
def test_labels_that_fit_nothing_are_named(run, tmp_path, one, message):
    with pytest.raises(DataError) as raised:
        corrected(run, tmp_path, one)
    assert message in str(raised.value)
    found = corrected(run, tmp_path, one, label(0, 1, True))
    assert len(found.unused) == 1
    assert message in found.unused[0]


def test_the_command(run, tmp_path, cli):
    labels = [label(place, 2, place < 2, annotator=name) for place in range(12) for name in ("a", "b")]
    path = write_lines(tmp_path / "labels.jsonl", *labels)
    ran = cli("correct", str(run), "--labels", str(path), "--lang", "en")
    assert ran.code == 0
    assert "2 of 12 checked turns without a mark should have had one" in ran.out
    assert "Krippendorff's alpha 1.000" in ran.out
    assert "label next" in ran.out
    as_json = cli("correct", str(run), "--labels", str(path), "--format", "json", "--next", "3").json
    assert len(as_json["measures"][0]["label_next"]) == 3
    path.write_text(path.read_text("utf-8") + "{}\n", "utf-8")
    assert cli("correct", str(run), "--labels", str(path)).code == 3
    assert cli("correct", str(run), "--labels", str(tmp_path / "none.jsonl")).code == 2
