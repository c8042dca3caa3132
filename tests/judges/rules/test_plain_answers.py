"""Plain answers to plain sources: what is supported, contradicted and left open, in three languages.

One line a case: the claim, the source, and in the tables with questions the question behind them.
"""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.judges.rules.judge import RulesJudge
from turnmark.judges.rules.plain.statements import read_statement
from turnmark.judges.rules.reading import Reading
from turnmark.schemas.judging.cases import EvalCase
from turnmark.schemas.judging.judgement import Claim, Query, Verdict
from turnmark.suites.rag.case import evaluate_case

SUPPORTED = """\
The store opens at 9:00. | The store opens at 9:00 on weekdays.
The store opens at 11:00 on weekends. | The store opens at 9:00 on weekdays and at 11:00 on weekends.
Gift cards cannot be exchanged for cash. | Gift cards are valid for two years and cannot be exchanged for cash.
We accept Visa and PayPal. | We accept Visa, Mastercard and PayPal. We do not accept cheques.
We accept Mastercard. | We accept Visa, Mastercard and PayPal.
The warranty covers defects for two years. | The warranty covers defects for 24 months. It does not cover water damage.
The X300 is heavier than the X200. | The X200 weighs 1.2 kg. The X300 is heavier than the X200.
Refunds are possible within 7 days. | Refunds are possible within 7 days of delivery.
商品7天内可无理由退货。 | 商品自签收之日起7天内可无理由退货。
三年期定期存款年利率为2.1%。 | 本行三年期定期存款年利率为2.1%，五年期为2.6%。
信用卡年费为二百元。 | 信用卡年费为200元，补卡费为20元。
A型比B型便宜300元。 | B型比A型贵300元。
跨行转账手续费每笔2元。 | 跨行转账2小时内到账，手续费每笔2元。
환불은 7일 이내 가능합니다. | 환불은 구매 후 7일 이내에 가능합니다.
매장은 평일 오전 10시에 엽니다. | 매장은 평일 오전 10시에 열고 주말에는 오전 11시에 엽니다.
1년 만기 정기예금 금리는 연 3.2%입니다. | 정기예금 금리는 1년 만기 연 3.2%, 2년 만기 연 3.5%입니다.
현금으로 결제할 수 있습니다. | 카드와 현금으로 결제할 수 있습니다.
이 절은 1962년에 다시 지어졌습니다. | 이 절은 1398년에 세워졌고 1962년에 다시 지어졌습니다.
X200은 X300보다 가볍습니다. | X300은 X200보다 무겁습니다."""
CONTRADICTED = """\
The store opens at 9:00 on weekends. | The store opens at 9:00 on weekdays and at 11:00 on weekends.
The green jacket is made of wool. | The blue jacket is made of wool and the green jacket is made of cotton.
The X200 is heavier than the X300. | The X300 is heavier than the X200.
Pets are welcome in the restaurant. | Pets are welcome except in the restaurant.
New employees must join the plan after six months. | New employees may join the plan after six months.
The basic plan has 30 GB. | The premium plan has 30 GB and the basic plan has 10 GB.
Gift cards can be exchanged for cash. | Gift cards are valid for two years and cannot be exchanged for cash.
黑色款为纯棉。 | 红色款为纯棉，黑色款为涤纶。
普通商品24小时内发货。 | 生鲜商品24小时内发货，普通商品48小时内发货。
A型比B型贵300元。 | B型比A型贵300元。
定制商品7天内可退货。 | 商品7天内可退货，定制商品除外。
柜台转账设有限额。 | 手机转账限额为5万元，柜台转账不设限额。
员工必须参加补充保险。 | 员工可以参加补充保险。
체크카드 연회비는 2만원입니다. | 체크카드는 연회비가 없고 신용카드 연회비는 2만원입니다.
초록불은 충전 중을 뜻합니다. | 빨간불은 충전 중을 뜻하고 초록불은 충전 완료를 뜻합니다.
X200은 X300보다 무겁습니다. | X300은 X200보다 무겁습니다.
식당에 반려동물을 데려올 수 있습니다. | 식당을 제외한 모든 곳에 반려동물을 데려올 수 있습니다.
영업점 이체는 한도가 있습니다. | 모바일 이체 한도는 5천만원이고 영업점 이체는 한도가 없습니다.
6세 이상 어린이는 무료입니다. | 6세 미만 어린이는 무료이고 6세 이상 12세 이하는 반값입니다.
카드를 해지할 수 없습니다. | 카드를 해지할 수 있습니다."""
NEVER_SUPPORTED = """\
Customers under 18 may open an account. | Customers under 18 may open an account only with a parent's consent.
Items can be returned within 30 days. | Items can be returned within 30 days unless they were on sale.
Orders ship free. | Orders over $50 ship free.
Employees receive 20 days of leave. | Full-time employees receive 20 days of leave.
Shipping is free. | In Europe, shipping is free.
The store opens at 9:00. | The store opens at 9:00 on weekdays and at 11:00 on weekends.
Ben reports to Anna. | Anna reports to Ben, and Ben reports to Carla.
Anna reports to Carla. | Anna reports to Ben, and Ben reports to Carla.
All employees work night shifts. | Some employees work night shifts.
Refunds are possible within 7 days. | Refunds are possible within 7 days. However, sale items are excluded.
The museum is closed. | The museum is closed on Mondays.
Seats can be changed after check-in. | Seats cannot be changed after check-in.
The term ends on 7 May 2023. | The term ends on 7 May 2024.
Dogs are cheaper than cats. | Cats are cheaper than dogs.
Storage is 30 GB. | Premium plan: storage is 30 GB.
员工有15天年假。 | 工龄满五年的员工有15天年假。
手机银行不设限额。 | 手机银行限额为5万元，柜台转账不设限额。
红色款为涤纶。 | 红色款为纯棉，黑色款为涤纶。
票价为50元。 | 如果提前预订，票价为50元。
所有岗位实行弹性工作制。 | 部分岗位实行弹性工作制。
商品7天内可退货。 | 商品7天内可退货，定制商品除外。
该药饭前服用。 | 该药饭后服用。
小李借给小王300元。 | 小王借给小李300元。
직원은 연차가 15일입니다. | 정규직 직원은 연차가 15일입니다.
환불은 7일 이내에 가능합니다. | 환불은 7일 이내에 가능합니다. 단, 사용한 제품은 제외합니다.
재택근무를 주 2일까지 할 수 있습니다. | 팀장이 승인하면 재택근무를 주 2일까지 할 수 있습니다.
지영의 상사는 민수입니다. | 민수의 상사는 지영이고 지영의 상사는 현우입니다.
매장은 오전 10시에 엽니다. | 매장은 평일 오전 10시에 열고 주말 오전 11시에 엽니다.
모든 직원은 야간 근무를 합니다. | 일부 직원은 야간 근무를 합니다.
경찰이 도둑을 잡았습니다. | 도둑이 경찰을 잡았습니다."""
ANSWERS = """\
+ 아니요, 미성년자는 가입할 수 없습니다. | 미성년자도 되나요? | 미성년자는 가입할 수 없습니다.
+ 아니요, 수수료는 무료입니다. | 수수료가 있나요? | 수수료는 무료입니다.
+ 不可以，只能在线办理。 | 可以现场办理吗？ | 只能在线办理。
+ No, payment is by card only. | Can I pay in cash? | Payment is by card only.
- 네, 보증금이 필요합니다. | 보증금이 필요한가요? | 보증금은 필요하지 않습니다.
+ No. | Can I return opened software? | Unused goods can be returned. Opened software cannot be returned.
- Yes. | Can I return opened software? | Unused goods can be returned. Opened software cannot be returned.
+ 아니요. | 개봉한 소프트웨어도 반품되나요? | 미개봉 상품은 반품할 수 있습니다. 개봉한 소프트웨어는 반품되지 않습니다.
- 네, 반품할 수 있습니다. | 개봉한 것도 반품되나요? | 미개봉 상품은 반품할 수 있습니다. 개봉한 것은 반품할 수 없습니다.
? Patel works in cardiology. | Where does Patel work? | Lee works in cardiology. Patel works in neurology.
? Cardiology. | Which department is Dr. Patel in? | Dr. Lee works in cardiology. Dr. Patel works in neurology.
+ Neurology. | Which department is Dr. Patel in? | Dr. Lee works in cardiology. Dr. Patel works in neurology.
- You get 15 days. | How much leave do I get after six years? | Leave is 15 days below five years and 20 days after.
+ 有15天年假。 | 工作六年有几天年假？ | 工龄不满五年的员工年假为10天，满五年的为15天。
- 15일입니다. | 6년 일하면 연차가 며칠인가요? | 연차는 근속 5년 미만이 15일, 5년 이상이 20일입니다.
+ The premium plan | Which plan has 30 GB? | The premium plan has 30 GB and the basic plan has 10 GB.
- 30 GB | How much storage does the basic plan have? | The premium plan has 30 GB and the basic plan has 10 GB.
+ 10 GB | How much storage does the basic plan have? | The premium plan has 30 GB and the basic plan has 10 GB.
+ On the second floor | Where is the service desk? | The service desk is on the second floor.
+ Yes. | Is breakfast included in the price? | Breakfast is included in the price.
- Yes. | Is breakfast included in the price? | Breakfast is not included in the price.
? Basic | Which plan has unlimited data? | The Premium plan has unlimited data.
+ 尊享套餐 | 哪个套餐不限流量？ | 尊享套餐不限流量。
? 基础套餐 | 哪个套餐不限流量？ | 尊享套餐不限流量。
- 2Mbps | 59元套餐限速是多少？ | 限速标准：59元套餐1Mbps，99元套餐2Mbps，129元套餐5Mbps。
+ 可以 | 可以异地取款吗？ | 可以，本行支持全国异地取款，不收手续费。
- 可以。 | 押金可以退还吗？ | 押金不予退还。
+ 24개월 | 보증 기간은 얼마나 되나요? | 제품 보증 기간은 구입일로부터 2년입니다.
- 30GB입니다. | 베이직 요금제는 데이터가 얼마예요? | 프리미엄 요금제는 30GB이고 베이직 요금제는 10GB입니다.
? 네, 가능합니다. | 환불이 되나요? | 네, 구매 후 7일 이내에 환불이 가능합니다.
? 서울 | 본사는 어디에 있나요? | 본사는 부산 해운대구에 있습니다."""
"""``+`` supported, ``-`` contradicted, ``?`` neither."""
CORRECT = """\
9:30 | When does the store open on weekdays? | The store opens at 9:30 on weekdays.
Premium | Which plan has unlimited data? | The Premium plan has unlimited data.
On the second floor | Where is the service desk? | The service desk is on the second floor next to the elevators.
No | Is breakfast included in the room rate? | Breakfast is not included in the room rate.
24 months | What is the warranty period? | The warranty period is two years from the date of purchase.
可以 | 可以异地取款吗？ | 可以，本行支持全国异地取款，不收手续费。
中山路88号 | 分行在哪里？ | 分行位于中山路88号一楼。
尊享套餐 | 哪个套餐不限流量？ | 尊享套餐不限流量。
3个月 | 试用期是几个月？ | 新员工的试用期为三个月。
不能 | 孕妇能服用这个药吗？ | 孕妇禁用该药。
네, 가능합니다. | 환불이 되나요? | 네, 구매 후 7일 이내에 환불이 가능합니다.
15일 | 연차는 며칠인가요? | 정규직 직원의 연차는 1년에 15일입니다.
팀장 | 누가 휴가를 승인하나요? | 휴가는 소속 팀장이 승인합니다.
9:30 | 매장은 몇 시에 열어요? | 매장은 오전 9시 30분에 문을 엽니다.
위약금은 3만 원입니다. | 12개월 안에 해지하면 위약금이 얼마인가요? | 12개월 안이면 3만 원"""
INCORRECT = """\
9:00 | When does the store open on weekdays? | The store opens at 9:30 on weekdays.
Yes | Is breakfast included in the room rate? | Breakfast is not included in the room rate.
22:00 | 几点关门？ | 商场每天晚上九点关门。
不可以 | 可以异地取款吗？ | 可以，本行支持全国异地取款，不收手续费。
10일 | 연차는 며칠인가요? | 정규직 직원의 연차는 1년에 15일입니다.
12개월 후면 3만 원입니다. | 12개월 안에 해지하면 위약금이 얼마인가요? | 12개월 안이면 3만 원
12개월이 지나면 3만 원입니다. | 12개월 안에 해지하면 위약금이 얼마인가요? | 12개월 안이면 3만 원
12개월 안이면 5만 원 | 12개월 안에 해지하면 위약금이 얼마인가요? | 12개월 안이면 3만 원
$30 after 12 months | What does it cost to cancel early? | $30 within 12 months
12个月后为3万元 | 提前解约要交多少钱？ | 12个月内为3万元"""
"""The value stands there, of something else: beyond the time within which it holds."""


