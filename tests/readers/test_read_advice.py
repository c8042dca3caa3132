"""Tables and records of advice: columns of limits in three languages, rows of one dialogue, what is no limit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from turnmark.readers.advice import ADVICE, limits_in, names_limits
from turnmark.readers.chats import chat_records
from turnmark.readers.registry import recognised
from turnmark.schemas.problems import Problem
from turnmark.suites.file_kinds import suite_of
from turnmark.suites.rag.read_cases import numbered_cases


@pytest.mark.parametrize(
    "name",
    ["constraints", "Constraints", "limits", "customer limits", "Customer's limits", "client_constraints", "limit 2",
     "约束", "客户约束", "约束条件", "用户的限制", "제약", "고객 한도", "제약 조건", "투자 제한"],
)  # fmt: skip
def test_a_header_names_limits(name: str) -> None:
    assert names_limits(name)


@pytest.mark.parametrize(
    "name", ["question", "limitations", "rate limit", "答案", "제약회사", "限制级", "customer", "user"]
)
def test_another_header_names_none(name: str) -> None:
    assert not names_limits(name)


@pytest.mark.parametrize(
    ("value", "limits"),
    [
        ("no leverage; keep 20 % in cash", ["no leverage", "keep 20 % in cash"]),
        ("不使用杠杆；最大回撤<10%", ["不使用杠杆", "最大回撤<10%"]),
        ("- 레버리지 제외\n- 현금 20% 유지", ["레버리지 제외", "현금 20% 유지"]),
        ('["no leverage", "at most 10 % loss"]', ["no leverage", "at most 10 % loss"]),
        (["no leverage"], ["no leverage"]),
        ({"constraints_gt": ["no leverage"]}, ["no leverage"]),
        ("No crypto. No more than 30% in stocks.", ["No crypto.", "No more than 30% in stocks."]),
        ("No more than 7.5% in gold. No leverage", ["No more than 7.5% in gold.", "No leverage"]),
        ("Only large caps, e.g. S&P 500 members. Max. 30% in stocks.",
         ["Only large caps, e.g. S&P 500 members.", "Max. 30% in stocks."]),
        ("No crypto. Except bitcoin up to 5%.", ["No crypto. Except bitcoin up to 5%."]),
        ("不买股票。不用杠杆。", ["不买股票。", "不用杠杆。"]),
        ("不买股票。除非是指数基金。", ["不买股票。除非是指数基金。"]),
        ("코인 금지. 주식은 30% 이하.", ["코인 금지.", "주식은 30% 이하."]),
        ("1. No crypto. No leverage.\n2. No funds", ["No crypto.", "No leverage.", "No funds"]),
        ("No crypto, no leverage", ["No crypto, no leverage"]),
        ("100", []),
        (3, []),
        ({"no leverage": "violates"}, []),
        (None, []),
    ],
)  # fmt: skip
def test_limits_of_a_cell(value: object, limits: list[str]) -> None:
    assert limits_in(value) == limits


def _dialogues(path: Path) -> list[dict[str, object]]:
    return [record for _, record in ADVICE.read(path) if not isinstance(record, Problem)]


@pytest.mark.parametrize(
    ("header", "row", "limits"),
    [
        ("question,answer,constraints", "Q,A,no leverage; no crypto", ["no leverage", "no crypto"]),
        ("用户,回复,约束", "问,答,不使用杠杆；最大回撤<10%", ["不使用杠杆", "最大回撤<10%"]),
        ("고객,답변,제약", "질문,답,레버리지 제외", ["레버리지 제외"]),
        ("user,reply,customer limits", "Q,A,no leverage", ["no leverage"]),
    ],
)
def test_a_table_with_limits_is_of_dialogues_of_an_adviser(
    tmp_path: Path, header: str, row: str, limits: list[str]
) -> None:
    path = tmp_path / "table.csv"
    path.write_text(f"{header}\n{row}\n", encoding="utf-8")
    assert (recognised(path), suite_of(path)) == ("advice", "finance")
    (dialogue,) = _dialogues(path)
    assert dialogue["profile_gt"] == {"constraints_gt": limits}
    told = [record for _, record in ADVICE.read(path) if isinstance(record, Problem)]
    assert [(problem.expected, problem.severity) for problem in told] == [("read as limits of the user", "notice")]


def test_rows_of_one_dialogue_are_its_turns(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(
        "session_id,question,answer,constraints\na,Q1,A1,no leverage\na,Q2,A2,no crypto\nb,Q3,A3,\n", encoding="utf-8"
    )
    first, second = _dialogues(path)
    assert [turn["user_text"] for turn in first["turns"]] == ["Q1", "Q2"]  # type: ignore[attr-defined]
    assert first["profile_gt"] == {"constraints_gt": ["no leverage", "no crypto"]}
    assert "profile_gt" not in second


def test_records_are_read_like_rows(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(json.dumps({"user": "더?", "reply": "예", "제약": ["레버리지 제외"]}) + "\n", encoding="utf-8")
    assert suite_of(path) == "finance"
    assert _dialogues(path)[0]["profile_gt"] == {"constraints_gt": ["레버리지 제외"]}


def test_what_was_retrieved_makes_a_case_and_the_limits_are_told_as_unchecked(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("question,answer,contexts,limits\nQ,A,C,no leverage\n", encoding="utf-8")
    assert suite_of(path) == "rag"
    warnings = [read for _, read in numbered_cases(path) if isinstance(read, Problem)]
    assert [(warning.severity, "--suite finance --from advice" in warning.advice) for warning in warnings] == [
        ("warning", True)
    ]


def test_verdicts_by_limit_are_no_limits(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    record = {"id": "1", "user_text": "Q", "reply": "A", "constraints": {"no leverage": "violates"}}
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert recognised(path) is None


def test_a_chat_log_may_hold_limits_beside_its_messages(tmp_path: Path) -> None:
    path = tmp_path / "chats.jsonl"
    messages = [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "A"}]
    path.write_text(json.dumps({"messages": messages, "limits": "no leverage; no crypto"}) + "\n", encoding="utf-8")
    ((_, dialogue),) = chat_records(path)
    assert not isinstance(dialogue, Problem)
    assert dialogue["profile_gt"] == {"constraints_gt": ["no leverage", "no crypto"]}
