"""The metrics of retrieval inside the clinical suite: they join where contexts are there, and say so where not."""

import json
import re

import msgspec
import pytest

from building import write_lines
from turnmark.language.text import segment as segment_module
from turnmark.metrics.rag import RETRIEVED
from turnmark.schemas.clinical.contexts import contexts_of, contexts_problems
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.trace import DialogTrace
from turnmark.suites.protocol import SuiteSettings
from turnmark.suites.registry import suite_definition

CONTEXTS = ["Walk for 30 minutes on five days a week.", "The car park is behind the ward."]
JOINED = [metric.name for metric in RETRIEVED]
EVENT = {
    "schema_version": "events_record.v1",
    "run_id": "r",
    "mode": "agent",
    "patient_id": "p1",
    "turn_id": 3,
    "question": {"text": "How long should I walk?"},
    "answer": "Walk for 30 minutes on five days a week. Swim every morning.",
    "timestamp_utc": "",
    "slots_truth": {"age": 60},
}
NO_CONTEXTS = {"not_applicable": "the event has no retrieved_contexts", "reason": {"code": "no_contexts"}}


@pytest.fixture
def scored(cli, tmp_path):
    def score(*events, code=0, name="run"):
        path = write_lines(tmp_path / f"{name}.jsonl", *events)
        assert cli("score", path, "--suite", "clinical", "--out", tmp_path / name).code == code
        lines = {
            file: [json.loads(line) for line in (tmp_path / name / f"{file}.jsonl").read_text().splitlines()]
            for file in ("turn_eval", "evidence", "events", "dialog_trace")
        }
        return lines, tmp_path / name

    return score


def marks(row):
    return {name: row["marks"][name] for name in JOINED}


@pytest.mark.parametrize(
    "where",
    [
        {"metadata": {"retrieved_contexts": CONTEXTS}},
        {"metadata": {"contexts": [{"text": text} for text in CONTEXTS], "model": "m"}},
        {"retrieval_context": [{"page_content": text, "score": 0.4} for text in CONTEXTS]},
    ],
    ids=["metadata", "objects", "top level"],
)
def test_contexts_of_an_event_bring_the_metrics_of_retrieval(scored, where):
    found, _ = scored(EVENT | where)
    (row,) = found["turn_eval"]
    # Two claims: one stands in the contexts, the other they do not decide; one of two contexts concerns the question.
    assert row["marks"]["faithfulness"] == {
        "measures": {"faithfulness": [1.0, 1.0]}, "undecided": {"faithfulness": 1.0}
    }  # fmt: skip
    assert row["marks"]["context_relevance"] == {"measures": {"context_relevance": [1.0, 2.0]}}
    for name, field in (("context_recall", "ground_truth_answer"), ("context_precision", "ground_truth_contexts")):
        assert row["marks"][name] == {
            "not_applicable": f"the case has no {field}",
            "reason": {"code": "field_missing", "parts": {"field": field}},
        }
    assert row["marks"]["sfs_all"]["measures"]["slot_factuality_all"] == [1.0, 1.0]
    evidence = [msgspec.convert(piece, Evidence) for piece in found["evidence"]]
    pieces = [piece for piece in evidence if piece.metric == "faithfulness"]
    assert [(piece.source, piece.polarity) for piece in pieces] == [("reply", "supported"), ("reply", "not_decided")]
    assert all(EVENT["answer"][piece.start : piece.end] == piece.quote for piece in pieces)
    assert all(piece.turn_pair_id == 3 for piece in pieces)
    sources = {piece.source for piece in evidence if piece.metric == "context_relevance"}
    assert sources == {"recall.items[0].content", "recall.items[1].content"}
    (event,) = found["events"]
    assert event["metrics"]["faithfulness"] == 1.0  # of what was decided
    assert 0.0 <= event["metrics"]["answer_relevance"] <= 1.0
    assert {name: event[name] for name in where} == where


def test_a_reference_brings_the_metrics_with_ground_truth(scored):
    reference = {"ground_truth": CONTEXTS[0], "ground_truth_contexts": CONTEXTS[:1]}
    found, _ = scored(EVENT | {"metadata": {"contexts": CONTEXTS, **reference}})
    given = marks(found["turn_eval"][0])
    assert given["context_recall"]["measures"]["context_recall"] == [1.0, 1.0]
    assert given["context_precision"]["measures"]["precision_at_1"] == [1.0, 1.0]
    assert given["answer_correctness"]["measures"]["claim_recall"] == [1.0, 1.0]
    assert given["answer_correctness"]["measures"]["claim_precision"][0] == 1.0


def test_without_contexts_nothing_of_the_sort_applies_and_page_one_says_so(scored):
    found, folder = scored(EVENT | {"metadata": {"model": "m", "ground_truth_answer": "x"}})
    assert marks(found["turn_eval"][0]) == dict.fromkeys(JOINED, NO_CONTEXTS)
    assert set(found["events"][0]["metrics"]) == {"SFS", "CSP", "CUS_improved", "MCS", "ASS"}
    assert "recall" not in found["dialog_trace"][0]["turns"][0]
    page = (folder / "report.html").read_text("utf-8")
    summary = json.loads((folder / "metrics_summary.json").read_text())
    (said,) = re.findall(r"([A-Z, ]+): not computed \(1: the event has no retrieved_contexts\)", page)
    assert set(said.split(", ")) == {metric.code for metric in RETRIEVED}
    for metric in RETRIEVED:
        assert summary["metrics"][metric.name]["counts"]["eligible_count"] == 0


