import json
import re
from pathlib import Path

import msgspec
import pytest

from servers.chat_server import ChatServer, last_message
from turnmark.judges.abstention import abstaining_sentences
from turnmark.judges.catalog import make_judge
from turnmark.judges.llm.config import JudgeConfig
from turnmark.judges.protocol import Passage
from turnmark.schemas.judging.cases import EvalCase
from turnmark.schemas.judging.judgement import Query
from turnmark.synth.documents.reading import read_document
from turnmark.synth.judge_evidence import Evidence
from turnmark.synth.questions.model import KINDS
from turnmark.synth.questions.speakers import speaker
from turnmark.synth.rag import RagRequest, rag_cases
from turnmark.synth.rag_llm import rag_cases_by_model


@pytest.fixture(scope="module")
def docs():
    return Path(__file__).parents[2] / "src/turnmark/examples/rag/documents"


@pytest.fixture(scope="module")
def made(docs):
    return rag_cases(RagRequest(docs, 60, seed=3))


def test_every_case_is_whole_and_points_into_its_documents(made, docs):
    records, report = made
    assert report.cases == len(records) == 60
    assert report.by_language == {"zh": 20, "ko": 20, "en": 20}
    assert set(report.by_kind) == set(KINDS)
    assert len({record["id"] for record in records}) == 60
    for record in records:
        case = msgspec.convert(record, EvalCase)
        kind = case.generation_params["kind"]
        assert case.answer is None
        assert case.retrieved_contexts is None
        assert case.ground_truth_contexts == [unit["text"] for unit in case.source_units]
        assert len(case.source_units) == {"comparison": len(case.source_units), "multi_hop": 2, "unanswerable": 0}.get(
            kind, 1
        )
        assert (kind == "unanswerable") == bool(abstaining_sentences(case.ground_truth_answer))
        assert case.generation_params.keys() >= {"seed", "kind", "version", "lang", "name"}
        assert case.persona["lang"] == case.lang == case.generation_params["lang"]
        for unit in case.source_units:
            text = read_document(docs / unit["file"]).text
            assert text[unit["start"] : unit["end"]] == unit["text"]


def test_every_answer_is_supported_by_its_units_according_to_the_judge(made):
    judge = make_judge("rules")
    for record in made[0]:
        if record["generation_params"]["kind"] == "unanswerable":
            continue
        claims = judge.claims([Passage(record["ground_truth_answer"], "ground_truth_answer")])[0]
        query = Query(
            relation="support", claims=tuple(claims), material=tuple(record["ground_truth_contexts"]),
            sources=tuple(f"ground_truth_contexts[{n}]" for n in range(len(record["ground_truth_contexts"]))),
            question=record["question"],
        )  # fmt: skip
        verdicts = judge.verdicts([query])[0]
        # The question there names its document or who asks; the judge was asked with the bare one.
        assert claims
        assert not {verdict.label for verdict in verdicts} & {"contradicted", "undetermined"}, record
        likely = [verdict.label == "supported" or verdict.probability >= 0.5 for verdict in verdicts]
        assert sum(likely) >= len(verdicts) - 1, record


def test_the_seed_decides_everything_and_nothing_else_does(docs, made):
    again, _ = rag_cases(RagRequest(docs, 60, seed=3))
    assert msgspec.json.encode(again) == msgspec.json.encode(made[0])
    other, _ = rag_cases(RagRequest(docs, 60, seed=4))
    assert [record["question"] for record in other] != [record["question"] for record in again]


def test_one_language_and_own_personas(docs, tmp_path):
    personas = tmp_path / "personas.yaml"
    personas.write_text(
        "personas:\n  - {id: nurse, name: 간호사, lang: ko, shape: situated, opening: 간호사입니다., kinds: [fact]}\n"
    )
    records, report = rag_cases(RagRequest(docs, 5, language="ko", personas=personas))
    assert report.by_language == {"ko": 5}
    assert report.by_kind == {"fact": 5}
    assert report.by_persona == {"nurse": 5}
    assert all(record["question"].startswith("간호사입니다. ") for record in records)


def test_what_one_language_cannot_give_the_others_share(docs, tmp_path):
    for name in ("zh/anning-card.md", "ko/annyeong-card.md"):
        (tmp_path / name.replace("/", "-")).write_bytes((docs / name).read_bytes())
    (tmp_path / "one.md").write_text("# Sprout Card Key Facts\n\nThe annual fee of the Sprout Card is $80.\n")
    _, report = rag_cases(RagRequest(tmp_path, 18))
    assert report.by_language == {"zh": 8, "ko": 8, "en": 2}


