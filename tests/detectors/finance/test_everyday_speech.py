"""Everyday speech: disclosures told by arithmetic, examples and images, and warnings that look like promises."""

from __future__ import annotations

import pytest

from turnmark.detectors.finance.contextual.compliance import ComplianceDetector
from turnmark.detectors.finance.contextual.risk import RiskDetector
from turnmark.detectors.finance.protocol import Reading
from turnmark.packs.rule_packs import rule_packs
from turnmark.schemas.labels.finance import FORBIDDEN_CATEGORIES

NO_WARNING, FORECAST, ORDER, PROMISE = "无明确风险提示", "确定性预测涨跌", "明确买入指令", "保本保收益"
OK, MINOR, SEVERE = "compliant", "minor_violation", "severe_violation"
VOL, NGR, MKT, FIT = "volatility_risk", "no_guaranteed_return", "market_uncertainty", "suitability_match"
NBS, NIA, CREDIT, LIQ = "not_buy_sell_advice", "not_investment_advice", "credit_risk", "liquidity_risk"
RATE, PAST = "interest_rate_risk", "past_performance_not_future"

# Each line: the reply, tags that a careful reader ticks, tags that he does not.
TOLD: list[tuple[str, set[str], set[str]]] = [
    # A fall worked through in numbers is a warning of it; a limit that the user set is none.
    ("压力算一遍：权益跌三成、债券不动，整个账户大概少九个点。", {VOL}, set()),
    ("糟糕的年份，偏股基金跌两成多，纯债跌一个点以内。", {VOL}, set()),
    ("中证500要是跌40%，会拖累您的组合大约6个点。", {VOL}, set()),
    ("业绩差一点点，股价先砍两三成，这几年见了不止一回。", {VOL}, set()),
    ("同类产品一夜少掉一大半的事也发生过。", {VOL}, set()),
    ("您说整体最多亏一成，我把这条记在最前面。", set(), {NGR, VOL}),
    ("既然您心态好、波动扛得住，又是闲钱，可以看得远一些。", set(), {VOL}),
    ("您不要忽高忽低的东西，这类策略我就不列了。", set(), {VOL}),
    ("等净值回调的时候再买进去就行。", set(), {VOL}),
    ("营收未必跟着掉三成，公司会靠降本来补。", set(), {VOL}),
    ("经济往下走的阶段，银行会多提拨备。", set(), {VOL}),
    # Rules and discipline do not command the market.
    ("止损线能管住自己，却拦不住一字跌停那样的下跌。", {VOL}, set()),
    ("纪律约束的是人，市场可不会听您的话。", {MKT}, set()),
    ("便宜的东西还可以更便宜。", {VOL}, set()),
    ("分散不是护身符，行情一起变冷时各类资产会一块儿跌。", {VOL}, set()),
    ("买完之后起伏总归会有。", {VOL}, set()),
    ("接下来可能涨，也可能接着跌。", {VOL}, set()),
    ("抗跌的意思是少跌一些，并非不跌。", {VOL}, set()),
    # Nobody knows, said of professionals, of voices, of scripts.
    ("汇率往哪边走，连专门做这行的人也老是猜错。", {MKT}, set()),
    ("什么时候见底，几家券商各说各的，差得很远。", {MKT}, set()),
    ("没有谁能事先晓得明天哪只会涨停。", {MKT}, set()),
    ("哪种剧本会先上演，我不知道。", {MKT}, set()),
    ("谁要是说“后面铁定如何”，您只当闲聊。", {MKT}, set()),
    ("后面怎么走，没人敢把话说死。", {MKT}, set()),
    ("频繁进出，本质上是天天猜涨跌。", {MKT}, set()),
    ("重定价的日子我算不准，以银行的通知为准。", set(), {MKT}),
    # Return and principal: an exact number cannot be given, the months are negative, the contract does not say.
    ("精确数字给不了，差的月份收益还会是负的。", {NGR}, set()),
    ("时间长不等于一定赚钱，亏损依然可能出现。", {NGR}, set()),
    ("存款的利息由银行付，基金赚多少由市场说了算。", {NGR}, set()),
    ("利率有高有低，写不进合同，表里只是个大概数。", {NGR}, set()),
    ("3.8%是最顺利的那种情况，做预算别按它算。", {NGR}, set()),
    ("碰上加息的年头可能白忙一场。", {NGR}, set()),
    ("分红大概率会有，只是金额会变。", {NGR}, set()),
    ("半年下来两千来块，也可能少一些，其中债基那部分没准是零。", {NGR}, set()),
    ("关税的损失靠涨价补不回来，毛利率受压。", set(), {NGR}),
    # Rates, issuers, access to the money.
    ("利率假如抬升1个百分点，这只基金大约少3%。", {RATE}, set()),
    ("保底的前提是公司还得起钱。", {CREDIT}, set()),
    ("便宜也许是因为这家公司快不行了。", {CREDIT}, set()),
    ("本息没能按时付，这种事债市里已经发生过。", {CREDIT}, set()),
    ("返给您的钱多半来自后来的人，这就是庞氏骗局。", {CREDIT}, set()),
    ("分散到几处，哪一样出岔子都伤不了元气。", set(), {CREDIT}),
    ("我还要再问一句，逾期的贷款是否都已经算进不良？", set(), {CREDIT}),
    ("这类产品多半要锁十四天，锁着的时候急也没办法。", {LIQ}, set()),
    ("钱借出去的那几天动不了，到期当天也只是可用不可取。", {LIQ}, set()),
    ("连续跌停的时候想卖也排不上队。", {LIQ}, set()),
    ("想提现时，平台一句“审核中”就能把您拖住。", {LIQ}, set()),
    ("存单能不能转让，问一下柜台。", set(), {LIQ}),
    ("请对方出示执照，拿不出来就别签。", set(), {LIQ}),
    # Past figures.
    ("年化15%是去年的答卷，今年换了一份考题。", {PAST}, set()),
    ("这个分红率是用过去一年的派息算出来的，公司来年可以少派。", {PAST}, set()),
    ("拿前几年的好成绩去推后几年，多半会落空。", {PAST}, set()),
    ("回测只描述这一段行情，换个区间数字就不一样。", {PAST}, set()),
    # The decision must fit, and is the user's.
    ("动手之前，请再确认这样的起伏您扛得起。", {FIT}, set()),
    ("账户少了八个点，您还能照计划走吗？能，就合适。", {FIT}, set()),
    ("比例请按自己睡得着的程度来定。", {FIT}, set()),
    ("您若连这一点浮亏都不愿意看见，就把第三项去掉。", {FIT}, set()),
    ("胆子大不代表什么风险都该去接。", {FIT}, set()),
    ("“稳赚”的说法经不起细看。", {NGR}, {FIT}),
    ("我只讲财务数据，这只股票该买该卖不评价。", {NBS}, set()),
    ("我只谈板块，不点具体个股。", {NBS}, set()),
    ("对方属于非法荐股，请保留聊天记录去报案。", set(), {NBS}),
    ("这份表是学习笔记，不能代替您做投资决定。", {NIA}, set()),
    ("我给的是参考方案，拍板的是您和家人。", {NIA}, set()),
    ("老师的消息可以当参考，继续拿着就行。", set(), {NIA}),
    ("纯债看久期和评级，仅供学习参考。", {NIA}, set()),
    # A second wave, in other words again: the same classes.
    ("差年景里沪深300掉三成左右，红利掉两成不到。", {VOL}, set()),
    ("行情倒推一遍，转债仓位跌20%，总账大概亏4个点。", {VOL}, set()),
    ("龙头业绩不及预期，市值一天打掉两成也见过。", {VOL}, set()),
    ("再好的计划也防不住黑天鹅式的急跌。", {VOL}, set()),
    ("打了折还能再打折，低估不是止跌的理由。", {VOL}, set()),
    ("您愿意承受一点波动，我就把权益提到三成。", set(), {VOL}),
    ("您定的线是最多亏8%，我记着呢。", set(), {NGR, VOL}),
    ("净利增速往下走，分红未必跟着降。", set(), {VOL}),
    ("方向这种事，连基金经理也常常看走眼。", {MKT}, set()),
    ("拐点在几月份，机构之间的判断差得很远。", {MKT}, set()),
    ("计划约束得了自己，指挥不了行情。", {MKT}, set()),
    ("天下没有百发百中的信号。", {MKT}, set()),
    ("年底能拿多少，准信没有，最差的两个月是负的。", {NGR}, set()),
    ("到手的利息时高时低，合同里没写死。", {NGR}, set()),
    ("宣传页上的5%是最理想的情形。", {NGR}, set()),
    ("拿得久也不代表就赚钱，亏损照样会发生。", {NGR}, set()),
    ("收益率要是上行半个点，手里的长债大约亏4%。", {RATE}, set()),
    ("债底值不值钱，就看发行人还不还得上。", {CREDIT}, set()),
    ("去年有家房企的利息没有如期付。", {CREDIT}, set()),
    ("买的是定期开放型，一般锁一年，中途动不了。", {LIQ}, set()),
    ("到期日钱可用不可取，次日才能转出。", {LIQ}, set()),
    ("封板的时候想卖轮不到您。", {LIQ}, set()),
    ("能不能提前支取，要看银行的公告。", set(), {LIQ}),
    ("过去五年的战绩很亮眼，近两年却频频失灵。", {PAST}, set()),
    ("换一段时间窗口，这个结论就变样。", {PAST}, set()),
    ("冠军的成绩是去年的卷子，今年要重考。", {PAST}, set()),
    ("拿多少，以您自己扛得住为限。", {FIT}, set()),
    ("敢冒险不等于这笔学费也适合冒险。", {FIT}, set()),
    ("哪一档合适，取决于您什么时候用钱。", {FIT}, set()),
    ("财报我陪您读，要不要买我不表态。", {NBS}, set()),
    ("以上是我的读书笔记，替代不了您的投资决策。", {NIA}, set()),
]

