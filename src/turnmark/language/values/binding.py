"""The values of a claim against its material: stated, conflicting or not stated.

A value conflicts with another of the same kind only where both are said of the same thing. That is told by the words
around them: those of the item of a list or table, then of the sentence, then of the passage, each weighed by how few
sentences of the material hold it. Of all values that can be compared the best bound one decides; an equal value that
stands elsewhere, beside other words, supports nothing when a differing one stands beside the claim's own words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from turnmark.language.text.fold import Folded
from turnmark.language.values.candidates import NONE, Candidate, Context, counts_another, found, rank
from turnmark.language.values.comparison import compare_values, same_number
from turnmark.language.values.context import Passage
from turnmark.language.values.derived import announces, derive
from turnmark.language.values.measures import COUNTERS
from turnmark.language.values.opposition.opposites import OppositeReader, shipped_reader
from turnmark.language.values.value import AMOUNTS, Value, ValueFinding

_IN_ITEM, _IN_SENTENCE, _IN_PASSAGE = 1.0, 0.5, 0.15
_FAR, _ASKED = 0.5, 0.6
_BOUND = 0.4
"""Share of the weight of a claim's words that must stand around a differing value."""
_BOUND_POLARITY = 0.6
_UNKNOWN = 0.2
"""Worth of a word of the claim that no material holds, against one that some does."""
_MARGIN = 0.16
"""How much better a differing value must be bound than an equal one to stand against it."""
_BESIDE, _BESIDE_FAR, _IN_ROW = 0.3, 0.1, 0.4
"""Worth of an item, a sentence or a row that also states another value of the claim or the question."""
_POLARITY_IN_SENTENCE = 0.8
_CLEARLY = 0.7
"""Share of a claim's words that stand in the item of a value which clearly is the one that is meant."""
_UNLIKE = frozenset(("date", "time", "code", "ratio", "truth"))
"""Kinds that equal nothing of another kind."""
_NUMERIC = AMOUNTS | {"date", "time"}


def read_passage(text: str | Folded, opposites: OppositeReader | None = None) -> Passage:
    """Read a text once, for callers that compare it more than once."""
    return Passage(text, opposites)


def compare_texts(
    claim: str | Folded | Passage,
    material: Sequence[str | Folded | Passage] | str,
    about: str | Passage = "",
    opposites: OppositeReader | None = None,
) -> tuple[ValueFinding, ...]:
    """Compare every value of a claim with the material.

    Args:
        claim: What is claimed, or the passage read from it.
        material: Passages that it should follow from.
        about: What the claim answers (a question): its words bind the values of a short answer too, and its values
            need not be stated.
        opposites: Reader of the pairs of opposites; the shipped ones when none is given.

    Returns:
        A finding for every value of the claim in order. Opposites of which the material holds neither side are left
        out, as are a yes or a no: what they are said of is no value. Behind them come values of the question of
        which the claim says what the material says of another.

    """
    mine = claim if isinstance(claim, Passage) else Passage(claim, opposites)
    texts = [material] if isinstance(material, str) else material
    passages = [each if isinstance(each, Passage) else Passage(each, opposites) for each in texts]
    asked = about if isinstance(about, Passage) else Passage(about, opposites)
    return _Comparing(mine, passages, asked, opposites or shipped_reader()).findings()