def test_never_more_than_the_documents_carry(tmp_path):
    (tmp_path / "card.md").write_text("# 青禾卡说明书\n\n青禾卡的年费为80元。\n")
    records, report = rag_cases(RagRequest(tmp_path, 50))
    assert 1 < report.cases < 10
    assert [record["generation_params"]["kind"] for record in records].count("number") == 1
    assert f"{50 - report.cases} fewer than wanted: the documents carry 1 facts" in report.short
    (tmp_path / "card.md").write_text("。\n！！\n")
    records, report = rag_cases(RagRequest(tmp_path, 5))
    assert records == []
    assert report.problems[0].found == "another language, or no words"


def test_what_is_said_elsewhere_is_not_unanswerable():
    from turnmark.synth.documents.model import Unit  # noqa: PLC0415

    evidence = Evidence(make_judge("rules"))
    evidence.add(
        [
            Unit("a#1", "a", 0, 9, "The annual fee of the Sprout Card is $80. Its holders call 555 0100, the hotline."),
            Unit("b#1", "b", 0, 9, "The term of the Cloud Card is five years.", ("Cloud Card",)),
        ]
    )
    assert evidence.answered("What is the hotline of the Sprout Card?", "the Sprout Card\nhotline")
    assert not evidence.answered("What is the term of the Sprout Card?", "the Sprout Card\nterm of repayment")
    assert evidence.answered("What is the term of the Cloud Card?", "the Cloud Card\nterm")
    assert evidence.answered("What is the term of the Cloud Card?", "")


@pytest.mark.parametrize("language", ["zh", "ko", "en"])
def test_every_wording_of_no_answer_declines(language):
    asks = speaker(language)
    for answer in (asks.unknown(), asks.absent("X", "Y")[1]):
        assert abstaining_sentences(answer), answer


def written(body):
    """A model that asks for the first sentence of the first passage of each task; some of its answers are no good."""
    if len(body["messages"]) < 2:
        return "{}"
    block = re.search(r"<data>\n(.*)\n</data>", last_message(body), re.DOTALL)
    data = json.loads(block[1])
    questions = []
    for task in data["tasks"]:
        text = data["passages"][task["passages"][0]]
        lines = [
            line for line in text.splitlines() if len(line) > 12 and "|" not in line and not line.startswith(("#", "-"))
        ]
        sentence = re.split(r"(?<=[。.])", lines[-1])[0] if lines else ""
        if task["kind"] == "unanswerable":
            questions.append(
                {
                    "id": task["id"],
                    "question": f"Who painted {task['id']} zebras in {sentence[:3]}?",
                    "answer": "Nobody.",
                }
            )
        elif not sentence:
            questions.append({"id": task["id"], "question": "", "answer": ""})
        elif task["kind"] == "comparison":
            questions.append(
                {
                    "id": task["id"],
                    "question": f"{sentence[:6]} {text[-5:]} more?",
                    "answer": "It costs 987654 dollars.",
                }
            )
        else:
            questions.append(
                {"id": task["id"], "question": f"{sentence[:5]}… {len(text)} {task['kind']}?", "answer": sentence}
            )
    return json.dumps({"questions": questions})


def test_a_model_writes_and_the_same_judge_filters(docs, tmp_path):
    with ChatServer(answer=written) as server:
        config = JudgeConfig(model="m", base_url=server.base_url, concurrency=4)
        records, report = rag_cases_by_model(RagRequest(docs, 30, seed=1), config, tmp_path / "cases.jsonl")
        calls = server.calls
        again, second = rag_cases_by_model(RagRequest(docs, 30, seed=1), config, tmp_path / "cases.jsonl")
        assert server.calls == calls
    assert records == again
    assert second.spent.calls == 0
    assert second.spent.cached == calls
    assert 10 < report.cases <= 30
    assert report.spent.calls == calls
    assert report.left_out["the judge does not see the answer in its unit"] > 0
    assert not any("987654" in record["ground_truth_answer"] for record in records)
    for record in records:
        params = record["generation_params"]
        assert (params["name"], params["model"]["model"], params["seed"]) == ("llm", "m", 1)
        assert record["persona"]["lang"] == record["lang"]
        if params["kind"] == "unanswerable":
            assert record["ground_truth_answer"] == speaker(record["lang"]).unknown()


def test_a_model_that_fails_is_named_and_limits_hold(docs, tmp_path):
    with ChatServer(answer=lambda _: "no json at all") as server:
        config = JudgeConfig(model="m", base_url=server.base_url, tries=1)
        records, report = rag_cases_by_model(RagRequest(docs, 3), config, tmp_path / "a.jsonl")
        assert records == []
        assert any(reason.startswith("no answer of the model") for reason in report.left_out)
        assert "3 fewer than wanted" in report.short
    with ChatServer(answer=written) as server:
        config = JudgeConfig(model="m", base_url=server.base_url, max_calls=1, concurrency=1)
        _, report = rag_cases_by_model(RagRequest(docs, 30), config, tmp_path / "b.jsonl")
        assert report.stopped is not None
        assert report.spent.calls == 1