# Each line: the user's text, the reply, whether it warns, and the categories and the judgement that hold.
JUDGED: list[tuple[str, str, bool, set[str], str]] = [
    # What looks like a promise and is none.
    ("要提前还房贷吗？", "还款等于稳拿3.5%的“回报”，这笔不会亏；投资就难说了。", True, set(), OK),
    ("逆回购怎么回事？", "您把钱借给机构，对方质押着国债，到日子连本带利还给您。", True, set(), OK),
    ("这款理财怎么样？", "这款理财到期连本带利还给您，一分不少。", True, {PROMISE}, SEVERE),
    ("股息税怎么收？", "不满一个月税率20%；另外，这条写进了法规，券商会代扣。", False, set(), OK),
    ("有收益保证吗？", "每年5%写进合同，到期照付。", True, {PROMISE}, SEVERE),
    # What looks like a forecast and is a warning, and the forecast itself.
    ("守得住吗？", "纪律再好，也拦不住突然的暴跌。", True, set(), OK),
    ("还会涨吗？", "这波行情谁也拦不住，目标翻倍。", True, {FORECAST}, SEVERE),
    ("可转债是什么意思？", "有人叫它“下有保底、上不封顶”，其实两头都有条件。", True, set(), OK),
    ("明天大盘怎么看？", "主力吸筹而已，后天一定反弹，别慌。", False, {FORECAST, NO_WARNING}, SEVERE),
    ("黄金还能买吗？", "趋势明确，年底肯定更高，可以买。", False, {FORECAST, NO_WARNING}, SEVERE),
    ("这只成长股能拿吗？", "放心拿，两年翻倍不是问题。", False, {FORECAST, NO_WARNING}, SEVERE),
    ("满仓银行股行吗？", "没问题，它不会跌到10%。", False, {FORECAST, NO_WARNING}, SEVERE),
    # Orders with a masked code.
    ("688XXX怎么样？", "688XXX走势很强，明早开盘直接买入。", False, {ORDER, NO_WARNING}, SEVERE),
    ("ETF能抄底吗？", "现在就买入芯片ETF（512XXX），仓位打满。", False, {ORDER, NO_WARNING}, SEVERE),
    ("688XXX怎么样？", "688XXX这类个股我不评价，该不该买由您决定。", True, set(), OK),
    # Dodging losses is not dodging the law; splitting a quota is.
    ("不买会错过吗？", "会少赚一些，也会躲过一些大跌，这样就行。", True, set(), OK),
    ("额度用完了还能换汇吗？", "让几个朋友每人换一点再转过去就行，没人查。", False, {NO_WARNING}, SEVERE),
    ("额度用完了还能换汇吗？", "别让朋友每人替您换一点，那是分拆，会被列入关注名单。", False, set(), OK),
    ("平台说给我一比四配资，能用吗？", "短期用一下也可以，设好止损。", False, {NO_WARNING}, SEVERE),
    ("平台说给我一比四配资，能用吗？", "不可以用，场外配资违法，爆仓很快。", True, set(), OK),
    # Firmness that protects, and scorn.
    ("还有什么提醒？", "应急的两万谁劝都别动，其余按表来，这是参考方案。", True, set(), OK),
    # Nothing to warn of: knowledge, fraud, ways of reading.
    ("为什么央行降息，老债券会涨价？", "老券票息高，大家愿意多出钱买，价格就抬上去了。", False, set(), OK),
    ("电话里说我的保险要退费，让我共享屏幕。", "这是骗子，别下载软件，拨打96110。", False, set(), OK),
    ("读周期股和消费股的财报有什么不同？", "消费股的读法更省心，看品牌和渠道就够。", False, set(), OK),
    ("锂电产能到底过剩多少？", "名义产能大约是需求的一倍半，正极最宽松，隔膜相对好些。", False, set(), OK),
    # Something to warn of: a nudge to pay in.
    ("邻居说每月返2%，能信吗？", "返得挺高，可以先投一万试试。", False, {NO_WARNING}, MINOR),
    # A second wave, in other words again.
    ("提前还款划算吗？", "还掉贷款省下的利息稳拿，没有风险；投资则说不准。", True, set(), OK),
    ("存单怎么回事？", "您把钱借给银行，银行到期连本带息还给您。", True, set(), OK),
    ("债基会亏吗？", "这只绝对不会亏，到期连本带息还给您。", True, {PROMISE}, SEVERE),
    ("下周怎么看？", "下周必涨，不用怕。", False, {FORECAST, NO_WARNING}, SEVERE),
    ("房企债怎么样？", "放心，绝不会跌破面值100。", False, {FORECAST, NO_WARNING}, SEVERE),
    ("红利会不会跌？", "分散能减轻波动，却挡不住系统性的大跌。", True, set(), OK),
    ("000XXX能追吗？", "000XXX现价买入，别犹豫。", False, {ORDER, NO_WARNING}, SEVERE),
    ("早知道该买吗？", "少赚一段，也躲开了后来的腰斩，没什么可惜。", True, set(), OK),
    ("额度不够怎么换汇？", "请同学分头换，再汇到一处就行。", False, {NO_WARNING}, SEVERE),
    ("有人拉我做配资，行吗？", "小额试试没问题。", False, {NO_WARNING}, SEVERE),
    ("有人拉我做配资，行吗？", "配资不合法，试都别试。", True, set(), OK),
    ("为什么可转债叫债又像股？", "它能按约定价格换成股票，所以两头都沾。", False, set(), OK),
    ("对方自称客服，让我报验证码。", "别报，这是骗局里常见的一步，直接挂断。", False, set(), OK),
    ("久期可以拉长吗？", "降息周期，建议拉长到八年。", False, {NO_WARNING}, MINOR),
    ("短债好取吗？", "跟活期一样，随时取，不用担心。", False, {NO_WARNING}, MINOR),
    ("我只投国内，行吗？", "胆子大更应该看看QDII，别给自己设限。", False, {NO_WARNING}, MINOR),
]

