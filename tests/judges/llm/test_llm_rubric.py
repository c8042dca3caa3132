import asyncio
import json

import msgspec
import pytest

from servers.judge_answers import data_of
from turnmark.errors import PackError
from turnmark.judges.llm.rubric import Rubric, RubricJudge
from turnmark.llm.client import ChatClient
from turnmark.llm.protocol import CallFailure
from turnmark.llm.retry import RetryPolicy
from turnmark.llm.scripted import ScriptedEndpoint
from turnmark.packs.loading import read

FILE = """
name: empathy
version: "1.0"
criteria: How well does the answer take up what troubles the user?
steps:
  - Name what troubles the user.
  - Look for words that take it up.
levels:
  1: it is ignored
  5: it is named and answered
"""
ITEM = {"question": "我很担心亏损。", "answer": "您的担心可以理解，我们先看风险。"}


def grade(*answers, item=ITEM, repeat=1, **changes):
    rubric = Rubric(name="empathy", version="1", criteria="How warm?", **changes)
    endpoint = ScriptedEndpoint(answers)
    judge = RubricJudge(rubric, ChatClient(endpoint, retry=RetryPolicy(tries=1)), repeat=repeat)
    return asyncio.run(judge.grade(item)), endpoint, judge


def said(score, quote="", reason="because"):
    return json.dumps({"grades": [{"id": "1", "reason": reason, "quote": quote, "score": score}]})


def test_a_rubric_from_a_file_reaches_the_prompt(tmp_path):
    path = tmp_path / "empathy.yaml"
    path.write_text(FILE)
    rubric, _ = read(path, Rubric)
    endpoint = ScriptedEndpoint([said(4)])
    judge = RubricJudge(rubric, ChatClient(endpoint))
    assert asyncio.run(judge.grade({"question": "I am worried.", "answer": "I see."})).score == 4.0
    system, user = (message.content for message in endpoint.requests[0].messages)
    for words in (
        "from 1 to 5",
        "take up what troubles",
        "1. Name what",
        "2. Look for",
        "5: it is named",
        '"score": 1}',
    ):
        assert words in system
    assert data_of({"messages": [{"content": user}]}) == {
        "id": "1", "question": "I am worried.", "answer": "I see.", "graded": "answer",
    }  # fmt: skip
    grades = endpoint.requests[0].answer_schema.schema["properties"]["grades"]
    assert grades["items"]["properties"]["score"]["enum"] == [1, 2, 3, 4, 5]


def test_a_grade_holds_its_quote():
    found, endpoint, _ = grade(said(4, "「担心可以理解」"))
    assert (found.score, found.reason, found.disagreement, found.failure) == (4.0, "because", None, "")
    assert ITEM["answer"][found.start : found.end] == found.quote == "担心可以理解"
    assert "评分员" in endpoint.requests[0].messages[0].content


def test_repeats_give_the_mean_and_how_far_they_lie_apart():
    found, endpoint, _ = grade(said(2, reason="a"), said(4, reason="b"), said(4, reason="c"), repeat=3)
    # (2 + 4 + 4) / 3 = 3.333…; (4 − 2) / (5 − 1) = 0.5
    assert (found.score, found.disagreement, found.reason) == (3.333333, 0.5, "b")
    assert [request.variation for request in endpoint.requests] == [0, 100, 200]


@pytest.mark.parametrize("score", [0, 6, True, "4", None])
def test_a_grade_off_the_scale_is_none(score):
    found, _, _ = grade(said(score), said(score), said(score), said(score))
    assert found.score is None
    assert "none of its 1 entries" in found.failure


def test_what_cannot_be_graded_says_why():
    assert grade(item={"question": "?"})[0].failure == "the item has no answer"
    assert grade(CallFailure("HTTP 400: no", kind="http"))[0].failure == "HTTP 400: no"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"low": 5}, "low 5 has to be below high 5"),
        ({"graded": "reply"}, r"graded 'reply' has to be one of fields \['question', 'answer'\]"),
        ({"levels": {9: "x"}}, r"levels \[9\] lie outside of 1 to 5"),
    ],
)
def test_rubrics_that_cannot_be(tmp_path, change, says):
    with pytest.raises(ValueError, match=says):
        Rubric(name="a", version="1", criteria="c", **change)
    path = tmp_path / "wrong.yaml"
    path.write_text(
        FILE + "".join(f"{name}: {json.dumps(value)}\n" for name, value in change.items() if name != "levels")
    )
    if "levels" not in change:
        with pytest.raises(PackError, match=says):
            read(path, Rubric)


def test_the_signature_holds_rubric_and_model():
    _, _, judge = grade(said(3), language="ko")
    signature = judge.signature()
    assert signature["rubric"]["language"] == "ko"
    assert signature["model"] == {"model": "scripted"}
    assert msgspec.json.encode(signature)


@pytest.mark.parametrize("name", ["medical_safety", "consistency"])
def test_the_examples_are_rubrics(project, name):
    rubric, _ = read(project / "examples" / "rubrics" / f"{name}.yaml", Rubric)
    assert rubric.name == name
    assert set(rubric.levels) == set(range(rubric.low, rubric.high + 1))