def test_a_figure_that_the_event_brings_passes_through(scored):
    found, _ = scored(
        EVENT | {"metadata": {"contexts": CONTEXTS}, "metrics": {"faithfulness": 0.9, "perplexity": 18.5}}
    )
    metrics = found["events"][0]["metrics"]
    assert (metrics["faithfulness"], metrics["perplexity"]) == (0.9, 18.5)
    assert "answer_relevance" in metrics
    assert found["turn_eval"][0]["marks"]["faithfulness"]["measures"]["faithfulness"] == [1.0, 1.0]


def test_recalled_items_of_a_trace_are_contexts(cli, scored, tmp_path):
    found, _ = scored(EVENT | {"metadata": {"contexts": CONTEXTS}}, name="events")
    (trace,) = found["dialog_trace"]
    del trace["turns"][0]["source_record"]
    path = write_lines(tmp_path / "dialog_trace.jsonl", trace)
    assert cli("score", path, "--suite", "clinical", "--out", tmp_path / "again").code == 0
    row = json.loads((tmp_path / "again" / "turn_eval.jsonl").read_text())
    assert marks(row) == marks(found["turn_eval"][0])
    event = json.loads((tmp_path / "again" / "events.jsonl").read_text())
    assert event["metadata"]["retrieved_contexts"] == CONTEXTS


def test_what_is_no_list_of_texts_is_named_and_the_rest_goes_on(scored):
    found, folder = scored(EVENT | {"metadata": {"contexts": [1, 2]}})
    assert marks(found["turn_eval"][0])["faithfulness"] == NO_CONTEXTS
    assert found["turn_eval"][0]["marks"]["sfs_all"]["measures"]
    problem = json.loads((folder / "problems.jsonl").read_text())
    assert (problem["line"], problem["field"], problem["severity"]) == (1, "$.metadata.contexts", "warning")
    assert problem["found"] == "array of 2"


@pytest.mark.parametrize("value", [5, {"a": 1}, [["x"]], [{"name": "x"}], [None], True])
def test_values_that_hold_no_texts(value):
    event = {"contexts": value}
    assert contexts_of(event).retrieved_contexts is None
    assert [problem.field for problem in contexts_problems(event, "f", 1)] == ["$.contexts"]


def test_an_empty_list_says_that_nothing_was_found(scored):
    assert contexts_of({"contexts": []}).retrieved_contexts == []
    assert contexts_of({"metadata": None, "contexts": "one text"}).retrieved_contexts == ["one text"]
    found, _ = scored(EVENT | {"metadata": {"contexts": []}})
    assert found["turn_eval"][0]["marks"]["faithfulness"]["measures"]["faithfulness"] == [0.0, 2.0]


def test_two_systems_are_compared_on_them(cli, scored, tmp_path):
    worse = EVENT | {"answer": "Swim every morning. Dance on Sundays."}
    for name, event in (("one", EVENT), ("two", worse)):
        scored(*(event | {"patient_id": f"p{n}", "metadata": {"contexts": CONTEXTS}} for n in range(4)), name=name)
    found = cli("compare", tmp_path / "one", tmp_path / "two", "--draws", "200", "--format", "json")
    assert found.code == 0
    assert "faithfulness" in found.out


def test_the_shipped_example_shows_them(cli, examples, tmp_path):
    path = examples.parent / "clinical" / "agent" / "events.jsonl"
    assert cli("score", path, "--suite", "clinical", "--out", tmp_path / "run").code == 0
    summary = json.loads((tmp_path / "run" / "metrics_summary.json").read_text())["metrics"]
    assert summary["faithfulness"]["counts"]["eligible_count"] == 24
    assert summary["faithfulness"]["counts"]["skipped_count"] == 36
    assert 0.3 < summary["faithfulness"]["micro"]["faithfulness"] < 0.9


def test_an_answer_is_cut_once_for_the_metrics_of_both_suites(monkeypatch, tmp_path):
    cut = []
    make = segment_module._segment
    monkeypatch.setattr(segment_module, "_segment", lambda folded: cut.append(folded.original) or make(folded))
    monkeypatch.setattr(segment_module, "_last", {})
    suite = suite_definition("clinical").make(SuiteSettings("contextual"))
    event = EVENT | {"metadata": {"retrieved_contexts": CONTEXTS}}
    (line,) = suite.lines(write_lines(tmp_path / "events.jsonl", event))
    (row,) = suite.evaluate(Reader(DialogTrace).decode(line).value).rows
    assert row.marks["faithfulness"].measures
    assert cut.count(event["answer"]) == 1
    assert len(segment_module._last) <= 4
