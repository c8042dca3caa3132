"""What a text claims: how many statements, where they stand, and what is no statement."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.judges.claims import split_claims

STATEMENTS = [
    ("首付3.5%，信用分至少580", ["首付3.5%", "信用分至少580"]),
    ("最低首付为3.5%，且政府不允许超过此比例", ["最低首付为3.5%", "且政府不允许超过此比例"]),
    ("如果信用分达到580，首付最低3.5%。否则需要10%。", ["如果信用分达到580，首付最低3.5%。", "否则需要10%。"]),
    ("该产品有很多优点，包括低费率、高流动性。", ["该产品有很多优点，包括低费率、高流动性。"]),
    ("根据最新规定，年费为100元。", ["根据最新规定，年费为100元。"]),
    (
        "A loan needs a down payment of 3.5% and a credit score of at least 580.",
        ["A loan needs a down payment of 3.5%", "and a credit score of at least 580."],
    ),
    (
        "The fee is 5 dollars, and the bank refunds it within a week.",
        ["The fee is 5 dollars", "and the bank refunds it within a week."],
    ),
    ("When the score is below 580, the bank asks for 10%.", ["When the score is below 580, the bank asks for 10%."]),
    ("Adults aged 65 and older take 5 mg daily.", ["Adults aged 65 and older take 5 mg daily."]),
    ("She moved to Boston, Massachusetts.", ["She moved to Boston, Massachusetts."]),
    ("The total is 1,250,000 dollars.", ["The total is 1,250,000 dollars."]),
    ("계약금은 3.5%이고 신용점수는 최소 580점입니다.", ["계약금은 3.5%이고", "신용점수는 최소 580점입니다."]),
    ("계약금 3.5%, 신용점수 580점 이상입니다.", ["계약금 3.5%", "신용점수 580점 이상입니다."]),
    ("낮은 수수료, 빠른 처리 등 장점이 많습니다.", ["낮은 수수료, 빠른 처리 등 장점이 많습니다."]),
]


@pytest.mark.parametrize(("text", "expected"), STATEMENTS, ids=[text[:18] for text, _ in STATEMENTS])
def test_statements(text, expected):
    claims = split_claims(text)
    assert [text[claim.start : claim.end] for claim in claims] == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "您好！",
        "Hello!",
        "安徽的省会是哪里？",
        "What would you like to know?",
        "希望对您有帮助！",
        "I hope this helps.",
        "Have a nice day!",
        "좋은 하루 보내세요!",
        "祝您一切顺利！",
        "궁금한 점이 있으면 언제든지 문의해 주세요.",
        "# 标题",
        "主要要求：",
        "---",
        "!!!",
    ],
)
def test_what_states_nothing(text):
    assert split_claims(text) == []


def test_list_items_are_claims_and_their_heading_is_none():
    text = "The terms:\n- a down payment of 3.5%\n- a score of 580\n\nI hope this helps."
    assert [claim.text for claim in split_claims(text)] == ["a down payment of 3.5%", "a score of 580"]


def test_a_table_cell_is_completed_by_its_headers():
    text = "| 产品 | 费率 |\n|---|---|\n| 甲基金 | 1.5% |\n| 乙基金 | 0.8% |"
    claims = split_claims(text)
    assert [claim.text for claim in claims] == ["甲基金 费率: 1.5%", "乙基金 费率: 0.8%"]
    assert [text[claim.start : claim.end] for claim in claims] == ["1.5%", "0.8%"]


@pytest.mark.parametrize(
    "mark", ["[1]", "[1, 2]", "【3】", "(Source: annual report)", "[citation:2]", "（来源：年报）"]
)
def test_citation_marks_are_left_out(mark):
    claim = split_claims(f"The fee is 5 dollars {mark}.")[0]
    assert claim.text == "The fee is 5 dollars."


def test_markup_is_left_out():
    assert split_claims("The **fee** is `5 dollars`.")[0].text == "The fee is 5 dollars."


@pytest.mark.parametrize(
    ("text", "hedged"),
    [
        ("The fee may be 5 dollars.", True),
        ("The fee is 5 dollars.", False),
        ("费用可能是5元。", True),
        ("费用是5元。", False),
        ("수수료는 아마 5원입니다.", True),
        ("수수료는 5원입니다.", False),
    ],
)
def test_hedges(text, hedged):
    assert [claim.hedged for claim in split_claims(text)] == [hedged]


def test_source_is_kept():
    assert split_claims("The fee is 5.", "ground_truth_answer")[0].source == "ground_truth_answer"


PIECES = st.sampled_from(
    ["费用为5元", "，", "。", "且", " and ", "the bank pays 3%", ", ", ". ", "수수료는 5%이고 ", "한도는 10만원입니다",
     "\n- ", "[1]", "|", "**", "ﬁ", "e\u0301", "\u200b", "5", "？", "包括", "(", ")"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=30).map("".join))
def test_spans_lie_in_the_text_in_order(text):
    claims = split_claims(text)
    position = 0
    for claim in claims:
        assert position <= claim.start < claim.end <= len(text)
        assert claim.text.strip()
        position = claim.end


@given(st.text(max_size=80))
def test_any_text_is_cut(text):
    for claim in split_claims(text):
        assert text[claim.start : claim.end].strip()