@cache
def judge() -> RulesJudge:
    return RulesJudge()


ROWS = """\
- A student ticket costs 14 euros. | Adult tickets cost 14 euros. Students under 26 pay 9 euros.
+ A student ticket costs 9 euros. | Adult tickets cost 14 euros. Students under 26 pay 9 euros.
- DVDs are lent for three weeks. | Books are lent for three weeks and DVDs for one week.
+ DVDs are lent for one week. | Books are lent for three weeks and DVDs for one week.
- The pool closes at 21:00 on weekends. | Open 6:30 to 21:00 on weekdays and 8:00 to 18:00 on weekends.
- 청소년 입장료는 8,000원입니다. | 성인 입장료는 8,000원입니다. 청소년은 5,000원입니다.
- 누수의 자기부담금은 20만 원입니다. | 자기부담금은 도난이 20만 원, 누수가 50만 원입니다.
- 주말에 수영장은 21시에 닫습니다. | 수영장은 평일에는 6시부터 21시까지, 주말에는 8시부터 18시까지 엽니다.
+ 훈민정음은 1446년에 반포되었다. | 세종대왕은 1443년에 훈민정음을 창제하고 1446년에 반포했다.
- 学生票每张60元。 | 成人票每张60元。学生票每张30元。
- 光盘借期为三周。 | 图书借期为三周，光盘借期为一周。
- 周末游泳馆21:00关门。 | 游泳馆工作日6:30至21:00开放，周末8:00至18:00开放。
+ 歌曲是2007年出的。 | 歌曲什么时候发行？2007年10月28日发行，2007年成为片尾曲。
+ 우대 금리 0.3%포인트를 받을 수 있습니다. | 대출 금리는 연 4.5 %입니다.
+ You get a preferential rate of 0.3 percentage points. | The loan rate is 4.5%.
+ 可享受0.3个百分点的优惠利率。 | 贷款利率为4.5%。
+ 7天后赎回免费。 | 不足七天赎回收取1.5%的费用，满七天后免赎回费。"""
"""``-`` contradicted: the value of another row; ``+`` never contradicted."""


