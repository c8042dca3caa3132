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
        "궁금한 점이 있으면 언제든지 문의해 주세요.",
        "# 标题",
        "主要要求：",
        "---",
        "!!!",
    ],
)
def test_what_states_nothing(text):
    assert split_claims(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "좋은 하루 보내세요!",
        "즐거운 주말 되시길 바랍니다.",
        "도움이 되셨으면 좋겠습니다.",
        "안녕하세요, 고객님.",
        "제가 자세히 설명해 드리겠습니다.",
        "더 궁금하신 점 있으시면 말씀해 주세요.",
        "Have a nice day!",
        "Enjoy your trip!",
        "I'm happy to help with that.",
        "Thank you for your patience.",
        "Kind regards",
        "希望以上内容对您有所帮助。",
        "感谢您的咨询！",
        "我来为您解答。",
        "如果还有疑问，请联系我们。",
        "祝旅途愉快～",
    ],
)
def test_a_courtesy_is_no_claim(text):
    assert split_claims(text) == []
    assert len(split_claims(f"{text} The fee is 5 dollars.")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Have a nice day at the spa costs 50 dollars.",
        "Good luck charms are sold in the shop.",
        "Welcome bonuses are paid in March.",
        "感谢信将在三天内寄出。",
        "希望小学建于1990年。",
        "感谢您的支持，手续费全免。",
        "좋은 하루 카페는 9시에 엽니다.",
        "좋은 하루 보내세요라는 문구가 있습니다.",
    ],
)
def test_what_only_opens_like_a_courtesy_is_a_claim(text):
    assert split_claims(text)


def test_commas_in_brackets_part_nothing():
    text = "费用为5元(含税，不含运费，不退)，并在3天内到账。"
    assert [claim.text for claim in split_claims(text)] == ["费用为5元(含税，不含运费，不退)", "并在3天内到账。"]


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
