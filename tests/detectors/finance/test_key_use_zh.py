"""Whether a reply uses what a required key stands for, in minimal pairs: the first reply uses it, the second not."""

import pytest

from turnmark.detectors.finance.contextual.memory.key_use import KeyUseDetector
from turnmark.detectors.finance.protocol import Reading
from turnmark.packs.profile import profile_pack
from turnmark.schemas.turn_eval import ResolvedKey

TRIP = "我打算明年九月送孩子去英国读书，手里有60万，这段时间该怎么打理？"
STOCK = "像宁德时代这样的电池龙头，海外建厂会不会拖累利润？"

PAIRS = [
    ("稳健", "您是稳健型，权益放两成就够。", "您是稳健型还是进取型？说说看。"),
    ("稳健", "考虑到您稳健的风险偏好，这只先不看。", "这家公司经营稳健，分红也稳健。"),
    ("保守", "按您保守的风格，存单和国债为主。", "保守估计，今年能涨5%。"),
    ("进取", "您的风险承受能力较高，可以多配些成长。", "进取型的产品波动都大。"),
    ("2年以上", "这笔钱您三年内用不上，可以等得起。", "过去三年，它年化6%。"),
    ("6-24月", "您一年半后要用钱，久期别拉长。", "年报显示，一年半以来营收下滑。"),
    ("<=6月", "您四个月后就要用，放货基吧。", "近四个月，金价涨了8%。"),
    ("高", "您的流动性需求高，存单就少放点。", "股票波动大，短期难说。"),
    ("最大回撤<10%", "这个配法历史回撤8%，没过您10%的回撤线。", "这只基金去年收益10%。"),
    ("最大回撤<10%", "黄金可能有10%以上的回撤，超了您的线。", "黄金可能有25%的回撤。"),
    ("最大回撤<15%", "把回撤控制在百分之十五以内。", "股价离高点还有15%。"),
    ("保留20%现金应急", "先留出应急的钱，再谈投资。", "先看估值，再谈投资。"),
    ("保留20%现金应急", "备用金别动，剩下的分批买。", "别急着动，分批买。"),
    ("单只基金仓位不超过20%", "单只最多20%，这只到顶了。", "它去年涨了20%。"),
    ("权益类总仓位不超过60%", "权益类合计不超过六成。", "利率降了60个基点。"),
    ("不使用杠杆", "不要加杠杆，慢慢来。", "杠杆率指的是资产除以净资产。"),
    ("不使用融资融券", "两融就别开了。", "两融余额昨天创了新高。"),
    ("不做短线交易", "您不做短线，这几天的涨跌不用看。", "短线资金昨天流出。"),
    ("不追高", "连涨三周，别追高。", "股价创了新高。"),
    ("不投海外市场", "海外的就不看了，您不投境外。", "海外订单占营收四成。"),
    ("优先低费率基金", "挑费率低的那只，一年省0.5%。", "挑规模大的那只。"),
    ("宽基指数基金", "沪深300拿四成打底。", "债基拿四成打底。"),
    ("高等级信用债", "优先AAA信用债。", "优先活期。"),
    ("短债基金", "短债放四成，两天到账。", "活期放四成，当天到账。"),
    ("国债", "利率债打底，信用风险小。", "信托打底，收益高。"),
    ("大盘蓝筹股", "蓝筹股拿着收息。", "小票拿着等反弹。"),
    ("红利基金", "红利低波占三成。", "黄金占一成。"),
    (TRIP, "送孩子去英国读书的60万，明年九月前要分批换汇。", "黄金最近波动不小，可以等等。"),
    (STOCK, "宁德时代海外建厂，前两年折旧会拖累利润。", "央行降准，资金面宽松。"),
    ("最大回撤绝对不能超过15%，这是我的底线，怎么控制风险？", "为守住15%的回撤，权益不超过四成。", "风险要慢慢管。"),
]

SINGLE = [
    ("稳健", "鉴于您属于稳健型投资者，建议股三债七。", True),
    ("稳健", "稳健型、平衡型、进取型的区别在于权益占比。", False),
    ("2年以上", "您打算长期持有三五年，可以忽略短期波动。", True),
    ("2年以上", "两三年前，行业还在高点。", False),
    ("6-24月", "您的资金一年后要用，封闭期超过一年的不选。", True),
    ("高", "您对流动性要求较高，留足货基。", True),
    ("最大回撤<15%", "极端行情下，这个组合也可能突破15%的回撤约束。", True),
    ("最大回撤<15%", "该基金2022年回撤31%。", False),
    ("权益类总仓位不超过60%", "股票和偏股基金加起来55%，没超过您60%的上限。", True),
    ("单一资产仓位不超过30%", "单只股票不要超过总仓位的30%。", True),
    ("单一资产仓位不超过30%", "营收增长30%。", False),
    ("不使用杠杆", "既然您不加杠杆，就用自有资金分批买。", True),
    ("不使用杠杆", "银行业杠杆率普遍较高。", False),
    ("不参与题材炒作", "避免追逐题材热点。", True),
    ("不参与题材炒作", "AI板块昨天大涨。", False),
    ("优先低费率基金", "优先选择管理费较低的指数基金。", True),
    ("高股息股票", "可以看看高股息板块。", True),
    ("行业主题基金", "主题基金占比控制在一成。", True),
    ("不买单一小盘股", "不建议重仓单一小盘股。", True),
    ("不接受高波动策略", "这类策略波动大，和您不接受高波动的要求不符。", True),
    ("保留20%现金应急", "建议预留20%的现金作为紧急备用。", True),
]


@pytest.fixture(scope="module")
def detector() -> KeyUseDetector:
    return KeyUseDetector([profile_pack()[0]])


def used(detector: KeyUseDetector, target: str | None, reply: str, user: str = "") -> list[str]:
    key = ResolvedKey(key="k", resolvable=target is not None, target_text=target, resolver="test")
    found = detector.detect(Reading(reply, user), [key])
    assert all(item.metric == "m1b_reply_key_use" and item.label == "k" for item in found)
    assert all(reply[item.start : item.end] == item.quote for item in found)
    return [item.quote for item in found]


@pytest.mark.parametrize("pair", PAIRS, ids=[f"{i}-{pair[0][:12]}" for i, pair in enumerate(PAIRS)])
def test_minimal_pair(detector: KeyUseDetector, pair: tuple[str, str, str]) -> None:
    target, uses, ignores = pair
    assert used(detector, target, uses)
    assert not used(detector, target, ignores)


@pytest.mark.parametrize(("target", "reply", "uses"), SINGLE, ids=range(len(SINGLE)))
def test_one_reply(detector: KeyUseDetector, target: str, reply: str, uses: bool) -> None:
    assert bool(used(detector, target, reply)) == uses


def test_an_answer_uses_the_question_it_answers(detector: KeyUseDetector) -> None:
    question = "现在买纪念币合适吗？"
    assert used(detector, question, "纪念币溢价高，回收打折。", question)
    assert not used(detector, question, "您好，请问有什么可以帮您？", question)


def test_unresolved_keys_and_empty_replies(detector: KeyUseDetector) -> None:
    assert not used(detector, None, "您是稳健型")
    assert not used(detector, "稳健", "")
