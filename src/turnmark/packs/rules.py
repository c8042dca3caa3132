"""The grammar of rule packs: patterns as data, the window and scope they need, quantities, and what they conclude.

A pattern is a line of steps separated by spaces, each found in order inside the rule's window:

``净值|价格``      one of several literals (``|`` between them); an ASCII literal matches whole words, ``_`` is a space
                   a lone 会, 要, 能, 有 … is not found inside another word (机会, 需要)
``<fall>``         any literal of the word list ``fall``; lists and literals mix: ``<fall>|缩水``
``guarantee*``     an ASCII literal with any ending
``~8``             up to 8 characters may stand between the steps around it (none without it; in English, spaces)
``~8,``            the same within a clause: no comma and no stop among them; at the end of a pattern, up to so many
                   characters more belong to the match
``~8!``            the same, with no Chinese negation among them (不会, 没有 …; 不少, 未来 … are none); ``~8,!`` is both
``!``              no negation stands right before this place: ``! 可能 ~8! 亏损`` is not found in 不可能亏损
``非常?``          the step may be missing
``#`` and ``#%``   a number in digits or Chinese numerals; a share (``30%``, ``三成``, ``两个点``); never alone
``#code``          a six-digit security or fund code; never alone
``@保本``          scope is asked of this step, not of the whole match: 能 @保本 reads 不能保本 as negated
``^`` and ``$``    the window's start (after marks and numbers of lists) and its end (before stops that ask nothing)

There are no raw regular expressions, so a pack can neither hang a run nor hide what it matches.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Window = Literal["clause", "sentence", "pair", "block", "reply"]
"""Where a pattern is searched; ``pair`` is a sentence with the one after it."""

ScopeFlag = Literal[
    "negated", "hypothetical", "question", "reported", "example", "other_person", "warned_against", "recommended",
    "refused", "quoted", "conditional", "possible", "permitted",
]  # fmt: skip

Comparison = Literal["below", "at_most", "above", "at_least"]
Identifier = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9_.\-]*$")]


class QuantityCondition(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A quantity of this measure must stand in the window and compare so with ``value`` (in percent, years …).

    Without ``value`` the parameter of the constraint that is looked at (the 10 of 最大回撤<10%) takes its place.
    """

    measure: str
    compare: Comparison
    value: float | None = None


class Rule(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One rule: when any of its patterns is found and every condition holds, it concludes ``label``.

    ``all`` lists patterns that must be found in the same window too, ``unless`` patterns that must not
    (``unless_near``: nor in the sentence of the match and the one after); ``with_scope``
    and ``without_scope`` name what the match must and must not be (negated, hypothetical …). The regulation or public
    guideline that a rule follows is its ``source``; where a rule leaves the last five fields out, the pack's hold.
    """

    id: Identifier
    label: str
    any: list[str]
    polarity: str = "present"
    window: Window = "sentence"
    all: list[str] = []
    unless: list[str] = []
    unless_near: list[str] = []
    with_scope: list[ScopeFlag] = []
    without_scope: list[ScopeFlag] = []
    quantity: QuantityCondition | None = None
    user: list[str] = []
    note: str = ""
    version: str = "1.0.0"
    jurisdiction: str = ""
    source: str = ""
    effective: str = ""
    reviewer: str = ""


class ConstraintKind(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One kind of constraint on a portfolio: how users write it and what a reply that touches it speaks of.

    ``named`` are patterns over the constraint's own text; the first kind with one decides, so special kinds come first.
    ``form`` says how a reply is judged: ``ban`` (the topic must not be endorsed), ``ceiling`` and ``floor`` (a quantity
    of ``measure`` is compared with the number in the constraint, or ``default``), ``none`` (nothing can break it).
    ``topic`` are words of what is banned, ``faint`` ones that count only in a short reply, ``preferred`` words of what
    is asked for instead, ``aside`` look-alikes that are neither. An entry of these is a literal, ``<list>``, or a
    pattern when it holds a space. A quantity that meets ``quantity`` (in its ``unit``) is a mention of the topic too: a
    price of 60 times earnings is a high valuation. ``violates`` and ``respects`` are patterns that decide alone, each
    searched in a sentence.
    """

    id: Identifier
    form: Literal["ban", "ceiling", "floor", "none"]
    named: list[str] = []
    measure: str = ""
    unit: str = "percent"
    default: float | None = None
    topic: list[str] = []
    faint: list[str] = []
    preferred: list[str] = []
    aside: list[str] = []
    quantity: QuantityCondition | None = None
    violates: list[str] = []
    respects: list[str] = []


class RulePack(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A file of rules for one kind of detector in one language.

    ``sources`` are the parts of ``source`` that rules of a label follow, where not all follow the whole of it.
    """

    pack: Identifier
    version: str
    language: Literal["zh", "ko", "en"]
    detector: Identifier
    jurisdiction: str = ""
    source: str = ""
    sources: dict[str, str] = {}
    effective: str = ""
    reviewer: str = ""
    words: dict[str, list[str]] = {}
    measures: dict[str, list[str]] = {}
    rules: list[Rule] = []
    constraints: list[ConstraintKind] = []
