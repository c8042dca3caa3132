"""Labs and vitals with their values: which number of an answer measures what."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from functools import cache
from typing import Literal

from turnmark.detectors.clinical.read.changes import ends_change
from turnmark.detectors.clinical.read.mentions import Mention
from turnmark.detectors.clinical.read.record import Record
from turnmark.detectors.clinical.read.terms import Term, conversions
from turnmark.detectors.clinical.read.values import agrees
from turnmark.detectors.clinical.read.vocabulary import Named
from turnmark.language.later import later
from turnmark.language.quantity.quantity import Quantity
from turnmark.packs.clinical_facts import mention_words, words
from turnmark.packs.terminology import terminology

_NAME_REACH = 45
_SYMBOL_REACH = 4
"""Characters between a symbol such as K or Hb and its number."""
_GO_ON_REACH = 40
_JOINED_REACH = 28
_BEHIND = later(
    r" ?(?:의|的)? ?$| of $| for $|(?:이던|였던|인|라는|이라는) $"
    r"| is (?:an? |your )?(?:good |fine |great |normal |high |low |decent |excellent )?$"
)
_STAGE = later(" ?(?:期|기(?![간준본])|단계|级)")
_DATIVE_PAIR = later("에 ?$")
_PAIRED = later(" ?/ ?| over ")
_LEAST_PRESSURE = 30
"""Either number of a pressure is above this: 3/5 beside its name is a date or a fraction."""
_WEIGHT = ("kg", "lb", "jin")
# A unit that only one thing is measured in tells it without a name.
_BY_UNIT = {
    "mmol/mol": "hba1c",
    "ml/min/1.73m2": "egfr",
    "kg/m2": "bmi",
    "bpm": "heart_rate",
}
_LAB_UNITS = frozenset(
    (
        *("mg/dl", "g/dl", "g/l", "mg/l", "mmol/l", "umol/l", "mmol/mol", "meq/l", "ng/ml", "pg/ml", "ng/dl", "u/l"),
        *("miu/l", "cells/ul", "ml/min/1.73m2", "ml/min"),
    )
)
_TOPIC = 120
"""Characters over which a lab that was named without a value stays the topic."""
_NEXT_WORDS = 12
"""Characters between a value and a bare number that is aimed at: "142, better 130"."""
_SAME_TOPIC = 260
"""Characters over which a bound such as "under 5.0" may still be about the last value."""
_BOUNDS = frozenset(("less_than", "at_most", "more_than", "at_least"))
_VERB = later(r" (?:is|are|was|would|should|by|before|in|at|on|for|and|or|if|when|so|as|with|next|again|we|you)\b")
_PLAUSIBLE_WEIGHT = (25.0, 260.0)
_RATES = frozenset(("heart_rate", "respiratory_rate"))
_COUNTS_AS_RATE = frozenset(("bpm", "occurrence"))
_PARTS_OF_PRESSURE = frozenset(("bp_systolic", "bp_diastolic"))
_PRESSURES = _PARTS_OF_PRESSURE | {"blood_pressure"}
_WEIGHTS = frozenset(("weight",))


@cache
def _weight_change() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what tells, before and behind a weight, that it is a change or a load."""
    mentions = mention_words()

    def either(listed: str) -> str:
        return "|".join(sorted(map(re.escape, words(listed)), key=len, reverse=True))

    return (
        re.compile(rf"(?:{either(mentions.weight_change_before)})(?: about| another| up to| 了| 约)? ?$"),
        re.compile(rf"[ 을를은는도의]{{0,2}}(?:{either(mentions.weight_change_behind)})"),
    )


