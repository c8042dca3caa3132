"""Twenty-five files of other shapes through ``turnmark score``: read, or refused by a message that says what to do."""

import csv
import io
import json

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

KO = [["질문", "답변", "문맥", "정답"], ["배송비는?", "2,500원입니다.", "배송비는 3,000원이다.", "3,000원"]]
ZH = [["问题", "回答", "上下文", "参考答案"], ["邮费是多少？", "邮费是25元。", "邮费是30元。", "30元"]]
EN = [["question", "answer", "contexts", "ground_truth"], ["Fee?", "The fee is $25.", "The fee is $30.", "$30"]]
RECORD = dict(zip(EN[0], EN[1], strict=True))
MESSAGES = [
    {"role": "user", "content": "债券基金有风险吗？"},
    {"role": "assistant", "content": "保本保收益，稳赚不赔。"},
]


def table(rows, delimiter=",", encoding="utf-8"):
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter).writerows(rows)
    return file.getvalue().encode(encoding)


def lines(*records):
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def workbook(rows):
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(file)
    return file.getvalue()


def parquet(rows):
    file = pa.BufferOutputStream()
    columns = list(zip(*rows[1:], strict=True))
    pq.write_table(pa.table({name: list(cells) for name, cells in zip(rows[0], columns, strict=True)}), file)
    return file.getvalue().to_pybytes()


READ = [
    ("ko.csv", table(KO)),
    ("ko-cp949.csv", table(KO, encoding="cp949")),
    ("ko-utf16.csv", table(KO, encoding="utf-16")),
    ("ko-bom.csv", table(KO, encoding="utf-8-sig")),
    ("ko-spaces.csv", table([[f" {name} " for name in KO[0]], KO[1]])),
    ("zh-gb18030.csv", table(ZH, encoding="gb18030")),
    ("zh.tsv", table(ZH, "\t")),
    ("semicolons.csv", table(EN, ";")),
    ("book.xlsx", workbook(KO)),
    ("table.parquet", parquet(EN)),
    ("array.json", json.dumps([RECORD]).encode()),
    ("records.jsonl", lines(RECORD)),
    ("ragas.jsonl", lines({"user_input": "Fee?", "response": "$25.", "retrieved_contexts": ["$30."],
                           "reference": "$30"})),
    ("deepeval.jsonl", lines({"input": "Fee?", "actual_output": "$25.", "retrieval_context": ["$30."],
                              "expected_output": "$30"})),
    ("bracket.csv", table([KO[0], ["배송비는?", "2,500원입니다.", "[공지] 배송비는 3,000원이다.", "3,000원"]])),
    ("list.csv", table([EN[0], ["Fee?", "$25.", "['The fee is $30.', 'Open daily.']", "$30"]])),
    ("openai.jsonl", lines({"session_id": "s1", "messages": MESSAGES})),
    ("sharegpt.json", json.dumps([{"id": "s1", "conversations": [
        {"from": "human", "value": "债券基金有风险吗？"}, {"from": "gpt", "value": "保本保收益。"}]}]).encode()),
    ("chat.txt", "고객: 원금이 보장되나요?\n상담사: 네, 원금이 무조건 보장됩니다.\n".encode()),
]  # fmt: skip

REFUSED = [
    ("other.csv", table([["col1", "col2"], ["a", "b"]]), ("col1", "--columns")),
    ("empty.csv", b"", ("empty", )),
    ("head.csv", table(KO[:1]), ()),
    ("picture.csv", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), ()),
    ("broken.jsonl", b'{"question": "Fee?", "answer": \n', ()),
    ("nothing.json", b"[]", ()),
]  # fmt: skip


def test_there_are_twenty_five():
    assert len(READ) + len(REFUSED) == 25


@pytest.mark.parametrize(("name", "content"), READ, ids=[name for name, _ in READ])
def test_a_file_as_it_is_gives_figures_in_one_step(tmp_path, cli, name, content):
    (tmp_path / name).write_bytes(content)
    ran = cli("score", tmp_path / name, "--out", tmp_path / "run", "--lang", "en")
    assert ran.code == 0, ran.err
    assert "warning: " not in ran.out
    assert "by their most severe fault: " in ran.out
    summary = json.loads((tmp_path / "run" / "metrics_summary.json").read_bytes())
    assert any(result["counts"].get("eligible_count") for result in summary["metrics"].values())


@pytest.mark.parametrize(("name", "content", "words"), REFUSED, ids=[name for name, _, _ in REFUSED])
def test_what_cannot_be_read_is_named_in_few_lines_and_says_what_was_expected(tmp_path, cli, name, content, words):
    (tmp_path / name).write_bytes(content)
    ran = cli("score", tmp_path / name, "--out", tmp_path / "run")
    said = ran.out + ran.err
    assert ran.code != 0 or "warning" in said
    assert name in said or "problems.jsonl" in said
    assert "Traceback" not in said
    assert "expected" in said or "warning" in said
    assert len(ran.err.splitlines()) <= 12
    assert all(word in said for word in words), said
