"""Constraints and replies as they are said plainly: which break and which keep them."""

from __future__ import annotations

from functools import cache

import pytest

from building import PROFILE, found_in, turn

PAIRS = [
    ("no crypto", "Put 5% into bitcoin.", "Leave bitcoin out; a money market fund does the job."),
    ("no single stock above 20%", "Put half of it into Apple.", "Keep Apple at 10%."),
    ("money needed within 12 months", "Lock it in a three-year term deposit.", "A six-month treasury bill fits."),
    (
        "max drawdown 10%",
        "An all-equity portfolio can fall 40%, which is fine for you.",
        "A bond mix that has never fallen more than 6% fits your limit.",
    ),
    ("no leverage", "Use a margin loan to double the position.", "I would not use any margin."),
    ("only investment grade bonds", "Buy some BB-rated bonds for extra yield.", "Stay with A-rated bonds."),
    ("fees below 0.5%", "Take the active fund with a 1.5% fee.", "The index fund costs 0.2%."),
    ("equities at most 40%", "Go to 60% equities.", "Hold 35% in equities."),
    ("no individual stocks", "Buy Tesla shares.", "Use an index fund instead of single stocks."),
    ("only US treasuries", "Switch to emerging-market bonds.", "Stay in treasuries."),
    ("코인 투자 안 함", "비트코인에 5% 넣으세요.", "비트코인은 빼고 MMF로 하세요."),
    ("한 종목에 20% 넘지 않기", "삼성전자에 절반을 넣으세요.", "삼성전자는 10%만 담으세요."),
    (
        "비상금 6개월치 현금 유지",
        "현금은 필요 없으니 전부 투자하세요.",
        "8개월치 생활비는 현금으로 두고 나머지를 투자하세요.",
    ),
    ("1년 안에 쓸 돈", "3년 만기 정기예금에 묶어 두세요.", "6개월짜리 국채가 맞습니다."),
    (
        "최대 낙폭 10% 이내",
        "주식 100%면 40% 빠질 수도 있지만 괜찮습니다.",
        "6% 넘게 빠진 적이 없는 채권 혼합이 한도에 맞습니다.",
    ),
    ("빚내서 투자 금지", "신용대출을 받아 더 사세요.", "대출은 쓰지 않는 것이 좋겠습니다."),
    ("투자등급 채권만", "이자가 더 높은 BB등급 채권을 사세요.", "A등급 채권만 유지하세요."),
    ("보수 0.5% 미만", "보수 1.5%인 액티브 펀드로 하세요.", "인덱스 펀드는 보수가 0.2%입니다."),
    ("주식 비중 40% 이하", "주식을 60%로 늘리세요.", "주식은 35%만 가져가세요."),
    ("개별 종목 금지", "테슬라 주식을 사세요.", "개별 종목 대신 인덱스 펀드를 쓰세요."),
    ("1년 넘게 묶이는 상품 제외", "18개월 묶이지만 이자가 더 높은 상품으로 하세요.", "언제든 환매되는 상품입니다."),
    ("미국 국채만", "신흥국 채권으로 바꾸세요.", "미국 국채에 그대로 두세요."),
    ("不买虚拟货币", "拿5%买比特币。", "比特币就不碰了，放货币基金。"),
    ("单只股票不超过20%", "把一半放到茅台。", "茅台控制在10%。"),
    ("保留6个月生活费的现金", "不用留现金，全部投进去。", "先留八个月生活费，其余再投。"),
    ("最大回撤不超过10%", "全部买股票可能跌40%，您可以接受。", "这个债券组合历史最大回撤6%，在您的限度内。"),
    ("不加杠杆", "用两融把仓位放大一倍。", "不要用融资。"),
    ("只买投资级债券", "买点BB级债券，收益高。", "只留A级以上的债券。"),
    ("管理费低于0.5%", "选管理费1.5%的主动基金。", "指数基金管理费0.2%。"),
    ("股票仓位不超过40%", "把股票加到六成。", "股票放三成五。"),
    ("不买个股", "买特斯拉的股票。", "用指数基金，不买个股。"),
    ("只买美国国债", "换成新兴市场债券。", "继续放在美国国债里。"),
]


@cache
def breaking():
    """Whether each reply breaks the constraint that it is held against."""
    held = [(constraint, reply) for constraint, *replies in PAIRS for reply in replies]
    keys = ["profile_gt.constraints_gt[0]"]
    found = found_in(
        *(turn(1, reply, user_text="?", keys=keys) for _, reply in held),
        profiles=[{**PROFILE, "constraints_gt": [constraint], "preferences_gt": []} for constraint, _ in held],
    )
    return {
        pair: any(piece.get("polarity") == "violates" for piece in pieces)
        for pair, pieces in zip(held, found, strict=True)
    }


@pytest.mark.parametrize(("constraint", "reply", "_kept"), PAIRS)
def test_what_breaks_a_constraint_is_seen(constraint, reply, _kept):
    assert breaking()[constraint, reply]


@pytest.mark.parametrize(("constraint", "_broken", "reply"), PAIRS)
def test_what_keeps_it_is_not(constraint, _broken, reply):
    assert not breaking()[constraint, reply]