class Measurements:
    """Binds the amounts of one text to the labs and vitals named in it."""

    def __init__(
        self,
        text: str,
        names: list[Named],
        amounts: list[Quantity],
        record: Record,
        stands_by: Callable[[tuple[str, ...], int, int], bool],
        topics: tuple[Named, ...] = (),
    ) -> None:
        """Prepare.

        Args:
            text: Folded text.
            names: Names of labs and vitals, in order.
            amounts: Amounts that are no age and no dose, in order.
            record: The record; a bare value that it holds tells what was measured.
            stands_by: Tells whether a cue of some kinds stands close to a span: of a target, or of today; such a number
                may go on about the last value.
            topics: Labs and vitals named in the question; numbers before any name may be theirs.

        """
        self.text = text
        self.names = names
        self._name_starts = [named.start for named in names]
        self.amounts = amounts
        self.record = record
        self.stands_by = stands_by
        self.topics = topics
        self.pressure_is_topic = any(self._is_pressure(named) for named in (*topics, *self.names))
        self.mentions: list[Mention] = []
        self._bound: dict[int, Quantity] = {}

    def find(self, region_of: Callable[[int], tuple[int, int]]) -> list[Mention]:
        """Return the values of the text, one sentence (or table cell) after the other.

        Args:
            region_of: Returns the span of the sentence at an offset.

        """
        index, count = 0, len(self.amounts)
        while index < count:
            start, end = region_of(self.amounts[index].start)
            last = index + 1
            while last < count and self.amounts[last].start < end:
                last += 1
            names = self.names[bisect_left(self._name_starts, start) : bisect_left(self._name_starts, end)]
            self._find_in(self.amounts[index:last], names, start)
            index = last
        return self.mentions

    def _find_in(self, amounts: list[Quantity], names: list[Named], start: int) -> None:
        """Add the values of one sentence."""
        previous_end, index = start, 0
        while index < len(amounts):
            taken = max(1, self._take(amounts, index, names, previous_end))
            previous_end = amounts[index + taken - 1].end
            index += taken

    def _take(self, amounts: list[Quantity], index: int, names: list[Named], previous_end: int) -> int:
        """Add the mention that begins with an amount; return how many amounts it used."""
        amount = amounts[index]
        pair = self._pair(amounts, index, names)
        if not pair and self._is_no_value(amount):
            return 0
        named = self._name_before(amount, names, previous_end)
        if pair:
            if named is not None and not self._is_pressure(named):
                named = None
            self._add(named, _term("blood_pressure"), pair)
            return 2
        if named is not None:
            self._add(named, None, (amount,))
            return 1
        behind = self._name_behind(amount, names)
        if behind is not None:
            self.mentions.append(
                Mention(behind.terms[0].kind, amount.start, behind.end, behind.terms, (amount,), named_at=behind[:2])
            )
            self._bound[behind.start] = amount
            return 1
        term = self._inherited(amount) or self._by_unit(amount) or self._asked(amount)
        if term is None:
            return 0
        self._add(None, term, (amount,))
        return 1

    def _is_no_value(self, amount: Quantity) -> bool:
        """Tell a fraction, a bare numeral in words, or the stage of a disease."""
        bare = not amount.unit
        return amount.form == "fraction" or (
            bare and (amount.form == "words" or _STAGE.match(self.text, amount.end) is not None)
        )

    def _add(self, named: Named | None, term: Term | None, taken: tuple[Quantity, ...]) -> None:
        start, end = taken[0].start, taken[-1].end
        name_span = (start, end)
        terms: tuple[Term, ...] = (term,) if term is not None else ()
        if named is not None:
            if self._is_part_of_pressure(named) or term is None:
                terms = named.terms
            if named.start not in self._bound and start - named.end <= _JOINED_REACH:
                start = named.start
            name_span = (named.start, named.end)
            self._bound[named.start] = taken[0]
        self.mentions.append(Mention(terms[0].kind, start, end, terms, taken, named_at=name_span))

    def _pair(self, amounts: list[Quantity], index: int, names: list[Named]) -> tuple[Quantity, Quantity] | None:
        """Return the two numbers of a pressure: 131/82, or two decades after its name (130대 초반에 80대)."""
        first = amounts[index]
        second = amounts[index + 1] if index + 1 < len(amounts) else None
        if second is None:
            return None
        if first.form == "pair_first":
            return first, second
        if self.pressure_is_topic and _is_spoken_pressure(self.text, first, second):
            return first, second
        if self._is_turned_pressure(first, second, names):
            return first, second
        decades = first.form == second.form == "decade" and second.start - first.end <= 9
        if decades and any(self._is_pressure(named) and 0 <= first.start - named.end <= 6 for named in names):
            return first, second
        return None

    def _is_turned_pressure(self, first: Quantity, second: Quantity, names: list[Named]) -> bool:
        """Tell a pressure whose numbers are in the wrong order (86/148), right behind its name."""
        digits = first.form == second.form == "digits" and first.unit == "" and second.unit in ("", "mmhg")
        if not digits or not _LEAST_PRESSURE < first.low < second.low:
            return False
        if not _PAIRED.fullmatch(self.text, first.end, second.start) or self.text[second.end : second.end + 1] == "/":
            return False
        nearest = max((named for named in names if named.end <= first.start), key=lambda named: named.end, default=None)
        return nearest is not None and self._is_pressure(nearest) and first.start - nearest.end <= _JOINED_REACH

    @staticmethod
    def _is_pressure(named: Named) -> bool:
        return _are(named.terms, _PRESSURES)

    @staticmethod
    def _is_part_of_pressure(named: Named) -> bool:
        return _are(named.terms, _PARTS_OF_PRESSURE)

    def _name_before(self, amount: Quantity, names: list[Named], previous_end: int) -> Named | None:
        """Return the nearest name before an amount that can have its unit."""
        for named in reversed(names):
            if named.end > amount.start:
                continue
            gap = amount.start - named.end
            if named.start in self._bound:
                reach = amount.start - max(previous_end, named.end)
                if not self._goes_on(named, amount) or reach > _GO_ON_REACH:
                    continue
            elif gap > (_SYMBOL_REACH if self._is_symbol(named) else _NAME_REACH):
                return None
            if self.fits(named.terms, amount, gap) and not self._is_change(named.terms, amount):
                return named
        return None

    def _is_symbol(self, named: Named) -> bool:
        """Tell a symbol such as K or Hb, which stands right before its number."""
        return named.end - named.start <= 2 and self.text[named.start].isascii()

    def _goes_on(self, named: Named, amount: Quantity) -> bool:
        """Tell whether one more number is about a name that has its value: a target, or the value in another unit."""
        first = self._bound[named.start]
        if amount.unit in ("", first.unit) and ends_change(self.text, first, amount):
            return True
        if amount.unit in ("", first.unit) and self.stands_by(("now", "target"), amount.start, amount.end):
            return True
        if (amount.comparator and not self._is_reference(amount)) or amount.high > amount.low:
            return amount.unit in ("", first.unit) or self._lab_unit(amount)
        if amount.unit == "percent" and first.unit == "mmol/mol":
            return True
        return self._lab_unit(amount) or (amount.unit != "" and amount.unit == first.unit and amount.unit != "percent")

    def _is_reference(self, amount: Quantity) -> bool:
        """Tell a value that another is compared with: 154보다 높은 198."""
        return self.text.startswith("보다", amount.end)

    @staticmethod
    def _lab_unit(amount: Quantity) -> bool:
        return amount.unit in _LAB_UNITS or amount.unit in _WEIGHT

    def fits(self, terms: tuple[Term, ...], amount: Quantity, gap: int) -> bool:
        """Tell whether an amount can be a value of what is named."""
        if amount.unit in ("", "point"):
            return amount.form in ("digits", "decade", "pair_first", "pair_second") and (
                gap <= 30 or bool(amount.comparator)
            )
        if amount.unit in _COUNTS_AS_RATE:
            return _are(terms, _RATES)
        if _are(terms, _WEIGHTS):
            return amount.unit in _WEIGHT and _can_be_weight(amount)
        return any(amount.unit in term.units for term in terms)

    def _is_change(self, terms: tuple[Term, ...], amount: Quantity) -> bool:
        """Tell a change of weight, or a load, from a weight."""
        if not _are(terms, _WEIGHTS):
            return False
        before, behind = _weight_change()
        return (
            before.search(self.text, max(0, amount.start - 16), amount.start) is not None
            or behind.match(self.text, amount.end) is not None
        )

    def _name_behind(self, amount: Quantity, names: list[Named]) -> Named | None:
        """Return the name right behind an amount: 131/82 mmHg 혈압, a 7.9% A1c."""
        for named in names:
            if named.start >= amount.end and named.start not in self._bound:
                gap = self.text[amount.end : named.start]
                close = len(gap) <= 16 and _BEHIND.match(gap) is not None
                return named if close and self.fits(named.terms, amount, len(gap)) else None
        return None

    def _inherited(self, amount: Quantity) -> Term | None:
        """Return what the last value measured, when an amount goes on about it: "under 5.0 is where we want it"."""
        if (
            not self.mentions
            or amount.form != "digits"
            or amount.unit not in ("", self.mentions[-1].quantities[0].unit)
        ):
            return None
        last = self.mentions[-1]
        gap = amount.start - last.end
        ratio = amount.low / max(last.quantities[0].low, 1e-9)
        close = gap <= _GO_ON_REACH * 2 and 1 / 3 <= ratio <= 3
        if not close and not (gap <= _SAME_TOPIC and 0.6 <= ratio <= 1.6):
            return None
        analyte = min(last.terms[0].ids)
        if amount.unit and any(
            agrees(analyte, amount, self.text, known) for known in self.record.values.get(analyte, [])
        ):
            return last.terms[0]
        if close and self.stands_by(("now",), amount.start, amount.end):
            return last.terms[0]
        aims = self.stands_by(("target", "norm"), amount.start, amount.end)
        bounded = amount.comparator in _BOUNDS and (amount.unit != "" or aims or not _counts(self.text, amount.end))
        aimed = aims and (amount.high > amount.low or amount.unit != "" or gap <= _NEXT_WORDS)
        return last.terms[0] if bounded or aimed else None

    def _asked(self, amount: Quantity) -> Term | None:
        """Return what was named without a value just before, or in the question, when the number can be its value."""
        index = bisect_left(self._name_starts, amount.start)
        earlier = self.names[index - 1 : index] if index and amount.start - self.names[index - 1].end <= _TOPIC else []
        for named in (*earlier, *self.topics):
            for term in named.terms:
                if not self.fits((term,), amount, 0) or self._is_change((term,), amount):
                    continue
                if "weight" in term.ids and not _can_be_weight(amount):
                    continue
                known = self.record.values.get(min(term.ids), [])
                same = any(agrees(min(term.ids), amount, self.text, value) for value in known)
                told = same or (amount.unit in term.units and amount.unit != "percent")
                if told or self.stands_by(("target", "norm", "now"), amount.start, amount.end):
                    return term
        return None

    def _by_unit(self, amount: Quantity) -> Term | None:
        """Return what a value without a name measures, told by its unit or by the record."""
        if amount.unit in _WEIGHT:
            return self._bare_weight(amount)
        if amount.unit in _BY_UNIT:
            return _term(_BY_UNIT[amount.unit])
        if amount.unit not in _LAB_UNITS:
            return None
        for analyte, known in self.record.values.items():
            if any(value.unit and agrees(analyte, amount, self.text, value) for value in known):
                return _term(analyte)
        return None

    def _bare_weight(self, amount: Quantity) -> Term | None:
        """Return weight for a mass that a person can weigh and that is no change or load."""
        term = _term("weight")
        return term if _can_be_weight(amount) and not self._is_change((term,), amount) else None