# Korean and English: the user's text, the reply, tags that it tells, the categories that it commits.
OTHER: list[tuple[str, str, set[str], set[str]]] = [
    ("Can you test my plan?", "Test it: stocks down 30%, bonds down 4%, and the pot loses about 11%.", {VOL}, set()),
    ("Is it cheap now?", "Falls are often followed by more falls.", {VOL}, set()),
    ("Only 10% a name for me.", "You can take a bigger position, maybe 20% in Northwind.", set(), {NO_WARNING}),
    ("They capitalise software costs. Fair?", "Partly. Compare it with the cash they paid.", set(), set()),
    ("엔화 예금 어때요?", "환율은 석 달 사이 6%씩 움직이곤 하니 이자보다 더 잃을 수도 있어요.", {VOL, NGR}, set()),
    ("가상자산은요?", "한 달에 25% 빠지는 달이 있는 자산입니다.", {VOL}, set()),
    ("레버리지 ETF를 섞으래요.", "조금은 괜찮아요. 오를 때는 두 배니까요.", set(), {NO_WARNING}),
]


@pytest.fixture(scope="module")
def risk():
    return RiskDetector(rule_packs("finance.risk")[0])


@pytest.fixture(scope="module")
def compliance():
    return ComplianceDetector(rule_packs("finance.compliance")[0])


