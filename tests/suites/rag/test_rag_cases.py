"""Cases from files and from recorded turns; what is wrong with a line is said with file, line and field."""

import json

import pytest

from turnmark.errors import DataError, MissingExtraError
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.rag import EvalCase, load_cases, read_cases
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import RecallItem, RecallTrace, TurnTrace
from turnmark.suites.rag.read_cases import case_of_turn

CASE = {"question": "What is the fee?", "answer": "12 dollars", "retrieved_contexts": ["The fee is 12 dollars."]}


def written(tmp_path, name, *lines):
    path = tmp_path / name
    path.write_text("".join(line + "\n" for line in lines), "utf-8")
    return path


def test_json_lines(tmp_path):
    path = written(tmp_path, "cases.jsonl", json.dumps(CASE), json.dumps({**CASE, "id": 7, "unknown": 1}))
    first, second = load_cases(path)
    assert first == EvalCase(**CASE)
    assert second.id == "7"


@pytest.mark.parametrize(
    "fields",
    [
        {
            "user_input": "Q?",
            "response": "A.",
            "reference": "R.",
            "retrieved_contexts": ["C."],
            "reference_contexts": ["G."],
        },
        {"question": "Q?", "answer": "A.", "ground_truth": "R.", "contexts": ["C."], "context": ["G."]},
        {"input": "Q?", "actual_output": "A.", "expected_output": "R.", "retrieval_context": ["C."], "context": "G."},
    ],
)
def test_names_of_other_tools(tmp_path, fields):
    case = load_cases(written(tmp_path, "cases.jsonl", json.dumps(fields)))[0]
    assert case == EvalCase(
        question="Q?",
        answer="A.",
        ground_truth_answer="R.",
        retrieved_contexts=["C."],
        ground_truth_contexts=["G."],
    )


def test_the_own_name_wins(tmp_path):
    case = load_cases(written(tmp_path, "c.jsonl", json.dumps({**CASE, "response": "other"})))[0]
    assert case.answer == "12 dollars"


def test_a_bad_line_is_named_and_the_rest_goes_on(tmp_path):
    path = written(tmp_path, "c.jsonl", '{"question": 5}', json.dumps(CASE), "{", '{"answer": "A."}')
    found = list(read_cases(path))
    assert [isinstance(each, Problem) for each in found] == [True, False, True, True]
    assert str(found[0]).startswith(f"{path}:1: $.question: expected string, found integer 5; write it as question or")
    assert (found[3].line, found[3].field) == (4, "$.question")
    with pytest.raises(DataError) as error:
        load_cases(path)
    assert len(str(error.value).splitlines()) == 3


def test_many_bad_lines_are_cut(tmp_path):
    with pytest.raises(DataError, match="and 5 more"):
        load_cases(written(tmp_path, "c.jsonl", *["{}"] * 25))


def test_csv(tmp_path):
    path = written(
        tmp_path,
        "cases.csv",
        "\ufeffquestion,answer,contexts,relevant_ids,persona",
        'What is the fee?,12 dollars,"[""The fee is 12 dollars."", ""Other.""]","{""d1"": 2}","{""role"": ""clerk""}"',
        "Short?,,One context only,,",
    )
    first, second = load_cases(path)
    assert first.retrieved_contexts == ["The fee is 12 dollars.", "Other."]
    assert first.relevant_ids == {"d1": 2}
    assert first.persona == {"role": "clerk"}
    assert second.answer is None
    assert second.retrieved_contexts == ["One context only"]


def test_csv_with_faults(tmp_path):
    path = written(tmp_path, "c.csv", "question,contexts", 'Q?,"[""broken"', "Q?,a,b", "Q?,fine")
    found = list(read_cases(path))
    assert [isinstance(each, Problem) for each in found] == [True, True, False]
    assert (found[0].line, found[0].field) == (2, "$.retrieved_contexts")
    assert (found[1].line, found[1].expected, found[1].found) == (3, "2 cells, as in the header", "3")


def test_a_cell_of_csv_may_hold_a_whole_document(tmp_path):
    document = "Bonds carry risk. " * 12_000
    (found,) = read_cases(written(tmp_path, "c.csv", "question,contexts", f'"Q?","{document}"'))
    assert found.retrieved_contexts == [document]


def test_faults_of_cases_name_the_line_of_the_file(tmp_path):
    case = '{"id": "a", "question": "Q?", "answer": "A", "contexts": ["C"]}'
    path = written(
        tmp_path, "c.jsonl", "", case, "", case, '{"question": "Q \\ud800", "answer": "A"}', '{"question": 5}'
    )
    result = score(ScoreRequest((path,), tmp_path / "run", suite="rag"))
    told = [json.loads(line) for line in (tmp_path / "run" / "problems.jsonl").read_text("utf-8").splitlines()]
    assert [(each["line"], each["severity"], each["field"]) for each in told] == [
        (4, "error", "$.dialog_id"), (5, "warning", "$"), (6, "error", "$.question"),
    ]  # fmt: skip
    assert (result.summary.input.lines, result.rejected_lines, result.summary.input.warnings) == (4, 2, 1)


def test_csv_that_cannot_be_read(tmp_path):
    path = tmp_path / "c.csv"
    path.write_bytes(b"question\n\xff\n")
    with pytest.raises(DataError, match=r"expected text in UTF-8, .* found byte 0xff at 9"):
        load_cases(path)
    with pytest.raises(DataError, match="cannot be read"):
        load_cases(tmp_path / "none.csv")


def test_parquet(tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")

    path = tmp_path / "cases.parquet"
    parquet.write_table(pa.Table.from_pylist([CASE, {**CASE, "question": "Second?"}]), path)
    assert [case.question for case in load_cases(path)] == ["What is the fee?", "Second?"]
    path.write_bytes(b"no parquet")
    with pytest.raises(DataError, match="cannot be read as Parquet"):
        load_cases(path)


def test_parquet_without_the_library(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'turnmark\[parquet\]'"):
        load_cases(tmp_path / "cases.parquet")


def turn(**fields):
    return TurnTrace(
        turn_pair_id=1,
        user_turn_abs_idx=0,
        gt_assistant_abs_idx=1,
        user_text="What is the fee?",
        gt_assistant_text="",
        gt_turn_tags=None,
        turn_status="ok",
        pred_assistant_text="12 dollars",
        **fields,
    )


def test_a_recorded_turn_is_a_case():
    made = case_of_turn(
        turn(recall=RecallTrace(items=[RecallItem(content="The fee is 12 dollars.")]), ground_truth_contexts=["G."]),
        ("Earlier words.",),
        "en",
    )
    assert made.case.retrieved_contexts == ["The fee is 12 dollars."]
    assert made.case.ground_truth_contexts == ["G."]
    assert made.case.ground_truth_answer is None
    assert made.case.earlier_turns == ["Earlier words."]
    assert made.names["answer"] == "reply"
    assert made.names["retrieved_contexts[0]"] == "recall.items[0].content"


def test_a_turn_without_recall_has_no_contexts():
    assert case_of_turn(turn()).case.retrieved_contexts is None
    assert case_of_turn(turn(recall=RecallTrace(items=[]))).case.retrieved_contexts == []
