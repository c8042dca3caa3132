"""What a conversation keeps of its turns gives the same marks as all of them would, and nothing is read twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.detectors.clinical import utterance
from turnmark.detectors.clinical.conversation import consistency, updates
from turnmark.detectors.clinical.conversation.claims import Statement, agree
from turnmark.detectors.clinical.conversation.history import History
from turnmark.detectors.clinical.utterance import read_utterance
from turnmark.schemas.clinical.events import EventRecord, Question
from turnmark.suites.clinical.answer import evaluate_event, load_config

CONFIG, _ = load_config()
SAID = st.one_of(
    st.booleans(), st.floats(0, 10).map(float), st.sampled_from(["male", "female"]), st.just((130.0, 80.0))
)
STATEMENTS = st.lists(
    st.builds(
        Statement,
        st.tuples(st.sampled_from(["lab", "advice"]), st.sampled_from(["a", "b"])),
        SAID,
        st.sampled_from(["one", "two"]),
        st.just(0),
        st.just(0),
    ),
    max_size=8,
)


def event(turn, question, answer, slots=None):
    return EventRecord(
        schema_version="events_record.v1",
        run_id="r",
        mode="agent",
        patient_id="p",
        turn_id=turn,
        question=Question(text=question),
        answer=answer,
        timestamp_utc="",
        slots_truth=slots,
    )


@given(st.lists(STATEMENTS, max_size=4), STATEMENTS)
def test_values_that_are_kept_decide_as_all_statements_would(turns, current):
    history = History()
    for statements in turns:
        history.answered(statements)
    found = {check.statement.key: check for check in consistency.consistency("", current, history.said)}
    before = [one for statements in turns for one in statements]
    shared = {one.key for one in current} & {one.key for one in before}
    assert found.keys() == shared
    for key, check in found.items():
        others = [one for one in before if one.key == key]
        each = [any(agree(one.value, other.value) for other in others) for one in current if one.key == key]
        assert check.agrees == all(each)
        assert check.other == others[-1].quote


def test_each_text_of_a_conversation_is_read_once(monkeypatch):
    read = []
    facts_of = utterance.facts_of
    monkeypatch.setattr(utterance, "facts_of", lambda reading: read.append(reading.text) or facts_of(reading))
    history, slots = History(), {"age": 67, "key_labs": {"hba1c": "7.2%"}}
    for turn in range(1, 13):
        answer = f"At visit number {turn} your HbA1c of 7.2% was fine; keep off beer."
        evaluate_event(event(turn, f"How am I, on visit number {turn}?", answer, slots), history, CONFIG)
    assert len(read) == len(set(read)) == 24


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("I have been diagnosed with gout.", "So with your gout, drink water."),
        ("저는 통풍이 있어요.", "통풍이 있으시니 물을 자주 드세요."),
        ("我患有痛风。", "您有痛风，请多喝水。"),
    ],
)
def test_what_a_patient_told_in_a_turn_without_an_answer_is_known_later(question, answer):
    history = History()
    lost = evaluate_event(event(1, question, None, {"age": 60}), history, CONFIG)
    assert set(lost.results) == set()
    later = evaluate_event(event(2, "?", answer, {"age": 60}), history, CONFIG)
    assert [(row["agrees"], row["known"]) for row in later.results["CCR"]["details"]] == [
        (True, "the patient's own words")
    ]


def test_a_turn_without_a_record_is_read_beside_the_record_of_the_turn_before():
    history = History()
    evaluate_event(event(1, "Hello", "Hello.", {"key_meds": ["metformin 500mg"]}), history, CONFIG)
    evaluate_event(event(2, "And now?", "Take your metformin."), history, CONFIG)
    assert history.said[("medication", "metformin")].values == (True,)


def test_news_are_told_once():
    history = History()
    question = read_utterance("I have gout and gout again, and I walk 20 minutes.", {})
    items = updates.told(question)
    news = updates.news(items, history.told)
    assert len({one[:3] for one in news}) == len(news) >= 2
    history.hear(question, items)
    assert updates.news(items, history.told) == []
