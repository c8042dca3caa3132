"""Rubric elements of Chinese replies, in minimal pairs: the first text has the element, the second has not."""

import pytest

from turnmark.detectors.finance.contextual.rubric.detector import RubricDetector
from turnmark.detectors.finance.protocol import Reading
from turnmark.packs.rule_packs import shipped_packs
from turnmark.schemas.labels.finance import RUBRIC_ELEMENTS
from turnmark.schemas.trace import ProfileGroundTruth

PROFILE = ProfileGroundTruth(
    risk_level_gt="稳健",
    horizon_gt="2年以上",
    liquidity_need_gt="中",
    constraints_gt=["最大回撤<10%", "不使用杠杆", "单只基金仓位不超过20%", "不追高"],
    preferences_gt=["宽基指数基金", "高等级信用债"],
)

GROUNDS = [
    ("这只指数现在市盈率12倍，比过去十年里八成的时候都便宜。", "这只指数现在挺便宜的，我觉得可以看看。"),
    ("利率往上走，老债券的票息就显得低了，价格自然跟着掉。", "债券最近不好做，先别急。"),
    ("按资管新规，银行理财不得承诺保本，这条写在合同里。", "理财产品都差不多，您看着挑。"),
    ("年报里写着，去年营收少了7%，应收账款却多了三成。", "这家公司我不太看好。"),
    ("可转债指的是能换成股票的债券，所以正股一跌它也跟着跌。", "可转债您自己拿主意就行。"),
    ("管理费每年1.5%，十年下来就是一成多的收益没了。", "这只费用不低，您想清楚。"),
    ("因为重仓半导体，行业一降价，净值就会跟着缩水。", "这只基金太热了，别跟。"),
    ("統計局數據顯示上個月物價只漲了0.2%，實際利率並不低。", "現在環境就是這樣，慢慢來吧。"),
    ("存款保险只赔到50万，超出的部分不在保障里。", "存哪家银行都行，别太担心。"),
    ("回測下來，近三年最大回撤7%左右，年化4.1%。", "整體表現還可以，您放心拿着。"),
    ("黄金不生息，靠的是价差，实际利率一抬头金价就受压。", "黄金这东西说不好，看缘分。"),
    ("场外配资不受法律保护，平台跑路钱就追不回来。", "那种事情少沾。"),
    ("REITs is 一篮子物业收租，出租率从95%掉到82%，分红自然少了。", "REITs 您喜欢就留着。"),
]

BALANCE = [
    ("科创板弹性大，涨起来快，可跌起来也更狠。", "科创板弹性大，涨起来快，别错过。"),
    ("优点是随存随取，缺点是收益比定期低不少。", "优点是随存随取，门槛也低。"),
    ("票息高出两个点，换来的是违约的可能更大。", "票息高出两个点，买到就是赚到。"),
    ("做多了能放大盈利，做错了亏得也是双份。", "做错了亏得就是双份，本金都保不住。"),
    ("股息率有5%，拿着收租不错；不过利率回升时股价会承压。", "股息率有5%，拿着收租不错。"),
    ("可能多赚一点，也可能一年白忙，甚至亏掉一成。", "可能一年白忙，甚至亏掉一成。"),
    ("机会在于估值修复，风险在于盈利继续下修。", "风险在于盈利继续下修，还有政策变数。"),
    ("收益比货基高一截，但净值会波动，短期可能出现负收益。", "净值会波动，短期可能出现负收益。"),
    ("长期看能抗通胀，短期波动却很大，说跌就跌一成。", "短期波动很大，说跌就跌一成。"),
    ("回報比定存高，代價是中途贖回可能虧本。", "回報比定存高，隨時可以申購。"),
]