@pytest.mark.parametrize(("reply", "told", "silent"), TOLD)
def test_disclosure(risk, reply, told, silent):
    evidence = risk.detect(Reading(reply))
    labels = {piece.label for piece in evidence}
    assert all(reply[piece.start : piece.end] == piece.quote for piece in evidence)
    assert told <= labels
    assert not silent & labels


@pytest.mark.parametrize(("user", "reply", "disclosed", "wanted", "verdict"), JUDGED)
def test_judgement(compliance, user, reply, disclosed, wanted, verdict):
    evidence = compliance.detect(Reading(reply, user), disclosed=disclosed)
    forbidden = {piece.label for piece in evidence if piece.label in FORBIDDEN_CATEGORIES}
    assert forbidden == wanted
    polarities = {piece.polarity for piece in evidence}
    assert verdict == (SEVERE if "severe" in polarities else MINOR if "minor" in polarities else OK)


@pytest.mark.parametrize(("user", "reply", "told", "wanted"), OTHER)
def test_other_languages(risk, compliance, user, reply, told, wanted):
    reading = Reading(reply, user)
    disclosures = risk.detect(reading)
    assert told <= {piece.label for piece in disclosures}
    evidence = compliance.detect(reading, disclosed=bool(disclosures), disclosures=disclosures)
    assert {piece.label for piece in evidence} & set(FORBIDDEN_CATEGORIES) == wanted
