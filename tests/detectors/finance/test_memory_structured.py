"""Memory that stands as a record (name: values), a list or a dict, or word for word, in zh, ko and en."""

import pytest

from turnmark.detectors.finance.contextual.memory.detector import MemoryDetector
from turnmark.detectors.finance.contextual.profile.detector import LANGUAGES
from turnmark.packs.profile import profile_pack

ZH = (
    "风险等级: 稳健；投资期限: 6-24月；流动性需求: 中；"
    "约束: 最大回撤<12%、不使用杠杆、仅考虑公募基金；偏好: 国债、短债基金"
)
LIST = (
    "- 风险承受能力: low\n- 流动性需求: high\n- 约束: 单一资产仓位不超过25%, 不追高\n"
    "- 关注主题: 宏观经济, 高股息股票, 债券基金\n- 回避资产: 期权, 杠杆产品"
)
KO = (
    "위험 성향: 안정형(保守); 투자 기간: 6개월 이내(<=6月); 유동성 필요: 높음(高); "
    "제약: 최대 낙폭 8% 이내, 해외 자산 제외; 선호: 정기예금, 국내 지수 ETF"
)
EN = (
    "risk level: aggressive (进取); horizon: over 2 years (2年以上); liquidity need: low (低); "
    "constraints: no leverage, maximum drawdown under 25%; preferences: growth stocks, broad index funds"
)
JSON = (
    '{"risk_level": "medium", "investment_horizon": "long", '
    '"constraints": ["最大回撤<10%", "不做短线交易"], "preferences": ["黄金"]}'
)
BELOW = "用户画像\n风险偏好：进取\n约束：\n- 不投海外市场\n- 保留10%现金应急\n偏好：\n- 宽基指数基金"

