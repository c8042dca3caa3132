"""Answers that leave out a condition, that open with a yes or a no, and whose value is chosen by a limit.

Behind ``=`` a question and its source; below it a line each answer: ``+`` supported, ``-`` contradicted, ``?`` neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from turnmark.judges.rules.judge import RulesJudge
from turnmark.schemas.judging.judgement import Claim, Query

THE_REST = """\
= I live in another town. What is the entry fee? | Entry is free for residents. Others pay 6 euros.
? Entry is free.
= What do residents pay to get in? | Entry is free for residents. Others pay 6 euros.
+ Entry is free.
= What do visitors pay? | Entry is free for residents. Others pay 6 euros.
+ 6 euros.
= What is the entry fee for residents? | Entry is free for residents. Others pay 6 euros.
- 6 euros.
= I call at 9. Who answers? | Calls before 8 am go to the night desk; later calls go to reception.
? The night desk.
= When is the bus at the weekend? | The bus leaves at 8:15 and 17:40 on weekdays. Weekend buses leave at 9:30.
- The weekend bus leaves at 8:15.
+ The weekend bus leaves at 9:30.
= When is the bus on weekdays? | The bus leaves at 8:15 and 17:40 on weekdays. Weekend buses leave at 9:30.
+ At 8:15 and 17:40.
- It leaves at 9:30.
= How long can I keep a book? | Members may borrow up to eight books for three weeks.
- Eight weeks.
? You may keep it for eight days.
= 我是外地的，门票多少钱？ | 本地居民免费入馆，其他人门票50元。
? 免费。
= 本地居民门票多少钱？ | 本地居民免费入馆，其他人门票50元。
+ 免费。
? 50元。
= 外地人门票多少钱？ | 本地居民免费入馆，其他人门票50元。
+ 50元。
= 저는 다른 도시에 살아요. 입장료가 얼마인가요? | 지역 주민은 무료이고 그 외 방문객은 6천 원입니다.
? 무료입니다.
= 지역 주민은 입장료가 얼마인가요? | 지역 주민은 무료이고 그 외 방문객은 6천 원입니다.
+ 무료입니다.
- 6천 원입니다.
"""

DROPPED = """\
= 독감 예방접종은 무료인가요? | 독감 예방접종은 65세 이상 어르신에게 무료입니다.
? 네, 무료입니다.
? 무료입니다.
= 환불되나요? | 개봉한 상품은 환불되지 않습니다.
? 환불되지 않습니다.
? 아니요, 환불은 불가능합니다.
? 아니요.
? 아니요, 환불되지 않습니다.
= 환불되나요? | 세일 상품은 환불이 불가능합니다.
? 환불은 불가능합니다.
? 아니요, 환불은 불가능합니다.
? 환불이 안 됩니다.
= 가입할 수 있나요? | 미성년자는 가입할 수 없습니다.
? 가입할 수 없습니다.
? 아니요, 가입할 수 없습니다.
? 아니요.
= 무료로 주차할 수 있나요? | 회원은 무료로 주차할 수 있습니다.
? 무료로 주차할 수 있습니다.
? 네, 무료로 주차할 수 있습니다.
? 네.
= 신청할 수 있나요? | 평일에만 신청할 수 있습니다.
? 신청할 수 있습니다.
? 언제든지 신청할 수 있습니다.
= 입장할 수 있나요? | 예약한 손님만 입장할 수 있습니다.
? 입장할 수 있습니다.
? 네, 입장할 수 있습니다.
= 배송비가 있나요? | 이벤트 기간에는 배송비가 없습니다.
? 배송비가 없습니다.
? 아니요, 배송비가 없습니다.
? 아니요.
= 能退货吗？ | 已开封的商品不予退货。
? 不予退货。
? 不能，不予退货。
? 不能退货。
? 不能。
= 能退换吗？ | 特价商品不能退换。
? 不能退换。
? 不能，不能退换。
? 不可以。
= 可以免费停车吗？ | 会员可以免费停车。
? 可以免费停车。
? 可以，免费停车。
? 可以。
= 可以办理吗？ | 只有工作日可以办理。
? 可以办理。
? 可以。
= 能开户吗？ | 未成年人不能开户。
? 不能开户。
? 不能。
= 运费多少？ | 活动期间免运费。
? 免运费。
= Can I get a refund? | Opened goods cannot be refunded.
? No refunds.
? No, refunds are not possible.
? No.
? Goods cannot be refunded.
? Cannot be refunded.
= Can I get a refund? | Refunds are not possible on sale items.
? Refunds are not possible.
? No, refunds are not possible.
? No.
= Can I park for free? | Members can park for free.
? You can park for free.
? Yes, you can park for free.
? Yes.
= Is parking free? | Parking is free on Sundays.
? Parking is free.
? Yes, parking is free.
= Are pets allowed? | Pets are allowed in the garden.
? Pets are allowed.
? Yes, pets are allowed.
? Yes.
= Can tickets be refunded? | Tickets can be refunded if cancelled before the day of travel.
? Tickets can be refunded.
? Yes, tickets can be refunded.
= Is delivery free? | Delivery is free for orders over $50.
? Delivery is free.
? Yes, delivery is free.
? Yes.
= Are visitors admitted? | Visitors under 16 are not admitted.
? Visitors are not admitted.
? No, visitors are not admitted.
? No.
= 배송비가 무료인가요? | 3만 원 이상 주문하면 배송비가 무료입니다.
? 배송비가 무료입니다.
? 네, 배송비가 무료입니다.
= 包邮吗？ | 满99元包邮。
? 包邮。
? 是的，包邮。
? 包邮的。
= Is the deposit returned? | The deposit is returned when you move out.
? No, the deposit is kept.
= Can I pay by cheque? | We accept cash and debit cards.
? Yes, we accept cash and debit cards."""
"""What holds of some, or under a condition, is not said of all."""

OPENED = """\
= 개봉한 상품도 환불되나요? | 개봉한 상품은 환불되지 않습니다.
+ 환불되지 않습니다.
+ 아니요, 환불되지 않습니다.
+ 아니요.
= 미성년자도 되나요? | 미성년자는 가입할 수 없습니다.
+ 아니요, 미성년자는 가입할 수 없습니다.
+ 미성년자는 가입할 수 없습니다.
= 현금을 받나요? | 저희 매장은 현금을 받지 않습니다.
+ 현금을 받지 않습니다.
+ 아니요, 현금을 받지 않습니다.
= 보증금이 필요한가요? | 보증금은 필요하지 않습니다.
+ 아니요, 보증금은 필요하지 않습니다.
+ 보증금은 필요하지 않습니다.
+ 필요하지 않습니다.
= 수수료가 있나요? | 수수료는 무료입니다.
+ 아니요, 수수료는 무료입니다.
+ 수수료는 무료입니다.
= 방문 신청도 되나요? | 온라인으로만 신청할 수 있습니다.
+ 아니요, 온라인으로만 신청할 수 있습니다.
+ 온라인으로만 신청할 수 있습니다.
= 已开封的商品能退货吗？ | 已开封的商品不予退货。
+ 不予退货。
+ 不能，已开封的商品不予退货。
+ 不能。
= 可以刷信用卡吗？ | 本店不接受信用卡。
+ 不接受信用卡。
+ 不可以，本店不接受信用卡。
= 可以现场办理吗？ | 只能在线办理。
+ 不可以，只能在线办理。
+ 只能在线办理。
= 会员可以免费停车吗？ | 会员可以免费停车。
+ 可以免费停车。
+ 可以，会员可以免费停车。
+ 可以。
= Can I return opened goods? | Opened goods cannot be refunded.
+ Opened goods cannot be refunded.
+ No, opened goods cannot be refunded.
= Can I pay in cash? | Payment is by card only.
+ No, payment is by card only.
+ Payment is by card only.
= Are pets allowed? | Pets are not allowed.
+ No, pets are not allowed.
+ No.
+ Pets are not allowed.
= Can members park for free? | Members can park for free.
+ Yes, members can park for free.
+ Yes.
+ Members can park for free.
= Is the deposit returned? | The deposit is returned when you move out.
+ Yes, the deposit is returned when you move out.
+ The deposit is returned when you move out.
= Is breakfast included? | Breakfast is not included.
+ No, breakfast is not included.
+ No.
= 조식이 포함되나요? | 조식은 포함되지 않습니다.
+ 아니요, 조식은 포함되지 않습니다.
+ 아니요.
= 包含早餐吗？ | 早餐不包含在内。
+ 不包含，早餐不包含在内。
+ 不，早餐不包含在内。
= 방문 신청도 되나요? | 온라인으로만 신청할 수 있습니다.
- 네, 온라인으로만 신청할 수 있습니다.
- 네, 온라인으로만 가능합니다.
= 可以现场办理吗？ | 只能在线办理。
- 可以，只能在线办理。
= Can I pay in cash? | Payment is by card only.
- Yes, payment is by card only.
= Are pets allowed? | Pets are not allowed.
- Yes, pets are allowed.
- Yes, pets are not allowed.
= 보증금이 필요한가요? | 보증금은 필요하지 않습니다.
- 네, 보증금은 필요하지 않습니다.
- 네, 보증금이 필요합니다.
= Is breakfast included? | Breakfast is not included.
- Yes, breakfast is included.
= Is the deposit returned? | The deposit is returned when you move out.
- No, the deposit is not returned."""
"""The same where the question gives the condition; a yes or a no with a statement behind it."""

TIERS = """\
= How long after six years? | Leave is 15 days with less than five years of work and 20 days from the fifth year on.
+ 20 days.
- 15 days.
- You get 15 days.
= How long after three years? | Leave is 15 days with less than five years of work and 20 days from the fifth year on.
+ 15 days.
- 20 days.
= 工作六年有几天年假？ | 工龄不满五年的员工年假为10天，满五年的为15天。
+ 15天。
+ 有15天年假。
- 10天。
- 有10天年假。
= 工作12年有几天年假？ | 工作满1年不满10年的年假5天，满10年不满20年的10天，满20年的15天。
+ 10天。
+ 年假有10天。
- 15天。
- 5天。
= 工作25年有几天年假？ | 工作满1年不满10年的年假5天，满10年不满20年的10天，满20年的15天。
+ 15天。
- 10天。
= 4년 다녔는데 교육비가 얼마 지원되나요? | 근속 3년 미만은 교육비 30만 원, 3년 이상은 50만 원을 지원합니다.
+ 50만 원을 지원합니다.
+ 50만 원입니다.
- 30만 원을 지원합니다.
= 6년 일하면 연차가 며칠인가요? | 근속 5년 미만 직원의 연차는 15일, 5년 이상은 20일입니다.
+ 20일입니다.
+ 연차는 20일이에요.
- 15일입니다.
- 25일입니다.
= 5년 일하면 연차가 며칠인가요? | 근속 5년 미만 직원의 연차는 15일, 5년 이상은 20일입니다.
+ 20일입니다.
- 15일입니다.
= How much is shipping for a $30 order? | Orders under $50 cost $6 to ship; orders of $50 or more ship for $2.
+ $6.
- $2.
= How much does a 7-year-old pay? | Children under 5 pay $3. Children aged 5 to 15 pay $8. Adults pay $12.
+ $8.
+ A 7-year-old pays $8.
- $3.
= 12公斤的运费是多少？ | 10公斤以下运费为8元，超过10公斤的运费为15元。
+ 15元。
+ 运费是15元。
- 8元。
= 2천만 원을 넣으면 금리가 얼마인가요? | 예금 1천만 원 미만은 금리 2.5%, 1천만 원 이상은 3%입니다.
+ 3%입니다.
- 2.5%입니다."""
"""A value that is chosen by the limits among which that of the question lies."""

WRITTEN = """\
= 高级版多少钱？ | 标准版每月30元；高级版每月88元。
+ 88元一个月。
- 30元一个月。
- 88元一年。
= 周六几点开门？ | 周一至周五上午9点开门，周六上午10点开门。
+ 10点。
- 9点。
= 프로 요금제는 얼마인가요? | 베이직 요금제는 월 1만 원, 프로 요금제는 월 2만 원입니다.
+ 한 달에 2만 원입니다.
- 한 달에 1만 원입니다."""
"""The same value in other words."""

ONE_WAY = """\
= 방문 접수 되나요? | 접수는 온라인으로만 가능합니다.
+ 방문 접수는 안 됩니다.
= 환불을 현금으로 받을 수 있나요? | 결제는 카드로만 가능합니다.
? 네.
= 현금으로 결제할 수 있나요? | 결제는 카드로만 가능합니다.
- 네.
+ 현금 결제는 안 됩니다.
- 현금으로 결제할 수 있습니다.
= Can I pay in cash? | Payment is by card only.
- Yes.
+ No.
= Can I pay by credit card? | Payment is by card only.
? Yes.
= Can I apply by phone? | Payment is by card only.
? No.
= 可以现场办理吗？ | 只能网上办理。
- 可以现场办理。
+ 不能现场办理。
= 可以在官网办理吗？ | 只能网上办理。
? 可以。
? 不可以。
= 周六可以退票吗？ | 退票只能在窗口办理。
? 可以，退票只能在窗口办理。
= 주말에 신청할 수 있나요? | 온라인으로만 신청할 수 있습니다.
? 네, 온라인으로만 신청할 수 있습니다.
= 홈페이지에서 신청할 수 있나요? | 온라인으로만 신청할 수 있습니다.
? 네, 온라인으로만 신청할 수 있습니다."""
"""What one way alone is open to; a way of the same kind, or another matter, tells nothing."""

RATES = """\
= 우대 금리가 있나요? | 대출 금리는 연 4.5 %입니다.
? 우대 금리는 0.3 %입니다.
=  | 대출 금리는 연 4.5 %입니다.
? 우대 금리 0.3 %를 받을 수 있습니다.
= 대출 금리는? | 대출 금리는 연 4.5 %입니다.
- 대출 금리는 3 %입니다.
=  | 대출 금리는 연 4.5 %입니다.
- 금리는 3 %입니다.
=  | The loan rate is 4.5%.
? The preferential rate is 0.3%.
- The loan rate is 3%.
=  | The annual loan rate is 4.5%.
- The loan rate is 3%.
=  | 贷款利率为4.5%。
? 优惠利率为0.3%。
- 贷款利率为3%。
=  | 성인 입장료는 8,000원입니다.
- 성인 입장료는 5,000원입니다."""
"""Another rate is not this one with another figure."""


@cache
def judge() -> RulesJudge:
    return RulesJudge()


def cases() -> Iterator[tuple[str, str, str, str]]:
    question = source = ""
    for row in f"{THE_REST}{DROPPED}\n{OPENED}\n{TIERS}\n{WRITTEN}\n{ONE_WAY}\n{RATES}".splitlines():
        if row[0] == "=":
            question, source = row[2:].split(" | ")
        else:
            yield row[0], row[2:], question, source


@pytest.mark.parametrize(("mark", "claim", "question", "source"), list(cases()))
def test_an_answer_says_no_more_than_its_source(mark: str, claim: str, question: str, source: str) -> None:
    claims = (Claim(text=claim, start=0, end=len(claim)),)
    query = Query(relation="support", claims=claims, material=(source,), question=question)

    label = judge().verdicts([query])[0][0].label

    expected = {"+": {"supported"}, "-": {"contradicted"}, "?": {"not_decided", "undetermined"}}
    assert label in expected[mark]