def told(claim: str, source: str, question: str = "") -> Verdict:
    claims = (Claim(text=claim, start=0, end=len(claim)),)
    return judge().verdicts([Query(relation="support", claims=claims, material=(source,), question=question)])[0][0]


def rows(table: str) -> list[list[str]]:
    return [line.split(" | ") for line in table.splitlines()]


def correctness(answer: str, question: str, reference: str) -> float | None:
    case = EvalCase(question=question, answer=answer, retrieved_contexts=[], ground_truth_answer=reference)
    return evaluate_case(case, judge(), ("answer_correctness",)).results["answer_correctness"].score


@pytest.mark.parametrize(("claim", "source"), rows(SUPPORTED))
def test_what_one_statement_says_is_supported_by_it(claim: str, source: str) -> None:
    verdict = told(claim, source)

    assert verdict.label == "supported", verdict.reason
    assert verdict.quote
    assert verdict.quote in source


@pytest.mark.parametrize(("claim", "source"), rows(CONTRADICTED))
def test_what_a_statement_says_otherwise_is_contradicted(claim: str, source: str) -> None:
    verdict = told(claim, source)

    assert verdict.label == "contradicted", verdict.reason
    assert verdict.quote in source


@pytest.mark.parametrize(("claim", "source"), rows(NEVER_SUPPORTED))
def test_what_a_statement_says_of_others_or_under_a_condition_is_not_supported(claim: str, source: str) -> None:
    assert told(claim, source).label != "supported"


