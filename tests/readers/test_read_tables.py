"""Tables as users have them: every encoding, delimiter and kind of workbook gives the same rows."""

import csv
import io

import openpyxl
import pytest

from turnmark.errors import DataError, UsageError
from turnmark.readers.tables import read_table
from turnmark.schemas.problems import Problem
from turnmark.suites.rag.field_names import FieldNames, is_known
from turnmark.suites.rag.read_cases import read_cases

KO = (
    ("질문", "답변", "문맥", "정답"),
    ("환불은 며칠 안에 되나요?", "7일 안에 됩니다.", "구매 후 7일 이내에 환불됩니다.", "7일"),
    ("수수료는?", "2,000원입니다.", "[공지] 수수료는 3,000원이다.", "3,000원"),
)
ZH = (
    ("问题", "回答", "上下文", "参考答案"),
    ("退款期限？", "7天内。", "自购买之日起七日内可退款。", "七日内"),
)
EN = (("Question", "Model Answer", "Context", "Reference answer"), ("Fee?", "2 dollars.", "The fee is 2 dollars.", "2"))


def text_of(rows, delimiter=","):
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter).writerows(rows)
    return file.getvalue()


def told(path):
    return [
        (case.question, case.answer, case.retrieved_contexts, case.ground_truth_answer) for case in read_cases(path)
    ]


def expected(rows):
    return [(question, answer, [context], reference) for question, answer, context, reference in rows[1:]]


TRADITIONAL = (
    ("問題", "回答", "資料", "參考答案"),
    ("退款期限？", "七天內。", "自購買之日起七日內可退款。", "七日內"),
)


@pytest.mark.parametrize(
    ("rows", "encoding"),
    [
        (KO, "utf-8"), (KO, "utf-8-sig"), (KO, "cp949"), (KO, "utf-16"), (ZH, "gb18030"), (ZH, "utf-8"),
        (EN, "cp1252"), (TRADITIONAL, "big5"),
    ],
)  # fmt: skip
def test_headers_of_three_languages_in_any_encoding(tmp_path, rows, encoding):
    (tmp_path / "c.csv").write_bytes(text_of(rows).encode(encoding))
    assert told(tmp_path / "c.csv") == expected(rows)


@pytest.mark.parametrize(("delimiter", "suffix"), [("\t", ".tsv"), ("\t", ".csv"), (";", ".csv"), ("|", ".csv")])
def test_delimiters_are_told_by_the_header(tmp_path, delimiter, suffix):
    (tmp_path / f"c{suffix}").write_text(text_of(KO, delimiter), "utf-8")
    assert told(tmp_path / f"c{suffix}") == expected(KO)


def test_a_spreadsheet(tmp_path):
    book = openpyxl.Workbook()
    book.create_sheet("empty", 0)
    for row in (
        ("문의 내용", " 답변 ", "문맥 1", "문맥 2", "번호"),
        ("수수료는?", "2%", "수수료 2%", "상담 무료", 7),
        (None, None),
    ):
        book["Sheet"].append(row)
    book.save(tmp_path / "c.xlsx")
    (case,) = read_cases(tmp_path / "c.xlsx")
    assert (case.id, case.question, case.answer, case.retrieved_contexts) == (
        "7",
        "수수료는?",
        "2%",
        ["수수료 2%", "상담 무료"],
    )
    (tmp_path / "d.xlsx").write_bytes(b"no workbook")
    with pytest.raises(DataError, match=r"expected a spreadsheet.*save it as .xlsx or .csv"):
        list(read_cases(tmp_path / "d.xlsx"))


def test_several_contexts_in_one_cell(tmp_path):
    cell = "수수료는 2%이다.\n---\n[공지] 상담은 무료이다."
    (tmp_path / "c.csv").write_text(text_of([("질문", "문맥"), ("수수료는?", cell)]), "utf-8")
    assert [case.retrieved_contexts for case in read_cases(tmp_path / "c.csv")] == [
        ["수수료는 2%이다.", "[공지] 상담은 무료이다."]
    ]


def test_columns_that_names_do_not_tell(tmp_path):
    path = tmp_path / "c.csv"
    path.write_text(text_of([("손님 질문 원문", "봇이 한 말"), ("수수료는?", "2%")]), "utf-8")
    with pytest.raises(DataError) as caught:
        list(read_cases(path))
    assert str(caught.value) == (
        f"{path}: expected a column with the question, found '손님 질문 원문', '봇이 한 말'; "
        "name columns with --columns question=NAME,…; the nearest: --columns question=손님 질문 원문"
    )
    (case,) = read_cases(path, {"question": "손님 질문 원문", "answer": "봇이 한 말"})
    assert (case.question, case.answer) == ("수수료는?", "2%")
    with pytest.raises(UsageError, match="expected one of the columns '손님 질문 원문', '봇이 한 말', found 'x'"):
        list(read_cases(path, {"question": "x"}))
    with pytest.raises(UsageError, match=r"expected fields of a case .*found 'colour'"):
        list(read_cases(path, {"colour": "봇이 한 말"}))


@pytest.mark.parametrize(
    ("names", "fields"),
    [
        (("问题", "答案"), ("question", "answer")),
        (("问题", "回答", "答案"), ("question", "answer", "ground_truth_answer")),
        (("question", "answer", "context"), ("question", "answer", "retrieved_contexts")),
        (
            ("question", "answer", "contexts", "context"),
            ("question", "answer", "retrieved_contexts", "ground_truth_contexts"),
        ),
        (("question", "context", "answers"), ("question", "ground_truth_contexts", "answer")),
        (
            ("inputs.question", "outputs.answer", "reference_outputs.answer"),
            ("question", "answer", "ground_truth_answer"),
        ),
        (("Ground Truth", "USER_INPUT", "Response"), ("ground_truth_answer", "question", "answer")),
    ],
)  # fmt: skip
def test_what_names_mean(names, fields):
    told_names = FieldNames(names)
    assert tuple(told_names.field(name) for name in names) == fields


def test_a_row_with_a_cell_too_many_is_named_and_the_rest_goes_on(tmp_path):
    (tmp_path / "c.csv").write_text("question,answer\nQ?,a,b\n\nQ2?,a\n", "utf-8")
    problem, row = read_table(tmp_path / "c.csv", is_known).rows
    assert isinstance(problem, Problem)
    assert (problem.line, problem.found, row.cells) == (2, "3", {"question": "Q2?", "answer": "a"})


@pytest.mark.parametrize(
    ("text", "line", "rows"),
    [
        ('question,answer\n"what is, the fee?,5\na,b\n', 2, 0),
        ('question,answer\na,b\nd,"e\n', 3, 1),
        ('question,answer\n"what\nis it?","5\n\n6"\na,b\n', None, 2),
    ],
)
def test_a_quote_that_stays_open_is_named_and_no_cell(tmp_path, text, line, rows):
    path = tmp_path / "cases.csv"
    path.write_text(text, "utf-8")
    found = list(read_table(path, {"question", "answer"}.__contains__).rows)
    problems = [each for each in found if isinstance(each, Problem)]
    assert len(found) - len(problems) == rows
    assert [problem.line for problem in problems] == ([] if line is None else [line])
    assert all(problem.expected == "a quote that closes the cell it opens" for problem in problems)
