"""Short answers with a value or a name, held against what their question asks for.

Behind ``=`` a source; below it a line each answer with its question: ``+`` supported, ``-`` contradicted, ``?``
neither.
"""

from __future__ import annotations

import pytest
from marked_answers import EXPECTED, label_of, marked

CASES = """\
= Revenue was $1.2 billion. Comparable sales declined 2.1%, while online orders rose 14%.
- How did comparable sales do last quarter? | Up 2.1%.
= 租客每月支付租金4200元，押金为两个月租金。
? 押金一共多少？ | 8400元。
= 会员年费1200元，学生凭证件享八折。周末场地每小时60元，工作日半价。
? 学生年费多少？ | 960元。
? 工作日打一小时多少钱？ | 30块。
- 会员年费多少？ | 1500元。
= 입장료는 어른 9천 원, 어린이 6천 원입니다.
? 어른 둘이면 얼마예요? | 만 팔천 원이요.
= A guided tour is $24 a person. Pensioners get 25 % off.
? What does a pensioner pay? | $18
- What does a tour cost? | $42
= The scooter has a two-year warranty on the frame. Batteries are covered for 6 months. Repairs take up to 5 days.
- How long is the battery covered? | Two years.
+ How long is the battery covered? | Half a year.
+ How long do repairs take? | No more than five business days.
= Train 204 departs Boston at 19:40 and arrives in New York at 23:55. Tickets cost $89, or $62 for students.
+ When does the train leave Boston? | At 7:40 pm.
- When does the train leave Boston? | At 11:55 pm.
+ When do you get to New York? | five to midnight
+ What does a student pay? | 62 dollars
- What does a student pay? | $89
+ How much is a ticket for students? | $62
= Employees accrue 1.5 vacation days per month. Up to 5 unused days may be carried over to the next year.
+ How many days can I carry over? | At most five
- How many days can I carry over? | Up to 10 days.
+ How many vacation days do I get a year? | 18 days
= We are open Monday to Friday from 8 a.m. to 6 p.m. and on Saturdays from 9 a.m. to 1 p.m.
+ What time do you close on Saturday? | 1 pm
- What time do you close on Saturday? | At six in the evening
+ When do you open on Wednesdays? | 8 in the morning
= The clinic moved from Oak Street to 12 Elm Road in March.
+ Where is the clinic now? | On Elm Road
- Where is the clinic now? | Oak Street
- When did the clinic move? | In May
= New patients should arrive 15 minutes early and bring photo ID and their insurance card.
+ What should I bring? | Photo ID and insurance card
? What should I bring? | Your passport and a list of medicines.
+ How early should new patients come? | A quarter of an hour early.
= Membership costs $45 per month. The pool is closed every Tuesday.
+ How much is membership? | 45 dollars a month
- How much is membership? | $54 a month
+ How much is membership per year? | $540 a year
= 도서는 한 번에 다섯 권까지 대출할 수 있으며 대출 기간은 14일입니다. 연체하면 하루에 권당 100원의 연체료가 부과됩니다.
+ 한 번에 몇 권 빌릴 수 있어요? | 5권입니다.
+ 대출 기간은 얼마예요? | 2주예요
+ 연체료는 얼마인가요? | 하루에 100원
= 수료 기준은 출석률 80% 이상이며, 과제는 3회 중 2회 이상 제출해야 합니다. 수강생은 410명에서 385명으로 감소했습니다.
+ 출석률이 얼마 이상이어야 수료하나요? | 80퍼센트 이상요
- 출석률은 얼마여야 하죠? | 70%요
+ 과제를 몇 번 내야 해요? | 두 번 이상요
- 지금 수강생은 몇 명이에요? | 410명
+ 지금 수강생은 몇 명이에요? | 385명이요
= 영업이익은 95억 원으로 12% 감소했고, 매출은 1,240억 원으로 8% 늘었습니다.
+ 매출은 얼마예요? | 1240억 원
- 매출은 얼마예요? | 95억 원이요
+ 영업이익은 몇 퍼센트 줄었나요? | 12퍼센트
- 영업이익은 몇 퍼센트 줄었나요? | 8%
= 헬스장은 연중무휴로 오전 6시부터 밤 11시까지 운영하며, 일요일만 오후 8시에 닫습니다. 개인 사물함은 월 1만 원입니다.
+ 일요일에는 몇 시까지 해요? | 저녁 8시까지 합니다.
- 일요일에는 몇 시까지 해요? | 밤 11시까지 해요.
+ 사물함 요금은요? | 한 달에 만 원이에요.
= 대형폐기물은 매주 화요일과 금요일 오전에 수거합니다.
+ 수거는 무슨 요일에 와요? | 화요일이랑 금요일이요.
- 수거는 무슨 요일에 와요? | 수요일이요.
= 독감 예방접종 비용은 3만 5천 원이며 생후 6개월부터 13세까지는 무료입니다.
? 열 살 아이 독감 주사 얼마예요? | 3만 5천 원 내셔야 합니다.
= 员工年假：工作满1年不满10年的，5天；满10年不满20年的，10天；满20年的，15天。每人每次最多可借图书10本，借期30天。
+ 我工作12年了，年假几天？ | 10天
- 我工作12年了，年假几天？ | 15天
+ 一次能借几本书？ | 十本
- 一次能借几本书？ | 15本
= 停车场前两小时免费，之后每小时收费6元，单日最高60元。会员年卡原价399元，现价299元。
+ 停车超过两小时怎么收费？ | 一小时六块钱
+ 停车一天最多多少钱？ | 60元
+ 年卡现在多少钱？ | 299元
- 年卡现在多少钱？ | 399块
= 本店营业时间为周一至周五10:00—21:00，周末延长至22:00。
+ 周六开到几点？ | 晚上十点
- 周六开到几点？ | 周六开到晚上九点。
= 最低还款额为账单金额的10%。挂失手续费30元。
+ 账单8000元，最低要还多少？ | 800元
- 账单8000元，最低要还多少？ | 最低还1600元。"""


@pytest.mark.parametrize(("mark", "answer", "question", "source"), list(marked(CASES)))
def test_an_answer_gives_what_is_asked_for(mark: str, answer: str, question: str, source: str) -> None:
    assert label_of(answer, question, source) in EXPECTED[mark]