def _are(terms: tuple[Term, ...], ids: frozenset[str]) -> bool:
    """Tell whether any of some terms names any of these."""
    for term in terms:  # noqa: SIM110 - a generator costs more, and this is asked of every number and name
        if not ids.isdisjoint(term.ids):
            return True
    return False


def _can_be_weight(amount: Quantity) -> bool:
    """Tell a mass that a person can weigh."""
    kilograms = amount.low * {"lb": 0.4536, "jin": 0.5}.get(amount.unit, 1.0)
    return _PLAUSIBLE_WEIGHT[0] <= kilograms <= _PLAUSIBLE_WEIGHT[1]


def _is_spoken_pressure(text: str, first: Quantity, second: Quantity) -> bool:
    """Tell the two numbers of a pressure as it is spoken: 108에 66."""
    bare = first.unit == second.unit == "" and first.form == second.form == "digits"
    plausible = 80 <= first.low <= 220 and 40 <= second.low <= 130 and first.low - second.low >= 15
    return bare and plausible and _DATIVE_PAIR.fullmatch(text[first.end : second.start]) is not None


def _counts(text: str, end: int) -> bool:
    """Tell whether a number is followed by a noun that it counts: "under 5 minutes", "5 이하 가지"."""
    following = text[end : end + 2]
    return following[:1] == " " and following[1:].isalpha() and following[1:].isascii() and not _VERB.match(text, end)


@cache
def _term(analyte: str) -> Term:
    """Return the term of a lab or vital that was told without its name."""
    kind: Literal["lab", "vital"] = "vital" if terminology().get("vital", analyte) else "lab"
    return Term(kind, frozenset((analyte,)), frozenset(), analyte, frozenset(conversions(analyte)))