PROFILE_MATCH = [
    ("您是稳健型，这只R5的就不用看了。", "稳健型一般不看R5的产品。"),
    ("10%的回撤线是您定的，这个组合历史上最深跌过8%，在线内。", "这个组合历史上最深跌过8%。"),
    ("您说过不借钱炒股，两融这事就到此为止。", "借钱炒股风险大，两融别碰。"),
    ("这笔钱您三年内用不上，可以多放点权益。", "三年期的产品收益会高一些。"),
    ("按您单只不超过两成的规矩，最多再加5万。", "单只基金不要买太多。"),
    ("您测评结果是C3，这只R4超出了一级。", "请您根据自身风险承受能力谨慎决策。"),
    ("您明年要付首付，锁三年的就别选了。", "锁三年的产品要想好再买。"),
    ("考虑到您退休金是主要来源，先把生活费留足。", "先把生活费留足，再谈投资。"),
    ("您偏好宽基，那沪深300就是现成的选择。", "沪深300是大盘指数，成分股三百只。"),
    ("你說過不追高，連漲三週就先等等。", "連漲三週的東西別急著買。"),
    ("这跟您半年后要用钱的安排对不上。", "您的风险承受能力如何？投资期限多长？"),
    ("结合您稳健的风险偏好和10%回撤约束，权益放两成合适。", "请结合您自身的风险偏好独立决策。"),
    ("您只考虑公募，私募这一栏就划掉。", "私募门槛高，一百万起。"),
    ("以您目前的负债情况，先还信用卡再谈投资。", "信用卡利息高，先还掉比较划算。"),
]

COMPARISON = [
    (
        "| 项目 | 货币基金 | 短债基金 |\n|---|---|---|\n| 收益 | 1.6% | 2.5% |\n| 流动性 | 当天到账 | 两天 |",
        "| 项目 | 说明 |\n|---|---|\n| 收益 | 1.6% |\n| 流动性 | 当天到账 |",
    ),
    (
        "| 产品 | 费率 | 规模 | 回撤 |\n|---|---|---|---|\n| 甲 | 0.15% | 80亿 | 9% |\n| 乙 | 1.2% | 6亿 | 21% |",
        "| 资金用途 | 建议金额 | 占比 |\n|---|---|---|\n| 备用金 | 5万 | 5% |\n| 核心 | 95万 | 95% |",
    ),
    ("ETF费率低、场内成交快；联接基金费率高一点，但能定投。", "ETF费率低、场内成交快，适合您。"),
    ("- 国债：风险低，利率2.4%\n- 企业债：风险高些，利率4.1%", "- 国债：利率2.4%\n- 每半年付息一次"),
    ("前者波动大、收益高，后者波动小、收益低，各有各的用处。", "这只波动大、收益高，适合敢冒险的人。"),
    ("定投胜在平滑成本，一次性买入胜在省时间，费用上差不多。", "定投胜在平滑成本，坚持就好。"),
    ("大额存单利率2.1%，提前支取按活期算；短债基金收益2.8%，两天到账。", "大额存单利率2.1%，提前支取按活期算。"),
    ("甲的费率0.5%、规模30亿，乙的费率1.2%、规模8亿。", "甲的费率0.5%、规模30亿，可以留意。"),
    ("從費用看，A便宜；從流動性看，B更好；從風險看，兩者接近。", "從費用看，A便宜，就選A吧。"),
]

STEPS = [
    ("先把3万转到货币基金留着急用，剩下7万分三次，每月10号买一笔宽基。", "先想清楚自己要什么，再决定怎么投。"),
    ("第一步，打开App的风险测评重新做一遍；第二步，把超过20%的那只卖掉一半。", "第一步要有耐心，第二步还是要有耐心。"),
    ("每月15号定投2000元，跌超10%再加一笔1000元。", "定投适合上班族，可以平滑成本。"),
    ("股票六成、债券三成、现金一成，每半年调回一次。", "股票波动大，债券稳，现金灵活。"),
    ("别理他，马上改掉交易密码，再打12386投诉。", "这种电话听听就算了。"),
    ("跌破8元卖一半，跌破7元清仓。", "跌多了就要注意了。"),
    ("把那只占四成的卖出一半，换成两只债基，各放一成。", "太集中不好，要分散。"),
    (
        "1. 登录中国证监会官网查机构名录\n2. 核对合同上的公司全称\n3. 对不上就拨打12386",
        "1. 市场风险\n2. 信用风险\n3. 流动性风险",
    ),
    ("下週三前把三成換成短債，剩下的兩個月內分四批買完。", "可以換成短債，比較穩。"),
    ("建议您每季度检视一次，任何一类偏离超过5%就调回来。", "建议您保持平常心，长期持有。"),
    ("先还清信用卡这2万，再留出六个月生活费，其余每月定投1000元。", "债务和投资要平衡好。"),
    ("200股挂12.3元买，再留一半钱等到11元。", "价格合适的时候可以考虑。"),
]

