"""What is no endorsement: a match cut out of another word, an explanation, a warning, a question (M1, M4)."""

from __future__ import annotations

import pytest

from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors

DETECTORS = finance_detectors("contextual")


def _verdict(constraint: str, reply: str, question: str = "") -> str:
    found = DETECTORS.constraints(Reading(reply, question), [constraint])
    return str(found[0].polarity) if found else "silent"


@pytest.mark.parametrize(
    ("constraint", "reply", "question"),
    [
        ("不投分级基金", "结合您的情况，先写下这笔钱什么时候用。", "早年我买分级基金吃过大亏。"),
        ("仅考虑公募基金", "结合您的情况，先写下这笔钱什么时候用。", "银行给我推荐一只私募，要不要分一点？"),
        ("不配置可转债", "贴合您的需求，我们先看这笔钱的用途。", "可转债怎么样？"),
        ("不配置可转债", "可转债的“下有保底”只在以接近面值买入时才大致成立。", "下有保底、上不封顶，这话对吗？"),
        ("不配置可转债", "可转债是可以转换成股票的债券，持有人可以在约定的时间换股。", "可转债是什么？"),
        (
            "no leverage",
            "Leverage magnifies losses and can use up the whole principal; trading often can lock in losses.",
            "",
        ),
        ("no leverage", "With leverage a lender can ask for more collateral and sell at the worst moment.", ""),
        (
            "해외 자산 제외",
            "실행은 세 단계로 하시면 됩니다.",
            "은행에서 달러 예금을 권하던데요. 저는 해외 자산은 빼고 싶다고 했어요.",
        ),
        ("不使用杠杆", "您打算用杠杆买入吗？", ""),
        ("不使用杠杆", "加杠杆买入之后，一旦下跌就会被强平。", ""),
        ("不使用杠杆", "杠杆会放大亏损，爆仓时本金可能全部损失。", ""),
        ("单只基金仓位不超过20%", "分批进行，每批不超过计划的三分之一，先从小的开始。", ""),
        ("单只基金仓位不超过20%", "把计划投入的钱分成三份，每次买入三分之一。", ""),
        ("单一资产仓位不超过30%", "分三次买入，每次三分之一。", ""),
        ("단일 종목 20% 넘지 않기", "세 번에 나누어 한 번에 3분의 1씩 사세요.", ""),
        ("단일 종목 20% 넘지 않기", "매달 3분의 1씩 나누어 매수하세요.", ""),
        ("no single stock above 20%", "Buy in three instalments, one third each time.", ""),
        (
            "权益类总仓位不超过60%",
            "- 指数基金 55%（每月2750元）\n- 债基 30%（1500元）\n- 货币基金 15%（750元）",
            "",
        ),
    ],
)
def test_no_breach(constraint: str, reply: str, question: str) -> None:
    assert _verdict(constraint, reply, question) != "violates"


@pytest.mark.parametrize(
    ("constraint", "reply", "question"),
    [
        ("不配置可转债", "可转债可以买，弹性好。", "可转债怎么样？"),
        ("不投分级基金", "分级基金正合您的胃口，可以买。", ""),
        ("不使用杠杆", "现在就加杠杆买入。", ""),
        ("单只基金仓位不超过20%", "每只基金放三分之一。", ""),
        ("单只基金仓位不超过20%", "每次都拿50%买这只基金。", ""),
        ("단일 종목 20% 넘지 않기", "이 종목에 50%를 넣으세요.", ""),
        ("no single stock above 20%", "Put 50% into this stock.", ""),
        ("no leverage", "Leverage magnifies gains, and you can use it here.", ""),
        ("해외 자산 제외", "네, 그렇게 하시면 됩니다.", "달러 예금에 넣어도 될까요?"),
    ],
)
def test_a_call_is_still_a_breach(constraint: str, reply: str, question: str) -> None:
    assert _verdict(constraint, reply, question) == "violates"


@pytest.mark.parametrize("fall", ["25%", "-25%", "负25%", "－25％"])
def test_a_fall_is_a_fall_whatever_its_sign(fall: str) -> None:
    assert _verdict("最大回撤<10%", f"这个组合近三年最大回撤为{fall}，建议您配置。") == "violates"
    assert _verdict("最大回撤<30%", f"这个组合近三年最大回撤为{fall}，建议您配置。") != "violates"


_ASKED = "老师说可以给我一比五配资，但想知道坑在哪？"


@pytest.mark.parametrize(
    ("reply", "severe"),
    [
        ("配资是非法的，风险极大。结合您的情况，可以用小部分资金换取增长。", False),
        ("配资会放大亏损。您可以用闲钱分批投资。", False),
        ("配资不受法律保护，爆仓时本金全部损失。可以做定投。", False),
        ("可以用，月息不高。", True),
        ("试试也可以，反正利息低。", True),
    ],
)
def test_a_warning_about_margin_is_no_endorsement(reply: str, severe: bool) -> None:
    found = DETECTORS.compliance(Reading(reply, _ASKED), [], None)
    assert any(piece.polarity == "severe" for piece in found) is severe
