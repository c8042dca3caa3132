"""A value that went from one number to another: from 8.1 to 7.4, 8.1에서 7.4로, 从8.1降到7.4."""

from __future__ import annotations

from turnmark.language.later import later
from turnmark.language.quantity.quantity import Quantity

WENT_TO = later(
    " ?(?:(?:down |up |back )?to|(?:에서|->|→)|(?:下?降|降低|回落|上?升|升高|涨|改善)?(?:到|至)了?|(?:现在|지금은?)) ?"
)
"""What stands between the first and the last value of a change."""
_CHANGED_BEFORE = later(
    r"\b(?:went|gone|came|come|dropped|fell|fallen|rose|risen|climbed|improved|moved|changed|decreased|increased)\b"
    r"[a-z ,]{0,24}$"
)
_CHANGED_BEHIND = later("(?:으로|로) ?[가-힣 ]{0,5}[왔졌랐었났렸]")


def ends_change(text: str, first: Quantity, amount: Quantity) -> bool:
    """Tell the last value of a change that has happened; one that is to come is a target.

    Args:
        text: Folded text.
        first: The value that the change began with.
        amount: The amount that may end it.

    """
    if not WENT_TO.fullmatch(text, first.end, amount.start):
        return False
    return bool(
        _CHANGED_BEFORE.search(text, max(0, first.start - 40), first.start) or _CHANGED_BEHIND.match(text, amount.end)
    )


_CAME_TO = later(
    r"\b(?:went|gone|came|come|climbed|rose|risen|crept|jumped|shot|dropped|fell|fallen|declined|improved|increased"
    r"|decreased|(?:is|was|are|were|been|be) (?:now )?)(?: back| all the way| slightly| a little)?(?: up| down)? ?to "
    r"(?:about |around |roughly |only |just )?$"
)
_TO_COME = later(
    r"\b(?:should|must|needs?|want|until|unless|would|could|may|might|can|will|goal|target|aim|hope|once|when|if|be)\b"
)
_REACHED = later(
    "(?:已经?|又|最近|这次|上次|近期|目前|现在|一下子?|略|稍)*(?:下降|上升|升高|降低|回落|反弹|改善|上涨|[降升涨跌落掉])"
    "(?:到|至)了?(?:约|大约|只有)? ?$"
)
_AIMED_AT = later("[要应需须想把将才若当会能可]|目标|争取|希望|尽量|努力|最好|如果|一旦|控制|直到|打算|计划|等")
_AIMED_BEHIND = later(
    " ?(?:%|[a-z/^0-9.μµ]{1,16}|毫[克摩][a-z/每分升尔]*)? ?"
    "(?:以[下上内]|左右?[就为才]|[就才为时后再]|最好|比较|附近[就为]|的目标|之前)"
)


def has_come_to(text: str, name_end: int, amount: Quantity) -> bool:
    """Tell a value that something is said to have come to: went up to 9%, is down to 7.4%, 降到11.2.

    Args:
        text: Folded text.
        name_end: Where the name of what is measured ends.
        amount: The number; a comparator (up to) may open it.

    """
    first = next((place for place in range(amount.start, amount.end) if text[place].isdigit()), amount.start)
    if name_end > first:
        return False
    between = text[name_end:first]
    if _REACHED.fullmatch(between.lstrip(" 的是,")):
        opened = max(text.rfind(mark, max(0, name_end - 40), name_end) for mark in ",.;!?\n。、")
        before = text[max(opened + 1, name_end - 40) : name_end]
        return not (_AIMED_AT.search(before) or _AIMED_BEHIND.match(text, amount.end))
    came = _CAME_TO.search(text, max(name_end, first - 48), first)
    return came is not None and not _TO_COME.search(text, max(0, came.start() - 24), came.start())
