"""An answer is right for the case that its question asks about, and for what its source makes it wait for.

Behind ``=`` a source; below it a line each answer with its question: ``+`` supported, ``-`` contradicted, ``?``
neither.
"""

from __future__ import annotations

import pytest
from marked_answers import EXPECTED, label_of, marked

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


@pytest.mark.parametrize(("mark", "answer", "question", "source"), list(marked(CASES)))
def test_an_answer_is_of_the_case_that_is_asked_about(mark: str, answer: str, question: str, source: str) -> None:
    assert label_of(answer, question, source) in EXPECTED[mark]