@pytest.mark.parametrize("row", ROWS.splitlines())
def test_the_value_of_another_row_is_contradicted(row: str) -> None:
    claim, source = row[2:].split(" | ")

    assert (told(claim, source).label == "contradicted") == (row[0] == "-")


@pytest.mark.parametrize("row", ANSWERS.splitlines())
def test_a_short_answer_is_read_together_with_its_question(row: str) -> None:
    answer, question, source = row[2:].split(" | ")
    label = told(answer, source, question).label

    expected = {"+": {"supported"}, "-": {"contradicted"}, "?": {"not_decided", "undetermined"}}
    assert label in expected[row[0]]


@pytest.mark.parametrize(("answer", "question", "reference"), rows(CORRECT))
def test_a_short_right_answer_is_correct(answer: str, question: str, reference: str) -> None:
    assert correctness(answer, question, reference) == 1.0


@pytest.mark.parametrize(("answer", "question", "reference"), rows(INCORRECT))
def test_a_short_wrong_answer_is_not_correct(answer: str, question: str, reference: str) -> None:
    assert correctness(answer, question, reference) == 0.0


@pytest.mark.parametrize(("answer", "question", "reference"), rows(CORRECT))
def test_a_short_right_answer_is_on_the_question(answer: str, question: str, reference: str) -> None:
    case = EvalCase(question=question, answer=answer, retrieved_contexts=[reference])
    assert evaluate_case(case, judge(), ("answer_relevancy",)).results["answer_relevancy"].score == 1.0


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_read_and_every_token_stands_in_it(claim: str, source: str) -> None:
    told(claim, source, source)
    reading = Reading(source)
    for sentence in reading.sentences:
        statement = read_statement(reading, sentence)
        assert all(0 <= each.start <= each.end <= len(sentence.folded) for each in statement.tokens)
        assert all(0 <= each.clause < len(statement.clauses) for each in statement.tokens)
