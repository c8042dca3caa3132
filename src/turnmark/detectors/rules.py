"""Rule packs at work: one pass over a text finds the anchors, and only patterns whose anchor is there are searched."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from turnmark.errors import PackError
from turnmark.language.analysis import Analysis
from turnmark.language.match.anchors import Anchors, places
from turnmark.language.match.patterns import Compiled, compile_pattern
from turnmark.language.quantity.roles import MeasureCues
from turnmark.language.scope.reader import Scope
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

    Raises: PackError for a rule whose id is not its own; and at the first text, for one whose patterns are wrong
    (`pack_check` tells before).
    """

    def __init__(self, packs: Iterable[RulePack], anchors: Anchors | None = None) -> None:
        """Take in rules; sets that share ``anchors`` look for those of all their patterns in one pass over a text.

        They are compiled for the first text that one of these sets is asked about: of many languages few are met.
        """
        self._rules: list[tuple[RulePack, Rule]] = []
        self._patterns: list[tuple[int, _Ready, Compiled]] = []
        self._numbers = range(0)
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
                self._rules.append((pack, rule))
        self._measures = MeasureCues(measures)
        self._anchors = Anchors() if anchors is None else anchors
        self._anchors.expect(self._compile)

    def _compile(self) -> None:
        for number, (pack, rule) in enumerate(self._rules):
            ready = _ready(pack, rule)
            self._patterns += [(number, ready, pattern) for pattern in ready.any]
        self._numbers = self._anchors.add(pattern.anchors for _, _, pattern in self._patterns)

    def prepare(self) -> None:
        """Compile the rules before the first text, for who shares the pass over it with finders of other things."""
        self._anchors.complete()

    def find(
        self,
        analysis: Analysis,
        *,
        user: Analysis | None = None,
        parameter: float | None = None,
        needed: Callable[[Rule, RuleHit | None], bool] | None = None,
        apart_from: Sequence[tuple[int, int]] = (),
    ) -> list[RuleHit]:
        """Every rule that fires, once a window, in the order of the text.

        ``user`` is the user's text, for rules that ask about it; ``parameter`` stands in for a quantity condition
        without a value. Who wants only some of the hits gives ``needed``: rules are tried in the order of the pack,
        and it is asked before each (with None) and after each hit whether to go on with the rule. A match whose core
        lies in one of the spans ``apart_from`` (of the original text), or reaches into one, is passed over.
        """
        hits: dict[tuple[int, int, int], RuleHit] = {}
        passed, first = analysis.anchored(self._anchors), self._numbers.start
        whole = not analysis.sentence_spans
        for index, bits in passed[bisect_left(passed, (first,)) : bisect_left(passed, (self._numbers.stop,))]:
            number, ready, pattern = self._patterns[index - first]
            if needed is not None and not needed(ready.rule, None):
                continue
            for window in _WINDOWS["reply" if whole else ready.rule.window](analysis, bits, pattern):
                if (number, *window) in hits:
                    continue
                hit = self._match(analysis, ready, pattern, window, user, parameter, apart_from)
                if hit is not None:
                    hits[number, *window] = hit
                    if needed is not None and not needed(ready.rule, hit):
                        break
        return sorted(hits.values(), key=lambda hit: (hit.start, hit.end, hit.rule.id))

    def _match(
        self,
        analysis: Analysis,
        ready: _Ready,
        pattern: Compiled,
        window: tuple[int, int],
        user: Analysis | None,
        parameter: float | None,
        apart_from: Sequence[tuple[int, int]],
    ) -> RuleHit | None:
        start, end = window
        text = analysis.folded.text[start:end]
        for match in pattern.finditer(text):
            if any(other.search(text) for other in ready.unless):
                return None
            if not all(other.search(text) for other in ready.all):
                return None
            if ready.user and not (user and any(other.search(user.folded.text) for other in ready.user)):
                return None
            if ready.unless_near:
                around = _with_next_sentence(analysis, start + match.start())
                if any(other.search(around) for other in ready.unless_near):
                    continue
            first, last = analysis.folded.to_original(start + match.start(), start + match.end())
            outer = analysis.folded.to_original(start, end)
            core_start, core_end = _core(analysis, match, start, first, last)
            if any(core_start < past and before < core_end for before, past in apart_from):
                continue
            if not _in_scope(analysis, ready.rule, core_start, core_end):
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
            tuple(compile_pattern(pattern, pack.words) for pattern in rule.any),
            *(
                # Asked only where one of the others is found.
                tuple(Compiled(pattern, pack.words) for pattern in patterns)
                for patterns in (rule.all, rule.unless, rule.unless_near, rule.user)
            ),
        )
    except PackError as error:
        message = f"{pack.pack}: rule {rule.id!r}: {error}"
        raise PackError(message) from error


Windows = Iterator[tuple[int, int]]
"""Spans of the folded text."""


def _sentences(analysis: Analysis, bits: int, pattern: Compiled) -> Windows:
    """The sentences in which a pattern matches, of those with an anchor."""
    texts, search = analysis.sentence_texts, pattern.search
    for sign in pattern.numbers:
        bits &= analysis.sentences_with(sign)
    while bits:
        lowest = bits & -bits
        bits ^= lowest
        sentence = lowest.bit_length() - 1
        if search(texts[sentence]):
            yield analysis.sentence_spans[sentence]


def _clauses(analysis: Analysis, bits: int, pattern: Compiled) -> Windows:
    """The clauses in which a pattern matches, of such sentences."""
    text, spans, search = analysis.folded.text, analysis.sentence_spans, pattern.search
    for sign in pattern.numbers:
        bits &= analysis.sentences_with(sign)
    while bits:
        lowest = bits & -bits
        bits ^= lowest
        sentence = lowest.bit_length() - 1
        # A sentence is asked before it is cut into clauses, unless the pattern asks for the ends of a clause.
        if pattern.at_an_end or search(text, *spans[sentence]):
            for start, end in analysis.clause_spans(sentence):
                if search(text[start:end]):
                    yield start, end


def _pairs(analysis: Analysis, bits: int, _: Compiled) -> Windows:
    """Each sentence with an anchor with the one after it, and with the one before it."""
    spans = analysis.sentence_spans
    for sentence in places(bits):
        start, end = spans[sentence]
        yield start, spans[min(sentence + 1, len(spans) - 1)][1]
        yield spans[max(0, sentence - 1)][0], end


def _blocks(analysis: Analysis, bits: int, _: Compiled) -> Windows:
    """The blocks in which an anchor may stand."""
    segments = analysis.segments
    for block in dict.fromkeys(segments.sentences[sentence].block for sentence in places(bits)):
        yield analysis.folded.from_original(segments.blocks[block].start, segments.blocks[block].end)


def _reply(analysis: Analysis, _bits: int, _: Compiled) -> Windows:
    """The whole text."""
    yield 0, len(analysis.folded.text)


_WINDOWS: Mapping[str, Callable[[Analysis, int, Compiled], Windows]] = {
    "clause": _clauses, "sentence": _sentences, "pair": _pairs, "block": _blocks, "reply": _reply,
}  # fmt: skip


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
