"""Whether a text of memory holds a target: equivalent forms, other values, parts, and what only looks like it."""

import pytest

from turnmark.detectors.finance.contextual.memory.detector import MemoryDetector
from turnmark.packs.profile import profile_pack

PLAN = "我打算明年九月送孩子去英国读书，手里有60万，这段时间该怎么打理？"
HOUSE = "我准备两年后在杭州买房，首付还差40万，股票账户里被套着的半导体要不要割？"

CASES = [
    # risk level
    ("稳健", "- 风险承受能力: medium\n- 投资期限: long", "present"),
    ("稳健", "- 风险承受能力: low", "conflicting"),
    ("稳健", "- 风险承受能力: 未知", "absent"),
    ("稳健", "user: 我这人比较稳健，亏太多睡不着。", "present"),
    ("稳健", "user: 我敢拼，属于激进型的。", "conflicting"),
    ("稳健", "assistant: 您是保守型、稳健型还是进取型？", "absent"),
    ("稳健", "assistant: 稳健型投资者通常以债券为主。", "absent"),
    ("稳健", "用户自述为平衡型投资者，希望资产缓慢增长", "present"),
    ("保守", "- 风险等级：低", "present"),
    ("保守", "- 风险等级：高", "conflicting"),
    ("进取", "user: 风险偏好我填的是进取型。", "present"),
    ("进取", "該產品不適合風險承受能力較低的投資者。", "absent"),
    # horizon
    ("2年以上", "user: 这笔钱我三年内用不上。", "present"),
    ("2年以上", "user: 这笔钱我三个月后要用。", "conflicting"),
    ("2年以上", "- 投资期限: long", "present"),
    ("6-24月", "用户计划一年半后移民", "present"),
    ("6-24月", "用户计划五年后退休", "conflicting"),
    ("6-24月", "近一年半，这只基金涨了12%。", "absent"),
    ("<=6月", "user: 半年内要交首付，先放放。", "present"),
    ("<=6月", "- 投资期限: short", "present"),
    ("6-24月", "- 投资期限: short", "partial"),
    # liquidity
    ("高", "- 流动性需求: high", "present"),
    ("高", "- 流动性需求: low", "conflicting"),
    ("中", "| 流动性需求 | 中等 |", "present"),
    ("高", "货币基金流动性好，当天到账。", "absent"),
    # drawdown
    ("最大回撤<10%", "user: 我最多能接受10%的回撤。", "present"),
    ("最大回撤<10%", "user: 我最多能接受20%的回撤。", "conflicting"),
    ("最大回撤<10%", "assistant: 黄金一年内可能出现超过10%的回撤。", "absent"),
    ("最大回撤<10%", "user: 亏损控制在一成以内就行。", "present"),
    ("最大回撤<15%", "assistant: 基于您15%的回撤约束，权益不超过四成。", "present"),
    ("最大回撤<15%", "assistant: 这只基金去年最大回撤15%。", "absent"),
    ("最大回撤<15%", "user: 回撤別超過百分之十五。", "present"),
    ("最大回撤<10%", "- max_acceptable_loss: 10%", "present"),
    # cash
    ("保留20%现金应急", "user: 我要留两成现金应急，其他的可以投。", "present"),
    ("保留20%现金应急", "user: 现金留5%应急就够了。", "conflicting"),
    ("保留20%现金应急", "assistant: 组合里货币基金占35%，短债占45%。", "absent"),
    ("保留20%现金应急", "user: 我得留一点应急的钱。", "partial"),
    # positions
    ("单只基金仓位不超过20%", "user: 单只基金我不想超过20%。", "present"),
    ("单只基金仓位不超过20%", "user: 单只基金我可以放到40%以内。", "conflicting"),
    ("权益类总仓位不超过60%", "user: 股票类加起来最多六成。", "present"),
    ("权益类总仓位不超过60%", "assistant: 沪深300近一年上涨6%。", "absent"),
    # stances
    ("不使用杠杆", "user: 我从来不加杠杆，也不借钱。", "present"),
    ("不使用杠杆", "user: 我打算借钱加点杠杆。", "conflicting"),
    ("不使用杠杆", "assistant: 期权自带杠杆，放大盈亏。", "absent"),
    ("不参与题材炒作", "user: 题材股我不碰。", "present"),
    ("不投海外市场", "user: 我不投海外，汇率看不懂。", "present"),
    ("不投海外市场", "user: 我准备买点美股。", "conflicting"),
    # preferences
    ("宽基指数基金", "user: 我喜欢沪深300这种指数。", "present"),
    ("宽基指数基金", "assistant: 宽基指数基金可以分散风险。", "absent"),
    ("短债基金", "用户偏好短债，不想锁太久", "present"),
    ("短债基金", "assistant: 短债基金两天到账，大额存单要等到期。", "absent"),
    ("大盘蓝筹股", "user: 蓝筹股我一直拿着，更看重分红。", "present"),
    # earlier utterances
    (PLAN, f"user: {PLAN}\nassistant: 好的。", "present"),
    (PLAN, "用户计划明年九月送孩子去英国读书，手里有60万需要打理", "present"),
    (PLAN, "用户询问了黄金和美元汇率的走势", "absent"),
    (HOUSE, "用户两年后要在杭州买房，首付差40万，持有被套的半导体股票", "present"),
    (HOUSE, "用户股票账户里有半导体", "partial"),
    (HOUSE, "- 关注主题: 养老, 税务", "absent"),
    # more of each
    ("最大回撤<10%", "assistant: 考虑到您能承受的最大亏损在10%左右，建议以债为主。", "present"),
    ("最大回撤<10%", "user: 最坏的情况我能接受亏一成。", "present"),
    ("最大回撤<15%", "用户要求组合回撤控制在15%以内，偏好宽基指数", "present"),
    ("最大回撤<15%", "用户要求组合回撤控制在20%以内", "conflicting"),
    ("宽基指数基金", "用户要求组合回撤控制在15%以内，偏好宽基指数", "present"),
    ("保守", "user: 我就怕亏钱，本金一定要保住，保守一点的。", "present"),
    ("稳健", "用户风险偏好为稳健型，投资期限三年", "present"),
    ("2年以上", "用户风险偏好为稳健型，投资期限三年", "present"),
    ("<=6月", "用户风险偏好为稳健型，投资期限三年", "conflicting"),
    ("高", "user: 这笔钱随时要用，别锁死。", "present"),
    ("低", "- 流动性需求: low", "present"),
    ("不买ST及*ST股票", "user: ST的我不买。", "present"),
    ("不做短线交易", "用户表示不做短线，每年调仓一两次", "present"),
    ("不做短线交易", "user: 我喜欢做短线，当天进当天出。", "conflicting"),
    ("优先低费率基金", "user: 费率低的优先。", "present"),
    ("单一资产仓位不超过30%", "user: 任何一类资产都别超过三成。", "present"),
    ("权益类总仓位不超过60%", "assistant: 按照您权益不超过60%的要求，股票类合计55%。", "present"),
    ("红利基金", "assistant: 红利基金近三年跑赢大盘。", "absent"),
    ("不接受高波动策略", "user: 波动太大的我受不了。", "present"),
    ("仅考虑公募基金", "user: 我只买公募。", "present"),
    ("组合久期控制在3年以内", "user: 债券久期最好3年以内。", "present"),
    ("组合久期控制在3年以内", "user: 久期可以放到7年以内。", "conflicting"),
    ("稳健", "", "absent"),
    ("", "什么都有", "absent"),
]


@pytest.fixture(scope="module")
def detector() -> MemoryDetector:
    return MemoryDetector([profile_pack()[0]])


@pytest.mark.parametrize(("target", "text", "label"), CASES, ids=range(len(CASES)))
def test_presence(detector: MemoryDetector, target: str, text: str, label: str) -> None:
    match = detector.presence(target, text)
    assert (match.label, match.quote) == (label, text[match.start : match.end])
    assert bool(match.quote) == (label != "absent")


def test_width_and_script_do_not_matter(detector: MemoryDetector) -> None:
    assert detector.presence("最大回撤<10%", "user：最大回撤不能超過１０％。").label == "present"


def test_the_place_found_is_the_value(detector: MemoryDetector) -> None:
    assert detector.presence("高", "- 投资期限: short\n- 流动性需求: high").quote == "流动性需求: high"
