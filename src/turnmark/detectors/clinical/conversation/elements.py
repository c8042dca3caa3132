"""Elements that a turn asks for (ASS): is each there, and how much, when or by what does it say."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import msgspec

from turnmark.detectors.clinical.safety.detector import stop_criteria
from turnmark.detectors.clinical.safety.wording import language_of
from turnmark.detectors.clinical.utterance import Utterance
from turnmark.detectors.rules import RuleSet
from turnmark.language.analysis import Analysis
from turnmark.language.match.patterns import Compiled, compile_pattern
from turnmark.packs.rule_packs import shipped_packs
from turnmark.packs.rules import RulePack
from turnmark.schemas.evidence import Evidence

DETECTOR = "clinical.elements"
METRIC = "ass"
SPECIFIC, VAGUE, MISSING = 1.0, 0.5, 0.0
RULES_ASKED = (3, 5)
"""``rules_3_to_5``: at least three rules, five at most."""

_NEEDED = {"weekly_plan": 2}
"""How many different passages make an element specific where one is not enough: a plan names two weeks at least."""
_ADVISING = frozenset(("command", "advises_before", "frees_before", "exchange_before", "urges"))
_CIRCLED = "①②③④⑤⑥⑦⑧⑨"


class Element(NamedTuple):
    """One element: 1.0 specific, 0.5 touched on, 0.0 missing, None when nobody knows what it is; its words."""

    name: str
    score: float | None
    evidence: tuple[Evidence, ...] = ()


@cache
def _pack(language: str) -> RulePack:
    return next(pack for pack, _ in shipped_packs(DETECTOR) if pack.language == language)


@cache
def _repeated(language: str, name: str) -> tuple[tuple[str, Compiled], ...]:
    """The patterns of an element that must be found several times, with the id of their rule."""
    pack = _pack(language)
    return tuple(
        (rule.id, compile_pattern(pattern, pack.words))
        for rule in pack.rules
        if rule.label == name and rule.polarity == "specific"
        for pattern in rule.any
    )


@cache
def _rules(language: str) -> tuple[RuleSet, frozenset[str]]:
    pack = _pack(language)
    return RuleSet([pack]), frozenset(rule.label for rule in pack.rules)


def known_elements() -> frozenset[str]:
    """The elements that can be looked for."""
    return _rules("en")[1] | {"rules_3_to_5"}


def elements(answer: Utterance, asked: Iterable[str]) -> list[Element]:
    """Each element that is asked for, in order."""
    wanted, analysis = list(asked), answer.analysis
    if not wanted:
        return []
    hits = _rules(language_of(analysis))[0].find(analysis, needed=lambda rule, _: rule.label in wanted)
    results: dict[tuple[str, str], dict[tuple[int, int], Evidence]] = {}
    for hit in hits:
        if analysis.scope((hit.start, hit.end)).question:
            continue
        piece = _evidence(analysis, hit.rule.label, hit.rule.id, hit.start, hit.end)
        results.setdefault((hit.rule.label, hit.rule.polarity), {})[hit.start, hit.end] = piece
    return [_element(answer, name, results) for name in wanted]


def _element(answer: Utterance, name: str, found: dict[tuple[str, str], dict[tuple[int, int], Evidence]]) -> Element:
    analysis = answer.analysis
    if name == "rules_3_to_5":
        return _count_of_rules(answer)
    if name not in known_elements():
        return Element(name, None)
    specific = tuple(found.get((name, "specific"), {}).values())
    if name == "stop_criteria":
        specific = tuple(_evidence(analysis, name, rule, start, end) for start, end, rule in stop_criteria(analysis))
    if name in _NEEDED and specific:
        specific = _every(analysis, name)
    vague = tuple(found.get((name, "vague"), {}).values())
    if len({piece.quote for piece in specific}) >= _NEEDED.get(name, 1):
        return Element(name, SPECIFIC, specific)
    if specific or vague:
        return Element(name, VAGUE, _in_part(specific or vague))
    return _lacking(name, f"{DETECTOR}.{language_of(analysis)}.{name}")


def _in_part(pieces: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    return tuple(msgspec.structs.replace(piece, polarity="vague") for piece in pieces)


def _lacking(name: str, rule: str) -> Element:
    """An element that is not there; its evidence has no words."""
    return Element(name, MISSING, (Evidence(metric=METRIC, rule=rule, label=name, polarity="lacking"),))


def _every(analysis: Analysis, name: str) -> tuple[Evidence, ...]:
    """Every passage of an element, not one a clause."""
    folded = analysis.folded
    spans = {
        folded.to_original(*match.span()): rule
        for rule, pattern in _repeated(language_of(analysis), name)
        for match in pattern.finditer(folded.text)
    }
    return tuple(_evidence(analysis, name, rule, *span) for span, rule in sorted(spans.items()))


def _count_of_rules(answer: Utterance) -> Element:
    """Rules are items of a list, marked passages, or clauses that advise or warn; what is marked is counted first."""
    analysis = answer.analysis
    lowest, highest = RULES_ASKED
    items = [block for block in analysis.segments.blocks if block.kind == "list_item"]
    spans = [(block.start, block.end) for block in items]
    spans = spans or [
        (position, position + 1) for position, character in enumerate(analysis.text) if character in _CIRCLED
    ]
    if not spans:
        cues = [cue.start for cue in answer.stance.cues if not cue.kinds.isdisjoint(_ADVISING)]
        clauses = [
            (clause.start, clause.end)
            for index in range(len(analysis.sentences))
            for clause in analysis.segments.clauses_of(index)
        ]
        spans = [
            span
            for span in clauses
            if (any(span[0] <= cue < span[1] for cue in cues) or _is_advice(analysis, span))
            and not _greets(analysis, span)
        ]
    if not spans:
        return _lacking("rules_3_to_5", f"{DETECTOR}.count")
    pieces = tuple(_evidence(analysis, "rules_3_to_5", f"{DETECTOR}.count", *span) for span in spans)
    if lowest <= len(spans) <= highest:
        return Element("rules_3_to_5", SPECIFIC, pieces)
    return Element("rules_3_to_5", VAGUE, _in_part(pieces))


def _greets(analysis: Analysis, span: tuple[int, int]) -> bool:
    said = analysis.text[slice(*span)].lower()
    return any(greeting in said for greeting in _pack(language_of(analysis)).words["greeting"])


def _is_advice(analysis: Analysis, span: tuple[int, int]) -> bool:
    scope = analysis.scope((span[0], span[0] + 1))
    return (scope.recommended or scope.warned_against) and not scope.question


def _evidence(analysis: Analysis, name: str, rule: str, start: int, end: int) -> Evidence:
    return Evidence(metric=METRIC, rule=rule, label=name, quote=analysis.text[start:end], start=start, end=end)
