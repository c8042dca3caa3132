"""Rule packs at work: one pass over a text finds the anchors, and only patterns whose anchor is there are searched."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import ahocorasick_rs

from turnmark.detectors.patterns import Compiled, compile_pattern
from turnmark.errors import PackError
from turnmark.language.analysis import Analysis
from turnmark.language.measures import MeasureCues
from turnmark.language.scope import Scope
from turnmark.packs.rules import QuantityCondition, Rule, RulePack


class RuleHit(NamedTuple):
    """A rule that fired: the span of its match in the original text and the window it fired in."""

    rule: Rule
    start: int
    end: int
    window_start: int
    window_end: int


class _Ready(NamedTuple):
    rule: Rule
    any: tuple[Compiled, ...]
    all: tuple[Compiled, ...]
    unless: tuple[Compiled, ...]
    unless_near: tuple[Compiled, ...]
    user: tuple[Compiled, ...]


class RuleSet:
    """The rules of several packs, compiled together.

    Raises: PackError for a rule whose patterns or ids are wrong.
    """

    def __init__(self, packs: Iterable[RulePack]) -> None:
        self._rules: list[_Ready] = []
        payloads: dict[str, list[tuple[int, int]]] = {}
        ids: set[str] = set()
        measures: dict[str, list[str]] = {}
        for pack in packs:
            for measure, cues in pack.measures.items():
                measures.setdefault(measure, []).extend(cues)
            for rule in pack.rules:
                if rule.id in ids:
                    message = f"{pack.pack}: rule {rule.id!r}: expected an id of its own, found it twice"
                    raise PackError(message)
                ids.add(rule.id)
                ready = _ready(pack, rule)
                for place, pattern in enumerate(ready.any):
                    for anchor in pattern.anchors:
                        payloads.setdefault(anchor, []).append((len(self._rules), place))
                self._rules.append(ready)
        self._measures = MeasureCues(measures)
        self._literals = list(payloads)
        self._payloads = list(payloads.values())
        self._automaton = ahocorasick_rs.AhoCorasick(self._literals) if self._literals else None

    def find(
        self,
        analysis: Analysis,
        *,
        user: Analysis | None = None,
        parameter: float | None = None,
        needed: Callable[[Rule, RuleHit | None], bool] | None = None,
    ) -> list[RuleHit]:
        """Every rule that fires, once a window, in the order of the text.

        ``user`` is the user's text, for rules that ask about it; ``parameter`` stands in for a quantity condition
        without a value. Who wants only some of the hits gives ``needed``: rules are tried in the order of the pack,
        and it is asked before each (with None) and after each hit whether to go on with the rule.
        """
        windows = _Windows(analysis)
        candidates = self._candidates(analysis.folded.text)
        hits: dict[tuple[int, int, int], RuleHit] = {}
        for number, place in sorted(candidates):
            ready = self._rules[number]
            if needed is not None and not needed(ready.rule, None):
                continue
            pattern = ready.any[place]
            for window in windows.around(ready.rule.window, candidates[number, place], pattern):
                if (number, *window) in hits:
                    continue
                hit = self._match(analysis, ready, pattern, window, user, parameter)
                if hit is not None:
                    hits[number, *window] = hit
                    if needed is not None and not needed(ready.rule, hit):
                        break
        return sorted(hits.values(), key=lambda hit: (hit.start, hit.end, hit.rule.id))

    def _candidates(self, text: str) -> dict[tuple[int, int], list[int]]:
        """Where the anchors of each pattern (rule, place in the rule) stand."""
        candidates: dict[tuple[int, int], list[int]] = {}
        if self._automaton is None:
            return candidates
        payloads = self._payloads
        for literal, start, _ in self._automaton.find_matches_as_indexes(text, overlapping=True):
            for entry in payloads[literal]:
                if entry in candidates:
                    candidates[entry].append(start)
                else:
                    candidates[entry] = [start]
        return candidates

    def _match(
        self,
        analysis: Analysis,
        ready: _Ready,
        pattern: Compiled,
        window: tuple[int, int],
        user: Analysis | None,
        parameter: float | None,
    ) -> RuleHit | None:
        start, end = window
        text = analysis.folded.text[start:end]
        for match in pattern.expression.finditer(text):
            if any(other.expression.search(text) for other in ready.unless):
                return None
            if not all(other.expression.search(text) for other in ready.all):
                return None
            if ready.user and not (user and any(other.expression.search(user.folded.text) for other in ready.user)):
                return None
            if ready.unless_near:
                around = _with_next_sentence(analysis, start + match.start())
                if any(other.expression.search(around) for other in ready.unless_near):
                    continue
            first, last = analysis.folded.to_original(start + match.start(), start + match.end())
            outer = analysis.folded.to_original(start, end)
            if not _in_scope(analysis, ready.rule, *_core(analysis, match, start, first, last)):
                continue
            if ready.rule.quantity and not _quantity_holds(
                analysis, ready.rule.quantity, outer, parameter, self._measures
            ):
                continue
            return RuleHit(ready.rule, first, last, *outer)
        return None


def _ready(pack: RulePack, rule: Rule) -> _Ready:
    try:
        return _Ready(
            rule,
            *(
                tuple(compile_pattern(pattern, pack.words) for pattern in patterns)
                for patterns in (rule.any, rule.all, rule.unless, rule.unless_near, rule.user)
            ),
        )
    except PackError as error:
        message = f"{pack.pack}: rule {rule.id!r}: {error}"
        raise PackError(message) from error


class _Windows:
    """The windows around positions of one folded text, in offsets of the folded text."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._text = analysis.folded.text
        from_original = analysis.folded.from_original
        self._sentences = [from_original(sentence.start, sentence.end) for sentence in analysis.segments.sentences]
        self._starts = [start for start, _ in self._sentences]

    def around(self, kind: str, anchors: Iterable[int], pattern: Compiled) -> Iterator[tuple[int, int]]:
        """The windows to search for a pattern whose anchors stand at the positions given."""
        last = (-1, -1)
        for position in anchors:
            if kind == "reply" or not self._sentences:
                yield 0, len(self._text)
                return
            if last[0] <= position < last[1]:
                continue
            sentence = max(0, bisect_right(self._starts, position) - 1)
            if kind == "pair":
                yield from self._pairs(sentence)
                continue
            last = self._sentences[sentence]
            if kind == "block":
                last = self._block(sentence)
            elif kind == "clause":
                if not pattern.may_match(self._text, *last):
                    continue
                last = self._clause(position)
            yield last

    def _pairs(self, sentence: int) -> Iterator[tuple[int, int]]:
        first, last = max(0, sentence - 1), min(sentence + 1, len(self._sentences) - 1)
        for start, end in dict.fromkeys(((sentence, last), (first, sentence))):
            yield self._sentences[start][0], self._sentences[end][1]

    def _block(self, sentence: int) -> tuple[int, int]:
        segments = self._analysis.segments
        block = segments.blocks[segments.sentences[sentence].block]
        return self._analysis.folded.from_original(block.start, block.end)

    def _clause(self, position: int) -> tuple[int, int]:
        folded = self._analysis.folded
        clause = self._analysis.segments.clause_at(folded.to_original(position, position + 1)[0])
        return folded.from_original(clause.start, clause.end)