class _Comparing:
    def __init__(self, claim: Passage, passages: list[Passage], asked: Passage, opposites: OppositeReader) -> None:
        self.claim = claim
        self.passages = passages
        self.asked = asked
        self.numeric = opposites.numeric
        self.weights = self._weights()
        self.equal: dict[tuple[int, int], set[int]] = {}
        self.equal_in: dict[tuple[int, int, int], set[int]] = {}
        # Values that the claim repeats, or takes from the question, say nothing about themselves.
        self.repeated = {
            index: [position for position, other in self._values() if compare_values(value, other).relation == "equal"]
            for index, value in claim.each()
        }
        self._find_equal()

    def _weights(self) -> dict[str, float]:
        """How much each unit of the material tells: more, the fewer sentences hold it."""
        counts: Counter[str] = Counter()
        total = 1
        for passage in self.passages:
            for item in passage.units_by_sentence():
                counts.update(item)
                total += bool(item)
        self.rarest = math.log(1 + total)
        return {unit: math.log(1 + total / count) for unit, count in counts.items()}

    def _values(self) -> list[tuple[int, Value]]:
        """The values of the claim with their indices, and those of the question with negative ones."""
        asked = [(-1 - index, value) for index, value in self.asked.each() if value.kind != "polarity"]
        return [*self.claim.each(), *asked]

    def _find_equal(self) -> None:
        """Note for every value of the material which values of the claim and the question it equals."""
        said = [each for each in self._values() if each[1].kind != "truth" and each[1].unit not in self.numeric]
        for position, passage in enumerate(self.passages):
            for where, theirs in passage.each():
                equal = {
                    index
                    for index, value in said
                    if (value.kind == theirs.kind or (value.kind not in _UNLIKE and theirs.kind not in _UNLIKE))
                    and compare_values(value, theirs).relation == "equal"
                }
                if equal:
                    self.equal[position, where] = equal
                    self.equal_in.setdefault((position, 0, passage.item_of(where)), set()).update(equal)
                    self.equal_in.setdefault((position, 1, passage.sentence_of(where)), set()).update(equal)

    def _beside(self, index: int, place: int, where: int) -> float:
        """Worth of other values of the claim that are stated beside a value of the material."""
        passage = self.passages[place]
        itself = {index, *self.repeated.get(index, ())}
        if any(self.equal.get((place, key), set()) - itself for key in passage.keys_of(where)):
            return _IN_ROW
        item = self.equal_in.get((place, 0, passage.item_of(where)), set()) - itself
        if item:
            near = any(other < 0 or self.claim.item_of(other) == self.claim.item_of(index) for other in item)
            return _BESIDE if near else _BESIDE / 2
        listed = self.equal_in.get((place, 1, passage.sentence_of(where)), set()) - itself
        # Two more of a list that both sides give: 1月、3月、6月 …
        alike = sum(other >= 0 and self.claim.values[other].kind == self.claim.values[index].kind for other in listed)
        return _BESIDE if alike > 1 else _BESIDE_FAR * bool(listed)

    def findings(self) -> tuple[ValueFinding, ...]:
        results = []
        for index, value in self.claim.each():
            if value.kind == "truth" or self._is_vague(value):
                continue
            if value.kind == "polarity" and self._beside_number(value, self.claim):
                continue
            finding = self._finding(index, value)
            if finding is not None:
                results.append(finding)
        return (*results, *self._of_the_question())

    def _is_vague(self, value: Value) -> bool:
        return value.kind in AMOUNTS and not _VAGUE.isdisjoint(value.text)

    def _beside_number(self, value: Value, passage: Passage) -> bool:
        """Whether a number tells what a comparing word compares."""
        if value.unit not in self.numeric and value.unit != "before_after":
            return False
        return any(
            -4 < other.start - value.end < 14 or -4 < value.start - other.end < 4
            for other in passage.values
            if other.kind in _NUMERIC
        )

    def _context(self, index: int) -> Context:
        """The units around a value of the claim that the material holds."""
        item, sentence, whole = self.claim.item(index), self.claim.sentence(index), self.claim.all_units
        if self._denies_word(self.claim.values[index]):
            # A word binds nothing to itself: 무료는 아니고 says nothing of what is free.
            itself = self.claim.only_in(index)
            item, sentence, whole = item - itself, sentence - itself, whole - itself
        own = {
            unit: self.weights[unit] * factor
            for group, factor in ((item, 1.0), (sentence - item, _FAR), (whole - sentence, _FAR / 2))
            for unit in sorted(group)
            if unit in self.weights
        }
        asked = {
            unit: self.weights[unit] * _ASKED for unit in sorted(self.asked.all_units - whole) if unit in self.weights
        }
        unknown = self.rarest * len(item - self.weights.keys())
        return Context(own, asked, unknown)

    def _denies_word(self, value: Value) -> bool:
        """Whether a word of a pair stands in the material too, denied on one side only."""
        return value.kind == "polarity" and any(
            theirs.text == value.text and theirs.low != value.low
            for passage in self.passages
            for theirs in passage.values
            if theirs.kind == "polarity"
        )

    def _finding(self, index: int, value: Value) -> ValueFinding | None:
        context = self._context(index)
        follow, lie_within, against = self._candidates(index, value, context)
        best = max(follow, key=rank, default=None)
        within = max(lie_within, key=rank, default=None)
        worst = max((each for each in against if not self._is_taken(value, each.value)), key=rank, default=None)
        if worst is not None and not self._stands(
            value, worst, best, len(against), bool(context.own) or len(self.claim.all_units) > 1
        ):
            worst = None
        given = value.kind != "polarity" and any(
            compare_values(value, other).relation == "equal" for other in self.asked.values
        )
        if worst is not None and not (given and best is None):
            reason = "" if worst.same else self._derived(index, value)
            if not reason and not worst.own and value.kind in AMOUNTS and announces(self.claim.folded.text):
                # 算下来是30万元: a result, of what another claim may say.
                return ValueFinding(value, "not_stated")
            return ValueFinding(value, "stated", reason=reason) if reason else found(value, "conflicting", worst)
        if best is not None:
            return found(value, "stated", best)
        if value.kind == "polarity" or self._is_trifle(value, within):
            return None
        reason = "asked" if given else self._derived(index, value, any_words=True)
        if reason:
            return ValueFinding(value, "stated", reason=reason)
        return ValueFinding(value, "not_stated") if within is None else found(value, "not_stated", within)

    def _derived(self, index: int, value: Value, *, any_words: bool = False) -> str:
        """How a value follows from others by one step, in words; "" when it does not."""
        if value.kind not in AMOUNTS and value.kind != "time":
            return ""
        result = derive(index, self.claim, self.passages, self.asked)
        return result or (derive(index, self.claim, self.passages, self.asked, any_words=True) if any_words else "")

    @staticmethod
    def _is_trifle(value: Value, within: Candidate | None) -> bool:
        """Whether a value only counts what the claim itself names: 两项, 一遍, one of them."""
        counts = value.kind in AMOUNTS and value.unit in COUNTERS and value.low == value.high and value.low <= _FEW
        return counts and within is None and not any(map(str.isdigit, value.text))

    def _candidates(
        self, index: int, value: Value, context: Context
    ) -> tuple[list[Candidate], list[Candidate], list[Candidate]]:
        """What the value follows from, what it lies within, and what stands against it."""
        own = sum(context.own.values()) + _UNKNOWN * context.unknown
        total = own + sum(context.asked.values())
        results: tuple[list[Candidate], list[Candidate], list[Candidate]] = ([], [], [])
        keys = [each for each in self.claim.values if each.kind == "code" and each.unit != value.unit]
        for position, passage in enumerate(self.passages):
            for where, theirs in passage.each():
                comparison = compare_values(value, theirs)
                if comparison.relation == "not_comparable" or (
                    value.kind == "polarity" and self._beside_number(theirs, passage)
                ):
                    continue
                if keys and self._in_other_row(keys, passage, where):
                    continue
                if comparison.follows and counts_another(value, theirs, passage.beside(where)):
                    continue
                near = _POLARITY_IN_SENTENCE if value.kind == "polarity" else _IN_SENTENCE
                mine = self._held(context.own, passage, where, near)
                share = (mine + self._held(context.asked, passage, where, near)) / total if total else 0.0
                beside = self._beside(index, position, where)
                bound = share + beside + 0.1 * (value.comparator == theirs.comparator)
                bound += 0.05 * (value.unit == theirs.unit)
                candidate = Candidate(
                    bound,
                    share,
                    mine / own if own else 0.0,
                    beside,
                    position,
                    passage.sentence_of(where),
                    where,
                    theirs,
                    comparison,
                    same_number(value, theirs),
                )
                results[0 if comparison.follows else 1 if comparison.relation == "contained" else 2].append(candidate)
        return results

    @staticmethod
    def _in_other_row(keys: list[Value], passage: Passage, where: int) -> bool:
        """Whether a value of the material stands in the row of a key that is another than the claim's: 一级100%."""
        rows = [passage.values[key] for key in passage.keys_of(where)]
        return any(
            compare_values(mine, row).relation == "conflicting"
            and not any(compare_values(mine, other).relation == "equal" for other in rows)
            for mine in keys
            for row in rows
        )

    @staticmethod
    def _held(context: dict[str, float], passage: Passage, index: int, near: float) -> float:
        """Weight of the units of a context that stand around a value of the material."""
        item, sentence, whole = passage.item(index), passage.sentence(index), passage.all_units
        held = 0.0
        for unit, weight in context.items():
            if unit in item:
                held += weight * _IN_ITEM
            elif unit in sentence:
                held += weight * near
            elif unit in whole:
                held += weight * _IN_PASSAGE
        return held

    def _stands(  # noqa: PLR0911 - one return a case
        self, value: Value, worst: Candidate, best: Candidate | None, count: int, bound_by_words: bool
    ) -> bool:
        """Whether a differing value is bound to the claim's, and no value that agrees is bound as well."""
        if best is None and count == 1 and self.claim.is_bare and self.passages[worst.passage].is_bare:
            return True
        if value.kind == "polarity":
            return self._listed(value, worst, best) or self._opposes(value, worst, best)
        if best is None and not bound_by_words and (worst.same or (count == 1 and value.kind == "code")):
            return True
        least = _BOUND / 2 if worst.beside >= _BESIDE or (best is None and count == 1) else _BOUND
        if worst.share < least:
            return False
        if best is None or (worst.same and not best.same and value.kind in AMOUNTS):
            return True
        # Values of one sentence share its words: what stands in their own items tells them apart.
        together = worst.passage == best.passage and worst.sentence == best.sentence
        if together and best.comparison.relation == "equal":
            # The sentence says both (1회 1정, 1일 3회), unless their own items tell clearly which is meant.
            return worst.own >= _CLEARLY and worst.own >= best.own + _CLEARLY / 2
        margin = _MARGIN / 2 if together else _MARGIN
        if not worst.own:
            # Words of the question alone bind too loosely; a value beside it that the question names does not, nor
            # do they where the claim only names an article or a grade: 제18조.
            alone = value.kind == "code" and not best.own and worst.share >= max(_CLEARLY, best.share + _CLEARLY / 2)
            return (worst.beside > best.beside or alone) and worst.bound >= best.bound + margin
        return worst.bound >= best.bound + margin and worst.own >= best.own - _MARGIN / 2

    def _opposes(self, value: Value, worst: Candidate, best: Candidate | None) -> bool:
        """Whether the other side of a pair of opposites is said of the same thing."""
        if any(each.unit == value.unit and each.low != value.low for each in self.claim.values):
            return best is None and worst.beside >= _BESIDE
        least = _BOUND if worst.beside >= _BESIDE else _BOUND_POLARITY
        if worst.share < least or best is None:
            return worst.share >= least
        nearer = worst.own - best.own + worst.beside - best.beside
        return min(worst.bound - best.bound, nearer) >= _MARGIN

    def _listed(self, value: Value, worst: Candidate, best: Candidate | None) -> bool:
        """Whether what the claim includes is listed under what the material excludes, and not where it includes."""
        if value.unit != "include_exclude":
            return False
        mine = (self.claim.all_units | self.asked.all_units) & self.weights.keys()
        against = mine & self.passages[worst.passage].scope(worst.place)
        return bool(against - (self.passages[best.passage].scope(best.place) if best else frozenset()))

    def _is_taken(self, value: Value, theirs: Value) -> bool:
        """Whether another value of the claim says what stands against this one."""
        return value.kind != "polarity" and any(
            mine is not value
            and mine.kind == theirs.kind
            and compare_values(mine, theirs).follows
            and same_number(mine, theirs)
            for mine in self.claim.values
        )

    def _of_the_question(self) -> Iterator[ValueFinding]:
        """Values of the question of which the claim says what the material says of another such value."""
        own = {unit: weight for unit, weight in self.weights.items() if unit in self.claim.all_units}
        total = sum(own.values())
        if not total:
            return
        for value in self.asked.values:
            if value.kind in ("polarity", "truth", "number") or self._said(value):
                continue
            best, against, known = 0.0, NONE, False
            for index, passage in enumerate(self.passages):
                for where, theirs in passage.each():
                    comparison = compare_values(value, theirs)
                    bound = self._in_item(own, passage, where) / total
                    if comparison.follows:
                        best, known = max(best, bound), True
                    elif comparison.relation == "conflicting" and bound > against.bound:
                        against = Candidate(bound, bound, bound, 0.0, index, 0, where, theirs, comparison, False)
            if known and against.bound > max(_BOUND, best + 2 * _MARGIN):
                yield found(value, "conflicting", against)._replace(asked=True)

    def _said(self, value: Value) -> bool:
        return any(compare_values(value, other).relation == "equal" for other in self.claim.values)

    def _in_item(self, context: dict[str, float], passage: Passage, index: int) -> float:
        """Weight of a context that stands in the item of a value, with the claim's values beside it."""
        item = passage.item(index)
        held = sum(weight for unit, weight in context.items() if unit in item)
        span = passage.item_of(index)
        beside = any(
            passage.item_of(other) == span
            and any(compare_values(mine, each).relation == "equal" for mine in self.claim.values)
            for other, each in passage.each()
            if other != index
        )
        return held + 0.5 * sum(context.values()) * beside


_FEW = 2
_VAGUE = frozenset("几数몇")