CASES = [
    # one line of fields, Chinese
    ("稳健", ZH, "present"),
    ("进取", ZH, "conflicting"),
    ("6-24月", ZH, "present"),
    ("2年以上", ZH, "conflicting"),
    ("中", ZH, "present"),
    ("高", ZH, "conflicting"),
    ("最大回撤<12%", ZH, "present"),
    ("最大回撤<10%", ZH, "conflicting"),
    ("不使用杠杆", ZH, "present"),
    ("仅考虑公募基金", ZH, "present"),
    ("不投海外市场", ZH, "absent"),
    ("国债", ZH, "present"),
    ("短债基金", ZH, "present"),
    ("黄金", ZH, "absent"),
    ("低", "风险等级: 保守；流动性需求: 低", "present"),
    ("高", "风险等级: 高；投资期限: 2年以上", "absent"),
    ("2年以上", "風險等級：穩健；投資期限：2年以上", "present"),
    # a list of lines
    ("保守", LIST, "present"),
    ("稳健", LIST, "conflicting"),
    ("高", LIST, "present"),
    ("单一资产仓位不超过25%", LIST, "present"),
    ("单一资产仓位不超过30%", LIST, "conflicting"),
    ("不追高", LIST, "present"),
    ("不使用杠杆", LIST, "present"),
    ("高股息股票", LIST, "present"),
    ("短债基金", LIST, "partial"),
    ("期权", LIST, "conflicting"),
    ("国债", LIST, "absent"),
    # a dict, and a list below its name
    ("稳健", JSON, "present"),
    ("2年以上", JSON, "present"),
    ("6-24月", JSON, "partial"),
    ("最大回撤<10%", JSON, "present"),
    ("最大回撤<15%", JSON, "conflicting"),
    ("不做短线交易", JSON, "present"),
    ("黄金", JSON, "present"),
    ("进取", BELOW, "present"),
    ("不投海外市场", BELOW, "present"),
    ("保留20%现金应急", BELOW, "conflicting"),
    ("宽基指数基金", BELOW, "present"),
    # Korean
    ("保守", KO, "present"),
    ("稳健", KO, "conflicting"),
    ("<=6月", KO, "present"),
    ("2年以上", KO, "conflicting"),
    ("高", KO, "present"),
    ("최대 낙폭 8% 이내", KO, "present"),
    ("최대 낙폭 15% 이내", KO, "conflicting"),
    ("해외 자산 제외", KO, "present"),
    ("레버리지 상품 제외", KO, "absent"),
    ("정기예금", KO, "present"),
    ("국내 지수 ETF", KO, "present"),
    ("반도체 ETF", KO, "absent"),
    ("최대 낙폭 10% 이내", "사용자: 제 원칙은 최대 낙폭 10% 이내예요. 그 이상은 못 견뎌요.", "present"),
    ("신용거래 사용 안 함", "user: 신용거래 사용 안 함, 이건 꼭 지켜 주세요.", "present"),
    ("대형 성장주", "사용자: 대형 성장주도 좋아하는 편이에요.", "present"),
    ("정기예금", "assistant: 정기예금은 예금자보호가 됩니다.", "absent"),
    ("保守", "사용자: 저는 안정형이라 원금이 제일 중요해요.", "present"),
    # English
    ("进取", EN, "present"),
    ("保守", EN, "conflicting"),
    ("2年以上", EN, "present"),
    ("<=6月", EN, "conflicting"),
    ("低", EN, "present"),
    ("No leverage", EN, "present"),
    ("maximum drawdown under 25%", EN, "present"),
    ("maximum drawdown under 10%", EN, "conflicting"),
    ("growth stocks", EN, "present"),
    ("broad index funds", EN, "present"),
    ("bond ladders", EN, "absent"),
    ("no margin loans", "user: My rule is simple: no margin loans, ever.", "present"),
    ("keep 20% in cash", "user: I want to keep 20% in cash whatever happens.", "present"),
    ("keep 20% in cash", "user: I only need 5% in cash, that is enough.", "conflicting"),
    ("no day trading", "assistant: You told me no day trading, so this stays out.", "present"),
    ("growth stocks", "assistant: Growth stocks fell last year.", "absent"),
    ("growth stocks", "user: I like growth stocks best.", "present"),
    ("稳健", "user: I'd call myself a balanced investor.", "present"),
    # conflicts and refusals in talk
    ("不配置可转债", "user: 我只是想搞懂它，自己并不打算买，可转债不进我的组合。", "present"),
    ("仅考虑公募基金", "user: 公募基金到底是怎么回事？我只打算碰公募，私募看不懂。", "present"),
    ("保守", "用户: 红利基金和短债基金，看宣传都写着“稳健”，有什么不一样？", "absent"),
    ("no leverage", "user: I'm thinking of using some leverage this time.", "conflicting"),
    ("레버리지 상품 제외", "사용자: 레버리지 상품은 빼 주세요.", "present"),
    ("稳健", "assistant: Your risk tolerance is moderate, so bonds come first.", "present"),
    ("6-24月", "assistant: 고객님 투자 기간: 1년 반 정도로 보고 있습니다.", "present"),
    # word for word in talk
    ("不接受高波动策略", "user: 我的要求是不接受高波动策略。", "present"),
    ("回避高估值成长股", "assistant: 您说过要回避高估值成长股，这只就不看了。", "present"),
    ("组合久期控制在3年以内", "user: 组合久期控制在3年以内吧。", "present"),
    ("稳健", "assistant: 这家公司经营稳健，分红也高。", "absent"),
    ("高", "assistant: 波动高，短期难说。", "absent"),
    ("中", "assistant: 其中债券占四成。", "absent"),
    ("优先低费率基金", "assistant: 一般投资者可以优先低费率基金。", "absent"),
    ("稳健", "assistant: 方向B 适合：风险偏好保守，重视本金安全", "absent"),
    ("最大回撤<15%", "user: 它波动那么大，会不会触发单一资产仓位不超过30%的限制？", "absent"),
    ("高", "user: 有点闲钱，又怕急用钱的时候取不出来。", "present"),
    ("稳健", "assistant: 风险等级：保守/稳健/进取，您是哪一种？", "absent"),
]


@pytest.fixture(scope="module")
def detector() -> MemoryDetector:
    return MemoryDetector([profile_pack(language)[0] for language in LANGUAGES])


@pytest.mark.parametrize(("target", "text", "label"), CASES)
def test_presence(detector: MemoryDetector, target: str, text: str, label: str) -> None:
    match = detector.presence(target, text)
    assert match.label == label
    assert text[match.start : match.end] == match.quote
    assert bool(match.quote) == (label != "absent")
