"""Cases as deepeval, ragas, Hugging Face data sets and pandas save them."""

import csv
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.schemas.problems import Problem
from turnmark.suites.rag.cells import python_cell
from turnmark.suites.rag.read_cases import read_cases

CONTEXTS = ["The fee is 2%, a year.", 'It\'s paid in "May"', "费率为2%\n每年"]


def csv_of(path, **cells):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, cells)
        writer.writeheader()
        writer.writerow(cells)
    return path


@pytest.mark.parametrize(
    "cell",
    [str(CONTEXTS), str(np.array(CONTEXTS, dtype=object)), repr(np.array(CONTEXTS, dtype=object)),
     str(tuple(CONTEXTS)).replace("(", "[", 1)[:-1] + "]", json.dumps(CONTEXTS)],
    ids=["Python", "numpy str", "numpy repr", "tuple as list", "JSON"],
)  # fmt: skip
def test_lists_in_cells_of_csv(tmp_path, cell):
    (case,) = read_cases(csv_of(tmp_path / "c.csv", user_input="Q?", response="A.", retrieved_contexts=cell))
    assert case.retrieved_contexts == CONTEXTS


def test_two_texts_that_only_a_space_parts_are_two(tmp_path):
    (case,) = read_cases(csv_of(tmp_path / "c.csv", question="Q?", contexts="['a' 'b']"))
    assert case.retrieved_contexts == ["a", "b"]


def test_what_numpy_left_out_is_named(tmp_path):
    (problem,) = read_cases(csv_of(tmp_path / "c.csv", question="Q?", contexts="['a' 'b' ... 'y' 'z']"))
    assert isinstance(problem, Problem)
    assert "numpy left entries out" in str(problem)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=20), min_size=1, max_size=6))
def test_every_list_of_texts_comes_back(texts):
    assert python_cell(str(texts)) == texts
    assert python_cell(str(np.array(texts, dtype=object))) == texts


def test_contexts_that_deepeval_joined(tmp_path):
    record = {"input": "Q?", "actual_output": "A.", "retrieval_context": "The fee is 2%.|It is paid in May."}
    (tmp_path / "c.jsonl").write_text(json.dumps(record) + "\n")
    (case,) = read_cases(tmp_path / "c.jsonl")
    assert case.retrieved_contexts == ["The fee is 2%.", "It is paid in May."]
    (case,) = read_cases(csv_of(tmp_path / "c.csv", **record))
    assert case.retrieved_contexts == ["The fee is 2%.", "It is paid in May."]


def test_a_table_is_one_context_and_so_is_a_text_of_others(tmp_path):
    table = "| fee | 2% |\n|---|---|\n| paid | May |"
    records = [
        {"input": "Q?", "actual_output": "A.", "retrieval_context": table},
        {"question": "Q?", "contexts": "a|b"},
    ]
    (tmp_path / "c.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    assert [case.retrieved_contexts for case in read_cases(tmp_path / "c.jsonl")] == [[table], ["a|b"]]


@pytest.mark.parametrize("indent", [None, 2])
def test_one_array_over_many_lines(tmp_path, indent):
    records = [{"question": f"Q{n}?", "answer": "A."} for n in range(3)]
    (tmp_path / "c.json").write_text(json.dumps(records, indent=indent))
    assert [case.question for case in read_cases(tmp_path / "c.json")] == ["Q0?", "Q1?", "Q2?"]
    result = score(ScoreRequest((tmp_path / "c.json",), out=tmp_path / "run", suite="rag"))
    assert (result.summary.counters["total_turn_pairs"], result.rejected_lines) == (3, 0)


def test_of_an_array_that_breaks_off_the_whole_entries_are_read(tmp_path):
    (tmp_path / "c.json").write_text(json.dumps([{"question": "Q?"}] * 3, indent=2)[:-5])
    *cases, problem = read_cases(tmp_path / "c.json")
    assert [case.question for case in cases] == ["Q?", "Q?"]
    assert "one JSON array, since the file begins with [" in str(problem)


@pytest.mark.parametrize("answer", [{"answer": "It is 2%."}, {}], ids=["with a reply", "as it is published"])
def test_squad(tmp_path, answer):
    answers = {"text": ["2%", "2% a year"], "answer_start": [11, 11]}
    record = {"id": "1", "question": "Q?", "context": "The fee is 2% a year.", "answers": answers, **answer}
    (tmp_path / "c.jsonl").write_text(json.dumps(record) + "\n")
    (case,) = read_cases(tmp_path / "c.jsonl")
    assert (case.ground_truth_answer, case.ground_truth_contexts) == ("2%", ["The fee is 2% a year."])
    assert case.answer == answer.get("answer")
    result = score(ScoreRequest((tmp_path / "c.jsonl",), out=tmp_path / "run", suite="rag"))
    assert (result.rejected_lines, result.warnings - (result.nothing_counted is not None)) == (0, 1)
    assert "the first one is taken" in (tmp_path / "run" / "problems.jsonl").read_text()


def test_squad_in_csv_as_hugging_face_writes_it(tmp_path):
    """The cell that `datasets.Dataset.to_csv` (5.2.0) and pandas (3.1.1) make of it: arrays within a dict."""
    answers = {"text": np.array(["2%", "2% a year"], dtype=object), "answer_start": np.array([11, 11])}
    path = csv_of(tmp_path / "c.csv", question="Q?", context="The fee is 2% a year.", answers=str(answers))
    (case,) = read_cases(path)
    assert (case.ground_truth_answer, case.ground_truth_contexts) == ("2%", ["The fee is 2% a year."])
    result = score(ScoreRequest((path,), out=tmp_path / "run", suite="rag"))
    assert (result.rejected_lines, result.warnings - (result.nothing_counted is not None)) == (0, 1)
    assert "the first one is taken" in (tmp_path / "run" / "problems.jsonl").read_text()


@pytest.mark.parametrize("cell", ["{'a': open('x')}", "{'a': np.f(x)}", "array(open('x'))", "{'a': array()}"])
def test_no_call_in_a_cell_is_made(cell):
    with pytest.raises(ValueError, match="no JSON, and no Python value"):
        python_cell(cell)


def test_a_context_that_is_empty_is_none(tmp_path):
    (tmp_path / "c.jsonl").write_text('{"question": "Q?", "answer": "The fee is 2%.", "retrieved_contexts": [""]}\n')
    (case,) = read_cases(tmp_path / "c.jsonl")
    assert case.retrieved_contexts is None
    result = score(ScoreRequest((tmp_path / "c.jsonl",), out=tmp_path / "run", suite="rag"))
    assert result.summary.metrics["faithfulness"].counts["eligible_count"] == 0
