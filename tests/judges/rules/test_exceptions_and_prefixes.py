"""Exceptions say and deny at once, and a prefix denies: neither makes a right answer a contradicted one."""

import pytest

import turnmark

RIGHT = [
    ("Dogs are not allowed in the Lake Hotel. Guide dogs are the only exception.", "No dogs, except guide dogs."),
    ("Dogs are not allowed in the hotel, except guide dogs.", "Guide dogs are allowed."),
    ("회원 외에는 입장할 수 없다.", "회원은 입장할 수 있습니다."),
    ("The deposit is non-refundable.", "The deposit cannot be refunded."),
    ("The material is non-toxic.", "The material is not toxic."),
    ("예약금은 환불되지 않는다.", "예약금은 환불이 불가합니다."),
]
WRONG = [
    ("The deposit is non-refundable.", "The deposit is refundable."),
    ("The material is non-toxic.", "The material is toxic."),
    ("예약금은 환불이 불가합니다.", "예약금은 환불됩니다."),
    ("Dogs are not allowed in the hotel.", "Dogs are allowed in the hotel."),
]


def verdict(context: str, answer: str) -> set[str]:
    case = {"id": "1", "question": "?", "answer": answer, "retrieved_contexts": [context]}
    return {piece["polarity"] for piece in turnmark.score([case], suite="rag").evidence
            if piece["metric"] == "faithfulness" and piece["rule"].startswith("judge.")}  # fmt: skip


@pytest.mark.parametrize(("context", "answer"), RIGHT)
def test_a_right_answer_is_not_contradicted(context, answer):
    assert verdict(context, answer).isdisjoint({"contradicted"})


@pytest.mark.parametrize(("context", "answer"), WRONG)
def test_a_wrong_answer_is_contradicted(context, answer):
    assert verdict(context, answer) == {"contradicted"}
