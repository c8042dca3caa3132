"""Minimal pairs of Chinese risk disclosure: nearly the same words, another label."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnmark.detectors.finance.contextual.risk import RiskDetector
from turnmark.detectors.finance.protocol import Reading
from turnmark.packs.risk_tags import canonical_tag, risk_tags
from turnmark.packs.rule_packs import rule_packs
from turnmark.schemas.labels.finance import RISK_TAGS

VOL, NGR, MKT, FIT = "volatility_risk", "no_guaranteed_return", "market_uncertainty", "suitability_match"
NBS, NIA, CREDIT, LIQ = "not_buy_sell_advice", "not_investment_advice", "credit_risk", "liquidity_risk"
RATE, POLICY, VALUE, PAST = "interest_rate_risk", "policy_risk", "valuation_risk", "past_performance_not_future"

# Each line: the reply, and the tags that a careful reader ticks.
PAIRS: list[tuple[str, set[str]]] = [
    # The price may fall, and words that only look like it.
    ("这只基金股票仓位七成，净值一个月里掉五六个点是常有的事。", {VOL}),
    ("这只基金股票仓位七成，净值一个月里涨五六个点是常有的事。", set()),
    ("科创板涨跌幅限制是20%，持有期间要做好大幅震荡的准备。", {VOL}),
    ("科创板涨跌幅限制是20%，主板是10%，北交所是30%。", set()),
    ("金价这两年坐过山车，买完被套半年也不稀奇。", {VOL}),
    ("金价由供求、美元和避险情绪共同决定，这是基本框架。", set()),
    ("波动率是收益率的标准差，用来衡量价格偏离均值的程度。", set()),
    ("它属于低波动策略，指数编制时专挑波动率最小的一百只股票。", set()),
    ("低波动不等于不跌，熊市里它照样会跟着往下走。", {VOL}),
    ("净值短期下挫您完全不用怕，我们有专人盯着，拿住就行。", set()),
    ("净值短期下挫在所难免，拿不住的话就别重仓。", {VOL}),
    ("股價可能大幅回落，請先想好停損。", {VOL}),
    ("股價已經大幅回落，現在正是撿便宜的時候。", set()),
    ("极端行情下组合最大回撤可能超过15%。", {VOL}),
    ("产品历史上没有出现过回撤，净值是一条直线往上。", set()),
    ("最大回撤是指一段时间内从最高点到最低点的跌幅。", set()),
    ("可转债价格会随正股上蹿下跳，一天跌去一成也见过。", {VOL}),
    ("可转债是可以按约定价格换成股票的债券。", set()),
    ("美股科技股涨得猛，跌起来也不含糊。", {VOL}),
    ("波动大才有差价可做，胆子大一点。", set()),
    # Principal and return are not guaranteed.
    ("净值型理财不再刚性兑付，到期拿不回全部本金也有可能。", {NGR}),
    ("这款理财由本行刚性兑付，到期一定拿回全部本金。", set()),
    ("我们不承诺保本，也不承诺最低收益。", {NGR}),
    ("我们承诺保本，也承诺最低收益。", set()),
    ("业绩比较基准不是承诺收益，实际到手可能更少。", {NGR}),
    ("业绩比较基准就是您到手的收益，少了我们补给您。", set()),
    ("谁跟您说稳赚不赔，谁就是在骗您。", {NGR}),
    ("跟着我做稳赚不赔，大家都这么说。", set()),
    ("买这个有可能血本无归，亏掉的钱没人赔您。", {NGR}),
    ("买这个不可能血本无归，亏掉的钱我们赔您。", set()),
    ("并不是说一定能保本，行情差的时候照样会亏。", {NGR}),
    ("没有哪一期不保本的，您放一百个心。", set()),
    ("存款有50万以内的存款保险，理财没有这层保障。", {NGR}),
    ("收益是浮动的，说明书上的4%不是保底数。", {NGR}),
    ("收益是固定的，说明书上的4%就是保底数。", set()),
    ("如果到期亏了本金，亏了算我的。", set()),
    ("到期亏了本金只能自己承担。", {NGR}),
    # Nobody knows.
    ("短期走势没有人能准确判断，看个方向就好。", {MKT}),
    ("短期走势我看得很准，跟着方向走就好。", set()),
    ("市場有風險，投資需謹慎。", {MKT}),
    ("明年降不降息还存在很大变数，谁也说不准。", {MKT}),
    ("明年降息没有任何悬念，谁都看得出来。", set()),
    ("行情这东西天有不测风云，别把话说死。", {MKT}),
    ("不确定性已经全部落地，后面就是单边上涨。", set()),
    ("地缘冲突给后市带来不小的不确定性。", {MKT}),
    ("后市怎么走要看量能，我不敢打包票。", {MKT}),
    ("后市怎么走很清楚，我敢打包票。", set()),
    # The decision must fit the investor.
    ("买之前先掂掂自己能扛多少亏，超出承受力的别碰。", {FIT}),
    ("您的承受力够强，这只就该多买点。", set()),
    ("请您结合自身风险承受能力审慎选择。", {FIT}),
    ("这是根据您的风险承受能力为您挑选的组合：六成债、四成股。", set()),
    ("您测评是C2，这只是R4，风险等级不匹配，系统会拦截。", {FIT}),
    ("您测评是C4，这只是R3，风险等级匹配，可以下单。", set()),
    ("該產品風險等級較高，不適合保守型投資人。", {FIT}),
    ("本产品适合所有类型的投资者。", set()),
    ("请确认产品的风险等级与您的测评结果一致再申购。", {FIT}),
    ("适合别人的不一定适合您，量力而行。", {FIT}),
    # Not advice to buy or sell; not investment advice.
    ("以上不构成任何买卖建议。", {NBS}),
    ("以上就是我的买卖建议，照做就行。", set()),
    ("具体哪只股票能不能买，我不作推荐。", {NBS}),
    ("具体哪只股票能买，我推荐三只。", set()),
    ("文中提到的个股只是举例，不是荐股。", {NBS}),
    ("本文内容仅供参考，不作为投资决策依据。", {NIA}),
    ("本文内容可以作为您投资决策的依据。", set()),
    ("以下只是个人看法，不能当作投资建议。", {NIA}),
    ("以下是我给您的投资建议：先还信用卡，再谈投资。", set()),
    ("参考市盈率12倍，参考年化3%。", set()),
    ("僅供參考，請自行判斷。", {NIA}),
    ("不构成投资建议，亦不构成对任何证券的买卖要约。", {NIA, NBS}),
    ("这不是投资建议，只是科普一下规则。", {NIA}),
    ("这不就是投资建议吗？照着买没问题。", set()),
    # Credit.
    ("城投债也不是铁板一块，有的主体还款能力堪忧，展期的事出过好几回。", {CREDIT}),
    ("国债有国家信用背书，没有违约之忧。", set()),
    ("信用下沉换来的票息，万一发行人爆雷就得不偿失。", {CREDIT}),
    ("信用评级由评级机构给出，分AAA、AA+等档次。", set()),
    ("房企债的兑付压力不小，逾期的例子这两年不少。", {CREDIT}),
    ("这家公司从没有逾期，兑付毫无压力。", set()),
    # Liquidity.
    ("封闭期一年，中途急用钱取不出来。", {LIQ}),
    ("没有封闭期，中途急用钱随时能取出来。", set()),
    ("小盘股成交清淡，想出的时候不一定出得掉。", {LIQ}),
    ("大盘股成交活跃，想出的时候随时出得掉。", set()),
    ("定开债每三个月才开放一次，错过只能等下一回。", {LIQ}),
    ("这只ETF流动性好，日均成交二十亿。", set()),
    ("私募股权退出周期长，钱一放就是五到七年，中间转让也难找下家。", {LIQ}),
    # Interest rates.
    ("市场利率一抬头，存量债券就要跌价。", {VOL, RATE}),
    ("市场利率一直在下行，存量债券就涨价了。", set()),
    ("久期越长，对加息越敏感，别忽视利率风险。", {RATE}),
    ("久期是债券现金流的加权平均期限。", set()),
    ("LPR下调，房贷月供能少一点。", set()),
    # Policy.
    ("教培那次大家都记得，一纸文件下来整个板块就变天了，监管的事得提防。", {POLICY}),
    ("监管部门是证监会和金融监管总局，产品要备案。", set()),
    ("医保谈判要是压价太狠，药企利润会被砍掉一块，这是政策面的隐忧。", {POLICY}),
    ("政策面暖风频吹，利好不断，放心拿着。", set()),
    ("补贴一退坡，销量就可能断崖。", {POLICY}),
    # Valuation.
    ("市盈率已经站到历史九成分位，估值泡沫不小。", {VALUE}),
    ("市盈率只有历史一成分位，估值很便宜。", set()),
    ("当前估值透支了未来几年的增长，一旦增速放缓就是戴维斯双杀。", {VALUE}),
    ("估值方法有市盈率、市净率和现金流折现三种。", set()),
    ("现在的价格明显偏贵，买贵了以后回报会打折。", {VALUE}),
    ("现在的价格一点不贵，买了以后回报不会打折。", set()),
    # Past performance.
    ("过去三年年化12%，并不代表今后还有这个数。", {PAST}),
    ("过去三年年化12%，今后还是这个数。", set()),
    ("历史业绩仅代表过去，不构成对未来的保证。", {PAST}),
    ("历史业绩每年都是正的，放心拿。", set()),
    ("回测再漂亮也是马后炮，照搬到明年未必灵。", {PAST}),
    ("以前没亏过，不等于以后不会亏。", {PAST, NGR}),
    ("以前没亏过，以后也不会亏。", set()),
    # Boilerplate in structure.
    ("> **风险提示**\n> - 市场有风险，投资需谨慎\n> - 以上内容仅供参考，不构成投资建议", {MKT, NIA}),
    ("### 风险提示\n1. **流动性风险**：部分产品有锁定期。\n2. **信用风险**：发行人可能违约。", {LIQ, CREDIT}),
    ("| 风险类型 | 程度 |\n|---|---|\n| 利率风险 | 中 |\n| 政策风险 | 低 |", {RATE, POLICY}),
    ("好的，已为您记录。请问您的投资期限是多久？", set()),
    ("理财顾问会问您三件事：期限、目标、能接受多大的波动？", set()),
    ("货币基金每天结息，T+1到账，通常用来放备用金。", set()),
]

DETECTOR = RiskDetector(rule_packs("finance.risk")[0])


@pytest.mark.parametrize(("reply", "tags"), PAIRS, ids=[reply[:18] for reply, _ in PAIRS])
def test_a_careful_reader_ticks_the_same_tags(reply: str, tags: set[str]) -> None:
    found = DETECTOR.detect(Reading(reply))
    for evidence in found:
        assert reply[evidence.start : evidence.end] == evidence.quote
        assert evidence.metric == "m3_risk_coverage"
        assert evidence.polarity == "present"
    assert {evidence.label for evidence in found if evidence.label in RISK_TAGS} == tags


@pytest.mark.parametrize(
    ("reply", "required", "met"),
    [
        ("人民币若升值，以美元计价的净值换算回来会缩水。", "汇率风险", True),
        ("人民币兑美元的汇率中间价每个交易日公布。", "汇率风险", False),
        ("票息到期再投出去，利率更低的话收益就下来了，这就是再投资风险。", "再投资风险", True),
        ("票息每年付一次，到期还本。", "再投资风险", False),
        ("存款利率跑不赢物价，购买力会一年年缩水。", "通胀风险", True),
        ("CPI是居民消费价格指数。", "通胀风险", False),
        ("来回申赎的手续费会一点点吃掉收益。", "费用侵蚀收益", True),
        ("管理费每年0.15%，按日计提。", "费用侵蚀收益", False),
        ("以上不构成税务建议，请咨询税务师。", "不构成税务建议", True),
        ("借个人账户炒股属于违规行为，可能被处罚。", "合规风险", True),
        ("技术路线更替快，押错方向产品就可能被淘汰。", "技术风险", True),
        ("不要借钱炒股，也别加杠杆。", "不使用杠杆", True),
        ("可以适当加点杠杆放大收益。", "不使用杠杆", False),
        ("行情分化严重，指数涨个股跌，踏错板块就可能赚指数不赚钱。", "结构性行情风险", True),
        ("这是高风险产品，请谨慎参与。", "高风险提示", True),
        ("净值可能下跌。", "市场波动", True),
        ("估值已在高位，有回落压力。", "估值波动风险", True),
    ],
)
def test_required_tags_beyond_the_twelve(reply: str, required: str, met: bool) -> None:
    found = {evidence.label for evidence in DETECTOR.detect(Reading(reply))}
    assert (canonical_tag(required) in found) is met


def test_an_unknown_tag_is_its_own_words() -> None:
    assert canonical_tag("海外托管风险") == "海外托管风险"
    assert canonical_tag("Volatility_Risk") == "volatility_risk"


LETTERS = dict(zip("VGMFBICLRPEH", RISK_TAGS, strict=True))


def test_sentences_in_many_wordings() -> None:
    """Wordings are endless, so the bar is a share: what is told is nearly always found, what is not hardly ever."""
    hits = wrong = missed = 0
    text = (Path(__file__).parent / "data" / "risk_sentences_zh.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        letters, reply = line.split("|", 1)
        told = {LETTERS[letter] for letter in letters if letter != "-"}
        found = {evidence.label for evidence in DETECTOR.detect(Reading(reply.replace("\\n", "\n")))} & set(RISK_TAGS)
        hits += len(found & told)
        wrong += len(found - told)
        missed += len(told - found)
    assert hits / (hits + wrong) >= 0.92
    assert hits / (hits + missed) >= 0.85


RECORDED = (
    "不保证收益", "市场不确定性", "波动风险", "适当性匹配", "不构成个股买卖建议", "流动性风险",
    "不构成投资建议", "政策风险", "信用风险", "利率风险", "政策不确定性", "合规风险", "政策变化风险",
    "过往业绩不预示未来", "无明确风险提示", "估值风险", "费用侵蚀收益", "再投资风险", "市场波动",
    "过往业绩不代表未来", "不使用杠杆", "高风险提示", "不构成税务建议", "结构性行情风险", "技术风险",
    "交易成本风险", "高波动风险", "汇率风险", "通胀风险", "估值波动风险",
)  # fmt: skip


def test_every_recorded_tag_has_a_reason_and_rules() -> None:
    labels = {rule.label for pack in rule_packs("finance.risk")[0] if pack.language == "zh" for rule in pack.rules}
    known = {alias.required: alias for alias in risk_tags().aliases}
    for required in RECORDED:
        assert known[required].why
        assert canonical_tag(required) in labels | {"risk_disclosure_present"}


def test_an_unknown_tag_is_found_by_its_own_words() -> None:
    reply = "请注意海外托管风险，资产由境外机构保管。"
    found = DETECTOR.detect(Reading(reply), required=["海外托管风险", "汇率风险"])
    assert [(evidence.label, evidence.quote) for evidence in found] == [("海外托管风险", "海外托管风险")]
    assert canonical_tag("海外托管风险") == "海外托管风险"
