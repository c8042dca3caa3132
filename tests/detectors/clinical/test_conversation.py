"""UR, CCR, MCS and ASS on hand-worked cases in three languages, and what must hold for any text."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from turnmark.detectors.clinical.conversation import consistency as conversation
from turnmark.detectors.clinical.conversation import elements, updates
from turnmark.detectors.clinical.conversation.history import History
from turnmark.detectors.clinical.safety.detector import SafetyDetector
from turnmark.detectors.clinical.utterance import read_utterance
from turnmark.language.analysis import analyse
from turnmark.metrics.clinical import ass, ccr, mcs, ur
from turnmark.packs.safety_rules import load_safety_rules
from turnmark.stats.tally import NotApplicable

CASES = yaml.safe_load((Path(__file__).parent / "data" / "conversations.yaml").read_text("utf-8"))
SAFETY = SafetyDetector(load_safety_rules()[0])


def update_reflection(case, record):
    history = History()
    for text in case.get("earlier_questions", []):
        earlier = read_utterance(text, record)
        history.hear(earlier, updates.told(earlier))
    answer = read_utterance(case["answer"], record, case["question"])
    items = updates.told(read_utterance(case["question"], record))
    found = updates.reflections(answer, updates.news(items, history.told))
    return ur.outcomes([one.score for one in found]), [one.evidence for one in found if one.evidence]


def context_contradiction(case, record):
    question = case.get("question", "")
    history = History()
    history.hear(read_utterance(question, record), ())
    found = conversation.contradictions(read_utterance(case["answer"], record, question), history)
    return ccr.outcomes([one.agrees for one in found]), [one.evidence for one in found]


def stated(text, record):
    answer = read_utterance(text, record)
    return conversation.statements(answer, SAFETY.advice(answer))


def consistency(case, record):
    history = History()
    for text in case["earlier"]:
        history.answered(stated(text, record))
    found = conversation.consistency(case["answer"], stated(case["answer"], record), history.said)
    return mcs.outcomes([one.agrees for one in found]), [one.evidence for one in found]


def actionability(case, _):
    found = elements.elements(read_utterance(analyse(case["answer"], case["language"]), {}), case["elements"])
    scores = [one.score for one in found if one.score is not None]
    return ass.outcomes(scores), [piece for one in found for piece in one.evidence]


METRICS = {"ur": update_reflection, "ccr": context_contradiction, "mcs": consistency, "ass": actionability}


@pytest.mark.parametrize(
    ("metric", "case"),
    [(metric, case) for metric in METRICS for case in CASES[metric]],
    ids=lambda value: value["answer"][:20] if isinstance(value, dict) else value,
)
def test_by_hand(metric, case):
    outcome, evidence = METRICS[metric](case, CASES["records"].get(case.get("record"), {}))
    if case["expected"] is None:
        assert isinstance(outcome, NotApplicable)
        return
    assert [outcome[0].hits, outcome[0].total] == case["expected"]
    for piece in evidence:
        assert case["answer"][piece.start : piece.end] == piece.quote


def test_there_are_enough_cases_in_three_languages():
    for metric in METRICS:
        assert len(CASES[metric]) >= 20
        named = {
            case.get("record") or {"ko": "kim", "en": "ann", "zh": "li"}[case["language"]] for case in CASES[metric]
        }
        assert named == {"kim", "ann", "li"}


@given(st.text(max_size=50), st.text(max_size=50))
def test_scores_stay_in_range_for_any_text(answer, other):
    record = CASES["records"]["ann"]
    for metric in ("ur", "ccr", "mcs"):
        outcome, _ = METRICS[metric]({"answer": answer, "question": other, "earlier": [other]}, record)
        assert isinstance(outcome, NotApplicable) or 0 <= outcome[0].hits <= outcome[0].total
    found = elements.elements(read_utterance(answer, {}), sorted(elements.known_elements()))
    assert all(one.score in (0.0, 0.5, 1.0) for one in found)


@given(st.sampled_from([case["answer"] for case in CASES["mcs"]]))
def test_an_answer_never_conflicts_with_itself(answer):
    record = CASES["records"]["kim"]
    outcome, _ = consistency({"answer": answer, "earlier": [answer]}, record)
    assert isinstance(outcome, NotApplicable) or outcome[0].hits == outcome[0].total
