"""Answers that decline to answer, and answers that only sound like it."""

import pytest

from turnmark.judges.abstention import abstaining_sentences, without_abstentions
from turnmark.judges.claims import split_claims

ABSTAINING = [
    "I don't know.",
    "I'm not sure about that.",
    "The provided context does not mention the fee.",
    "There is not enough information to answer this question.",
    "The answer cannot be determined from the documents.",
    "抱歉，无法回答这个问题。",
    "对不起，我不知道。",
    "根据提供的资料，无法确定具体费率。",
    "文档中没有提到最低首付。",
    "上下文未包含相关内容。",
    "알 수 없습니다.",
    "죄송합니다. 해당 정보는 찾을 수 없습니다.",
    "제공된 문서에는 수수료가 언급되어 있지 않습니다.",
    "잘 모르겠습니다.",
]
ANSWERING = [
    "I'm sorry to hear that. The fee is 5 dollars.",
    "You cannot transfer more than 50,000 dollars a day.",
    "No fee is charged.",
    "抱歉给您带来不便，手续费为12元。",
    "该账户没有年费。",
    "不得超过50万元。",
    "환불받을 수 없습니다.",
    "수수료가 없습니다.",
    "하루에 5회 이상 이체할 수 없습니다.",
]


@pytest.mark.parametrize("text", ABSTAINING)
def test_declining(text):
    spans = abstaining_sentences(text)
    assert spans
    assert without_abstentions(split_claims(text), spans) == []


@pytest.mark.parametrize("text", ANSWERING)
def test_answering(text):
    assert abstaining_sentences(text) == []


def test_what_is_said_beside_stays():
    text = "The fee is 5 dollars. The context does not mention the limit."
    spans = abstaining_sentences(text)
    assert [text[start:end] for start, end in spans] == ["The context does not mention the limit."]
    assert [claim.text for claim in without_abstentions(split_claims(text), spans)] == ["The fee is 5 dollars."]
