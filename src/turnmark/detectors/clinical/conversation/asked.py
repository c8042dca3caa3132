"""What a patient only asks about: which knee it was, whether an antibiotic may be taken. Asking tells nothing."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from turnmark.language.later import later
from turnmark.language.match.intervals import Span

_REACH = 80
"""Characters of one clause before what is asked, and behind it."""
_ARTICLES = r"(?:an?|the|any|some|another|more|of) "
_MAY_I_TAKE = later(
    r"(?:\b(?:can|could|may|should|would|must|shall) (?:i|we) (?:also |still |just |safely |even |ever |now )*"
    r"(?:be (?:given|prescribed|put on) |(?:take|use|have|try|start|get|switch to|go on|ask for) )"
    r"|\b(?:is it|would it be) (?:ok|okay|safe|fine|all right|alright)(?: for me)? to (?:take|use|have|try|start) "
    rf"|\b(?:what|how) about )(?:{_ARTICLES})*$"
    r"|(?:能不能|可不可以|可以|可否|能否|能|要不要|该不该|应该)(?:吃|服用|服|用|使用|打)(?:一些|一点|点|些|像)*$"
)
_MAY_IT_BE_TAKEN = later(
    r"(?:을|를|은|는|도|이라도|라도)? ?(?:좀 |같이 |함께 )*"
    r"(?:먹어도|복용해도|써도|맞아도|사용해도) ?(?:되|될|돼|괜찮|안전)"
    r"|(?:能不能|可不可以|可以|能)(?:吃|服用|服|用|使用|打)"
)
_TO_QUESTION = later(rf"[^.!。\n]{{0,{_REACH}}}?[?吗]")
_ALIKE = later(
    rf"(?:, | or | and | such as |,? like )(?:{_ARTICLES})*"
    r"| ?같은 | ?(?:이나|나|과|와) ?|(?:这样|之类|这类)?的|[、或和]"
)
_TOLD_BEHIND = later(
    r" (?:that |which )?(?:i|we|he|she|they|my|was|were|you|prescribed|given)\b"
    r"|[^.!?\n]{0,40}?(?:는데|은데|아서|어서|지만)"
)
"""Behind a medicine: it is told how it came to be taken."""
_ASKS = later(
    r"\b(?:which|what|whose)\b|\b(?:did|do|does|have|had|has|was|were|is|are|am|can|could|may|should|would|will|shall"
    r"|must) (?:i|we|my|it|this|that|the|there)\b"
)
_MY = later(r"\bmy (?:[a-z-]+ ){0,3}$")
_ENDS_ASKING = later(r"[^.!?,;。\n]*(?:\?|[吗呢么](?:[?。.\n]|$)|(?:나요|까요|가요|죠|지요)(?:[?.\n]|$))")
_TOLD_FIRST = later(r"[^.!?,;。\n]*?(?:는데|은데|아서|어서|지만|으니|고 있)")
_CLAUSE_ENDS = ".!?,;。\n"


def asked_for(text: str, names: Iterable[Span]) -> frozenset[Span]:
    """The names of medicines of a folded text that are only asked for: can I take an antibiotic like penicillin.

    Args:
        text: The folded question.
        names: Where medicines are named.

    """
    found: set[Span] = set()
    inside = sorted(set(names))
    for start, end in inside:
        before = _MAY_I_TAKE.search(text, max(0, start - _REACH), start)
        if (before and _TO_QUESTION.match(text, end)) or _MAY_IT_BE_TAKEN.match(text, end):
            found.add((start, end))
    # A list is asked for as a whole, whichever of its names stands by the words.
    joined = [(one, other) for one, other in pairwise(inside) if _ALIKE.fullmatch(text, one[1], other[0])]
    found.update(other for one, other in joined if one in found)
    found.update(one for one, other in reversed(joined) if other in found)
    return frozenset(span for span in found if not _TOLD_BEHIND.match(text, span[1]))


def is_asked(text: str, start: int, end: int) -> bool:
    """Whether the clause around what a folded question names asks about it: which knee did I have replaced.

    "My new knee" is told, whatever is asked.
    """
    first = max(text.rfind(mark, 0, start) for mark in _CLAUSE_ENDS) + 1
    if _TOLD_FIRST.match(text, end) or _MY.search(text, first, start):
        return False
    ends = _ENDS_ASKING.match(text, end)
    return ends is not None and (not text[start:end].isascii() or _ASKS.search(text, first, end) is not None)