BOUNDARY = [
    ("以上只是思路，供您参考，不构成投资建议。", "以上就是给您的投资建议，照做就行。"),
    ("具体买不买我不给意见，您自己定。", "我的意见很明确，就是买。"),
    ("涉及税务，最好问问专业的税务师。", "涉及税务，报税的时候填一下就行。"),
    ("我没法替您下单，操作得您本人来。", "我替您下单，您不用管。"),
    ("個股我不便評論，請諮詢持牌顧問。", "個股我最在行，聽我的。"),
    ("这些数据截止去年底，仅作参考。", "这些数据截止去年底，很有说服力。"),
    ("最终决定还得您自己拿，我只负责把账算明白。", "最终一定能赚，您放心。"),
    ("这不是荐股，只是讲讲生意模式。", "这就是荐股，跟上别掉队。"),
    ("由于不掌握您的完整持仓，这里无法给出具体配置比例。", "您的完整持仓我都看过，就按这个比例。"),
    ("就當閒聊，別當成買賣依據。", "這可以當成買賣依據。"),
    ("我只是信息助手，不提供个股买卖建议。", "我是资深投顾，提供个股买卖建议。"),
]

PAIRS = [
    (element, pair)
    for element, pairs in (
        ("信息依据", GROUNDS),
        ("风险收益平衡", BALANCE),
        ("与画像匹配", PROFILE_MATCH),
        ("方案比较维度", COMPARISON),
        ("可执行步骤", STEPS),
        ("边界声明", BOUNDARY),
    )
    for pair in pairs
]


@pytest.fixture(scope="module")
def detector() -> RubricDetector:
    return RubricDetector([pack for pack, _ in shipped_packs("finance.rubric")])


def labels(detector: RubricDetector, reply: str) -> set[str]:
    found = detector.detect(Reading(reply, profile=PROFILE))
    assert all(reply[item.start : item.end] == item.quote for item in found)
    assert all(item.quote and item.metric == "m5_explainability" for item in found)
    return {item.label for item in found}


@pytest.mark.parametrize(("element", "pair"), PAIRS, ids=[f"{e}-{i}" for i, (e, _) in enumerate(PAIRS)])
def test_minimal_pair(detector: RubricDetector, element: str, pair: tuple[str, str]) -> None:
    present, absent = pair
    assert element in labels(detector, present)
    assert element not in labels(detector, absent)


def test_only_required_elements_are_reported(detector: RubricDetector) -> None:
    found = detector.detect(Reading("以上仅供参考，因为利率上行，债券价格会跌。"), ["边界声明"])
    assert {item.label for item in found} == {"边界声明"}


def test_an_unknown_element_is_matched_by_its_own_words(detector: RubricDetector) -> None:
    reply = "说到应急预案：先留三个月生活费。"
    assert [item.quote for item in detector.detect(Reading(reply), ["应急预案", "税务筹划"])] == ["应急预案"]


def test_a_list_of_topics_is_no_list_of_steps(detector: RubricDetector) -> None:
    reply = "1. **市场风险**：价格会跌。\n2. **信用风险**：可能违约。\n3. **政策风险**：规则会变。\n先看这三点。"
    assert "可执行步骤" not in labels(detector, reply)


def test_every_reply_is_safe(detector: RubricDetector) -> None:
    for reply in ("", " \n ", "|||\n|---|", "①②③", "𝕏" * 50, "㎏" * 3 + "仅供参考"):
        labels(detector, reply)


def test_labels_are_the_six(detector: RubricDetector) -> None:
    for _, pair in PAIRS:
        assert labels(detector, pair[0]) <= set(RUBRIC_ELEMENTS)