def _with_next_sentence(analysis: Analysis, position: int) -> str:
    """The folded text of the sentence at a position and of the one after it."""
    segments, folded = analysis.segments, analysis.folded
    index = segments.sentence_index(folded.to_original(position, position + 1)[0])
    last = segments.sentences[min(index + 1, len(segments.sentences) - 1)]
    return folded.text[slice(*folded.from_original(segments.sentences[index].start, last.end))]


def _core(analysis: Analysis, match: re.Match[str], offset: int, first: int, last: int) -> tuple[int, int]:
    """The original span of the step whose scope counts (``@`` in the grammar), or of the whole match."""
    if "core" not in match.re.groupindex or match.start("core") < 0:
        return first, last
    return analysis.folded.to_original(offset + match.start("core"), offset + match.end("core"))


def _in_scope(analysis: Analysis, rule: Rule, start: int, end: int) -> bool:
    if not rule.with_scope and not rule.without_scope:
        return True
    scope = analysis.scope((start, end))
    return all(_has(scope, flag) for flag in rule.with_scope) and not any(
        _has(scope, flag) for flag in rule.without_scope
    )


def _has(scope: Scope, flag: str) -> bool:
    """Whether a scope has a flag of the grammar; the other names of the grammar are those of the scope itself."""
    if flag == "reported":
        return scope.quoted_or_reported
    if flag == "other_person":
        return scope.addressed_to_other
    if flag == "hypothetical":
        return scope.hypothetical or scope.conditional
    return bool(getattr(scope, flag))


def _quantity_holds(
    analysis: Analysis,
    condition: QuantityCondition,
    window: tuple[int, int],
    parameter: float | None,
    measures: MeasureCues,
) -> bool:
    value = condition.value if condition.value is not None else parameter
    if value is None:
        return False
    start, end = window
    for quantity, measure in zip(analysis.quantities, analysis.measures(measures), strict=True):
        inside = measure == condition.measure and quantity.start >= start and quantity.end <= end
        if inside and _compares(condition.compare, quantity.low, quantity.high, value):
            return True
    return False


def _compares(comparison: str, low: float, high: float, value: float) -> bool:
    if comparison == "below":
        return high < value
    if comparison == "at_most":
        return high <= value
    if comparison == "above":
        return high > value
    return low >= value


def shared_words(packs: Sequence[RulePack]) -> Mapping[str, Sequence[str]]:
    """All word lists of several packs; later ones replace earlier ones of the same name."""
    return {name: words for pack in packs for name, words in pack.words.items()}
