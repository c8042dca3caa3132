"""An answer is right for the case that its question asks about, and for what its source makes it wait for.

Behind ``=`` a source; below it a line each answer with its question: ``+`` supported, ``-`` contradicted, ``?``
neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from turnmark.judges.rules.judge import RulesJudge
from turnmark.schemas.judging.judgement import Claim, Query

CASES = """\
= Full refunds are available within 30 days. Refunds for sale items are limited to store credit within 7 days.
- Can I get a refund on sale items? | Yes, a full refund within 30 days.
= 상품은 수령 후 30일 이내에 반품할 수 있습니다. 개봉한 상품은 14일 이내에만 반품할 수 있습니다.
- 개봉한 상품도 반품할 수 있나요? | 네, 30일 이내에 반품할 수 있습니다.
= 退票规定：出发前7天以上全额退款，3至7天退50%，3天以内不予退款。
- 出发前5天能退多少？ | 全退。
+ 出发前5天能退多少？ | 50%。
= Refunds: 7 days or more before departure, 100%; 3 to 7 days, 50%; less than 3 days, no refund.
- How much is refunded 5 days before departure? | 100%.
+ How much is refunded 5 days before departure? | 50%.
= 跨行转账每笔收1%，本行转账免费。
? 本行转账要收费吗？ | 收1%。
= We charge 1% for transfers abroad. Domestic transfers are charged at 0.5%.
- Do you charge for domestic transfers? | Yes, we charge 1%.
= 매출은 8% 늘었지만 영업이익은 12% 줄었습니다.
- 영업이익은 어떻게 됐나요? | 12% 늘었어요.
= The tenant must not sublet the apartment without the landlord's written consent.
+ Can I sublet the apartment? | No, you need the landlord's written consent.
+ Can I sublet the apartment? | Only with the landlord's written consent.
+ Can I sublet the apartment? | Yes, with the landlord's written consent.
- Can I sublet the apartment? | Yes, no written consent is needed.
= 未经房东书面同意，租客不得转租。
+ 可以转租吗？ | 不能，得房东书面同意。
+ 可以转租吗？ | 可以，但要房东书面同意。
- 没有房东书面同意可以转租吗？ | 可以。
= 임차인은 임대인의 서면 동의 없이 전대할 수 없습니다.
+ 전대할 수 있나요? | 아니요, 임대인의 서면 동의가 필요합니다.
- 전대할 수 있나요? | 네, 서면 동의 없이도 가능합니다."""


@cache
def judge() -> RulesJudge:
    return RulesJudge()


def cases() -> Iterator[tuple[str, str, str, str]]:
    source = ""
    for row in CASES.splitlines():
        if row[0] == "=":
            source = row[2:]
        else:
            question, answer = row[2:].split(" | ")
            yield row[0], answer, question, source


@pytest.mark.parametrize(("mark", "answer", "question", "source"), list(cases()))
def test_an_answer_is_of_the_case_that_is_asked_about(mark: str, answer: str, question: str, source: str) -> None:
    claims = (Claim(text=answer, start=0, end=len(answer)),)
    query = Query(relation="support", claims=claims, material=(source,), question=question)

    label = judge().verdicts([query])[0][0].label

    expected = {"+": {"supported"}, "-": {"contradicted"}, "?": {"not_decided", "undetermined"}}
    assert label in expected[mark]
