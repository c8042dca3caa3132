import asyncio

import msgspec
import pytest

from servers.judge_answers import judge_answer
from turnmark.errors import UsageError
from turnmark.judges.catalog import make_judge
from turnmark.judges.llm.judge import LlmJudge
from turnmark.judges.protocol import Passage
from turnmark.judges.recorded import Judgement, RecordedJudge, RecordingJudge, key_of
from turnmark.llm.client import ChatClient
from turnmark.llm.protocol import CallFailure
from turnmark.llm.retry import RetryPolicy
from turnmark.llm.scripted import ScriptedEndpoint
from turnmark.schemas.judging.cases import EvalCase
from turnmark.schemas.judging.judgement import Claim, Query
from turnmark.suites.rag.case import evaluate_case, evaluate_case_async

CASE = EvalCase(question="Fee?", answer="The fee is 2%. It is due.", retrieved_contexts=["The fee is 2%."])
CLAIM = Claim(text="a", start=0, end=1)


def record(path, script, case=CASE):
    judge = LlmJudge(ChatClient(ScriptedEndpoint(script), retry=RetryPolicy(tries=1)))
    recording = RecordingJudge(judge, "c1")
    result = asyncio.run(evaluate_case_async(case, recording))
    lines = [Judgement(judge=dict(recording.signature())), *recording.lines]
    path.write_bytes(b"\n".join(map(msgspec.json.encode, lines)))
    return result


def good(request):
    return judge_answer({"messages": [{"content": one.content} for one in request.messages]})


@pytest.mark.parametrize("script", [good, lambda _: CallFailure("HTTP 400", kind="http")], ids=["good", "failing"])
def test_figures_from_the_file_are_those_of_the_judge(tmp_path, script):
    path = tmp_path / "judgements.jsonl"
    first = record(path, script)
    again = evaluate_case(CASE, make_judge("judged", path))
    assert again.outcomes == first.outcomes
    for name, result in first.results.items():
        assert msgspec.to_builtins(again.results[name].claims) == msgspec.to_builtins(result.claims)


def test_what_was_not_asked_for_is_failed_and_says_what_to_do(tmp_path):
    path = tmp_path / "judgements.jsonl"
    record(path, good)
    other = EvalCase(question="Term?", answer="Five years.", retrieved_contexts=["The term is five years."])
    result = evaluate_case(other, RecordedJudge(path)).results
    assert result["faithfulness"].reason == (
        "its claims were not asked for: run turnmark judge on these cases again, it asks only for what is missing"
    )
    assert result["context_relevance"].reason.startswith("it was not judged: run turnmark judge")


def test_the_signature_is_that_of_the_judge_and_changes_with_the_answers(tmp_path):
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    record(one, good)
    record(other, good, EvalCase(question="Fee?", answer="None.", retrieved_contexts=[]))
    first, second = RecordedJudge(one).signature(), RecordedJudge(other).signature()
    assert (first["judge"], first["model"]) == ("llm", {"model": "scripted"})
    assert first["judgements"] != second["judgements"]
    assert RecordedJudge(one).signature() == first


@pytest.mark.parametrize(
    "change",
    [
        {"relation": "conflict"},
        {"claims": (CLAIM, CLAIM)},
        {"material": ("other",)},
        {"question": "?"},
        {"language": "ko"},
    ],
    ids=str,
)
def test_the_key_holds_everything_that_is_asked(change):
    query = {"relation": "support", "claims": (CLAIM,), "material": ("m",), "sources": ("s",)}
    assert key_of([Query(**query)]) == key_of([Query(**query)]) != key_of([Query(**query | change)])
    assert key_of([Passage("a", "b")]) != key_of([Passage("a", "b", "c")])


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"key": "k", "verdicts": []}\n', "expected judgements written by turnmark judge, found none"),
        ('{"judge": {}, "key": 5}\n', r"judgements.jsonl:1: \$\.key: expected string"),
        ("", "found none"),
    ],
)
def test_files_that_hold_no_judgements(tmp_path, content, says):
    path = tmp_path / "judgements.jsonl"
    path.write_text(content)
    with pytest.raises(UsageError, match=says):
        RecordedJudge(path)


def test_the_catalogue_names_what_is_missing():
    with pytest.raises(UsageError, match="expected a file of judgements, found none; write one with turnmark judge"):
        make_judge("judged")
    with pytest.raises(UsageError, match=r"expected one of .*'nli:FOLDER', 'judged'.*, found 'oracle'"):
        make_judge("oracle")
