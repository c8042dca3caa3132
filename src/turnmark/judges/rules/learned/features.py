"""What the judge measures on a claim and its material: shares and flags from 0 to 1, each with a name.

Every measure has a direction that is known beforehand (`RISING`, `FALLING`): more words found never speaks against
support, a lost number never speaks for it. Weights are fitted under these signs, so that what is learned on one kind of
text carries over to another.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import LCSseq
from rapidfuzz.fuzz import partial_ratio

from turnmark.judges.rules import words
from turnmark.judges.rules.material import Closest, Material
from turnmark.judges.rules.reading import Reading, Sentence
from turnmark.judges.rules.signals import opposite
from turnmark.language.quantity.quantity import Quantity
from turnmark.language.quantity.same import same_amount

RISING = (
    "covered",  # weight of the claim's units found anywhere in the material
    "covered_by_one",  # … each sentence of the claim by the sentence that comes closest to it
    "covered_by_two",  # … by its two closest sentences
    "covered_new",  # … anywhere, of units that the question does not hold
    "pairs",  # neighbouring units of the claim that are neighbours in the material
    "pairs_by_two",  # … in the two closest sentences
    "long_runs",  # runs of five characters (English) or three (Chinese, Korean) found in the material
    "short_runs",  # runs of four characters (English) or two
    "letters",  # runs of three characters (English) or one
    "alike",  # similarity of characters to the closest part of the closest sentence
    "worst_sentence",  # covered weight of the claim's least covered sentence, by its two closest
    "question",  # weight of the question's units found in the closest sentences
)
FALLING = (
    "longer",  # units of the claim beyond those of the closest sentences, over those of the claim
    "rarest_missing",  # weight of the rarest unit that is missing, over that of an unseen unit
    "missing",  # number of content units missing from the closest sentences, at most eight, over eight
    "disordered",  # units found in the closest sentence, but in another order
    "numbers_lost",  # number of quantities that the closest sentences do not hold, at most three, over three
    "number_differs",  # 1 when a quantity of the same unit stands there instead
    "name_lost",  # 1 when a capitalised word is missing (English)
    "latin_lost",  # 1 when a Latin word is missing (Chinese, Korean)
    "negated_here",  # 1 when a sentence of the claim negates and the closest one does not
    "negated_there",  # 1 when the closest sentence negates and the claim's does not
    "parity",  # 1 when one of them negates an odd number of times and the other an even number
    "opposite",  # 1 when the claim says big where the closest sentence says small
    "absolute",  # 1 when the claim says all, only, never … and the closest sentence does not
)
SIZES = (
    "claim_size",  # logarithm of the number of units of the claim, over that of a thousand
    "material_size",  # … of the number of sentences of the material
    "material_length",  # … of the number of units of the closest sentence
)
"""Sizes speak for nothing by themselves; only weights fitted on a user's own labels go by them."""


ALL = frozenset((*RISING, *FALLING, *SIZES))
_COUNTED = frozenset(("numbers_lost", "number_differs"))
_POLAR = frozenset(("negated_here", "negated_there", "parity", "opposite", "absolute"))
_PAIRED = frozenset(("pairs", "pairs_by_two"))
_RUNS = {"en": {"long_runs": 5, "short_runs": 4, "letters": 3}}
_DENSE_RUNS = {"long_runs": 3, "short_runs": 2, "letters": 1}


class Measured(NamedTuple):
    """Measures by name, and the closest sentences, the best first."""

    values: dict[str, float]
    closest: list[int]


def coverage(weights: Mapping[str, int], found: Collection[str]) -> float:
    """Share of the weight whose units are in ``found``; 1 when there is no weight."""
    total = sum(weights.values())
    return sum([weight for unit, weight in weights.items() if unit in found]) / total if total else 1.0


class _Match(NamedTuple):
    """A sentence of the claim, what comes closest to it in the material, and the sentence that does so best."""

    sentence: Sentence
    closest: Closest
    first: Sentence


def measure(
    claim: Reading, material: Material, question: Reading | None = None, wanted: Collection[str] = ALL
) -> Measured:
    """The wanted measures of a claim against its material (at least one text), and perhaps others beside them."""
    there = _verbatim(claim, material)
    if there is not None:
        return _measured_verbatim(claim, material, question, there)
    matches = []
    for sentence in claim.sentences:
        closest = material.closest(sentence.weights, sentence.unit_set)
        matches.append(_Match(sentence, closest, material.sentences[closest.numbers[0]]))
    order = list(dict.fromkeys([number for match in matches for number in match.closest.numbers]))
    sentences = [material.sentences[number] for number in order]
    near = [sentence.unit_set for sentence in sentences]
    counted = _NOTHING
    if not _COUNTED.isdisjoint(wanted):
        counted = count_quantities(claim, [match.first for match in matches], sentences)
    missing = material.lacking(claim.unit_set)
    values = _covered(claim, missing, matches, counted.reworded)
    values["verbatim"] = 0.0
    _asked(values, claim, missing, question, near)
    values["missing"] = _missing(claim, near) / 8 if "missing" in wanted else 0.0
    _alike(values, claim, matches)
    for name, size in _RUNS.get(claim.language, _DENSE_RUNS).items():
        if name in wanted:
            values[name] = _runs_found(claim, size, material)
    if not _PAIRED.isdisjoint(wanted):
        _pairs(values, material, matches)
    _numbers(values, counted.lost, sentences)
    values["name_lost"] = float(bool(claim.names) and bool(material.lacking(claim.name_set)))
    values["latin_lost"] = float(not missing.isdisjoint(claim.latin))
    if not _POLAR.isdisjoint(wanted):
        _polarity(values, [(match.sentence, match.first) for match in matches])
    values["claim_size"] = _size(len(claim.units))
    values["material_size"] = _size(len(material.sentences))
    values["material_length"] = _size(len(matches[0].first.units))
    if len(matches) == 1:
        return Measured(values, order)
    best = material.closest(claim.weights, claim.unit_set).numbers[0]
    return Measured(values, [best, *[number for number in order if number != best]])


_STOPS = " .。!！?？;；,，"
_FEW = 3


def _verbatim(claim: Reading, material: Material) -> int | None:
    """The sentence of the material that holds a claim of one sentence word for word, None when there is none."""
    if len(claim.sentences) > 1 or len(claim.units) < _FEW:
        return None
    text = claim.compact.strip(_STOPS)
    there = material.holding(text, claim.sentences[0].unit_set)
    # One plus does not stand word for word in three.
    longer = there is not None and text.endswith("+") and f"{text}+" in material.sentences[there].folded
    return None if longer else there


_NOT_POLAR = dict.fromkeys(sorted(_POLAR), 0.0)
_ALL_FOUND = {**dict.fromkeys(RISING, 1.0), **dict.fromkeys(FALLING, 0.0)}


def _measured_verbatim(claim: Reading, material: Material, question: Reading | None, there: int) -> Measured:
    """What is measured on a claim that stands in a sentence word for word: everything found, in order."""
    sentence = material.sentences[there]
    values = _ALL_FOUND.copy()
    values["question"] = 0.0 if question is None else _share(question, sentence.unit_set)
    _polarity(values, [(claim.sentences[0], sentence)])
    values["claim_size"] = _size(len(claim.units))
    values["material_size"] = _size(len(material.sentences))
    values["material_length"] = _size(len(sentence.units))
    values["verbatim"] = 1.0
    return Measured(values, [there])


def _share(reading: Reading, found: frozenset[str]) -> float:
    """Share of the weight of a text whose units are in ``found``; 0 when there is no weight."""
    total = reading.weight
    weights = reading.weights
    return sum([weights[unit] for unit in reading.unit_set & found]) / total if total else 0.0


@lru_cache(maxsize=1 << 12)
def _size(count: int) -> float:
    return math.log1p(count) / math.log1p(1000)


def _covered(
    claim: Reading, missing: frozenset[str], matches: list[_Match], reworded: frozenset[str]
) -> dict[str, float]:
    """How much of the claim's weight is found: anywhere, and in the closest sentences of each of its sentences.

    Units of quantities that the material words otherwise (``reworded``) are found everywhere.
    """
    weights = claim.weights
    lacking = [weights[unit] for unit in missing]
    rarest, otherwise = max(lacking, default=0), 0
    if reworded:
        otherwise = sum([weights[unit] for unit in missing & reworded])
        rarest = max([weights[unit] for unit in missing - reworded], default=0)
    total = claim.weight
    result = total - sum(lacking)
    whole = sum([match.sentence.weight for match in matches])
    by_one = otherwise + sum([match.closest.gains[0] for match in matches])
    by_two = otherwise + sum([sum(match.closest.gains) for match in matches])
    each = [
        min(1.0, (sum(match.closest.gains) + otherwise) / match.sentence.weight)
        for match in matches
        if match.sentence.weight
    ]
    return {
        "covered": (result + otherwise) / total if total else 1.0,
        "covered_by_one": min(1.0, by_one / whole) if whole else 1.0,
        "covered_by_two": min(1.0, by_two / whole) if whole else 1.0,
        "worst_sentence": min(each, default=1.0),
        "rarest_missing": rarest / words.UNSEEN,
    }


def _asked(
    values: dict[str, float],
    claim: Reading,
    missing: frozenset[str],
    question: Reading | None,
    near: list[frozenset[str]],
) -> None:
    values["covered_new"], values["question"] = values["covered"], 0.0
    if question is None or not question.weights:
        return
    new = claim.unit_set - question.unit_set
    weights = claim.weights
    total = sum([weights[unit] for unit in new])
    values["covered_new"] = sum([weights[unit] for unit in new - missing]) / total if total else 1.0
    values["question"] = _share(question, near[0].union(*near[1:]))


def _missing(claim: Reading, near: list[frozenset[str]]) -> int:
    """The number of content units that the closest sentences lack, at most eight."""
    weights = claim.weights
    return min(sum([weights[unit] > words.LIGHT for unit in claim.unit_set.difference(*near)]), 8)


_SHORTER, _LONGER = 500, 10_000
"""Of longer sentences the beginnings are compared: so many characters of the shorter and of the longer one."""


def _similarity(one: str, other: str) -> float:
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if len(short) > _SHORTER or len(long) > _LONGER:
        short, long = short[:_SHORTER], long[:_LONGER]
    return partial_ratio(short, long)


def _alike(values: dict[str, float], claim: Reading, matches: list[_Match]) -> None:
    """Similarity of characters, units out of order, and units beyond the closest sentence."""
    alike = length = 0.0
    disordered = room = 0
    for match in matches:
        sentence, first = match.sentence, match.first
        size = len(sentence.folded)
        alike += _similarity(sentence.folded, first.folded) / 100 * size
        length += size
        there = first.unit_set
        inside = sum([unit in there for unit in sentence.units])
        if inside > 1:
            # One unit is in order whatever stands around it.
            disordered += inside - LCSseq.similarity(sentence.units, first.units)
        room += len(first.units)
    count = len(claim.units)
    values["alike"] = alike / length if length else 1.0
    values["disordered"] = disordered / count if count else 0.0
    values["longer"] = max(0.0, 1.0 - room / count) if count else 0.0


def _runs_found(claim: Reading, size: int, material: Material) -> float:
    """Share of the different runs of so many characters that the texts hold; of the whole claim when it is short."""
    runs = claim.runs(size)
    return material.runs_found(runs, min(size, len(claim.compact))) / len(runs) if claim.compact else 1.0


def _pairs(values: dict[str, float], material: Material, matches: list[_Match]) -> None:
    """Shares of neighbouring units that are neighbours in the material, and in the closest sentences."""
    total = anywhere = close = 0
    there = material.pairs
    for match in matches:
        near = material.sentences[match.closest.numbers[0]].pairs
        if len(match.closest.numbers) > 1:
            near = near | material.sentences[match.closest.numbers[1]].pairs
        for pair in pairwise(match.sentence.units):
            total += 1
            if pair in there:
                anywhere += 1
                close += pair in near
    values["pairs"] = anywhere / total if total else 1.0
    values["pairs_by_two"] = close / total if total else 1.0


class Counted(NamedTuple):
    """The quantities of a claim that its closest sentences do not hold, and the units of those they hold otherwise."""

    lost: list[Quantity]
    reworded: frozenset[str]


_NOTHING = Counted([], frozenset())


def count_quantities(claim: Reading, first: Sequence[Sentence], near: Sequence[Sentence]) -> Counted:
    """Which quantities of a claim stand in the sentences near to it, in value (2 years, 24 months) or in writing.

    A number without a unit answers for any unit in the ``first`` sentences only: those that say what the claim says.
    """
    written = claim.in_digits
    if written is not None and all(_written(number, near) for number in written):
        # The same digits with the same unit: there is nothing to compute.
        return _NOTHING
    mine = claim.quantities
    if not mine:
        return _NOTHING
    lost: list[Quantity] = []
    reworded: set[str] = set()
    for quantity in mine:
        text = words.folded(claim.text[quantity.start : quantity.end])
        if any(same_amount(quantity, other) for sentence in first for other in sentence.quantities) or any(
            bool(other.unit) == bool(quantity.unit) and same_amount(quantity, other)
            for sentence in near
            for other in sentence.quantities
        ):
            reworded.update(words.units(text))
        elif not _written(text, near):
            lost.append(quantity)
    return Counted(lost, frozenset(reworded))


def _written(text: str, near: Sequence[Sentence]) -> bool:
    """Whether a folded quantity stands in the sentences as it is written, and not as a part of a longer number."""
    for sentence in near:
        start = sentence.folded.find(text)
        while start >= 0:
            before, behind = sentence.folded[start - 1 : start], sentence.folded[start + len(text) :][:1]
            if not (text[0].isdigit() and before in _DIGIT_OR_POINT) and not (text[-1].isdigit() and behind.isdigit()):
                return True
            start = sentence.folded.find(text, start + 1)
    return False


_DIGIT_OR_POINT = frozenset("0123456789.")


def _numbers(values: dict[str, float], lost: list[Quantity], near: Sequence[Sentence]) -> None:
    theirs = [quantity for sentence in near for quantity in sentence.quantities] if lost else []
    values["numbers_lost"] = min(len(lost), 3) / 3
    values["number_differs"] = float(_other_number(lost, theirs))


def _other_number(lost: list[Quantity], theirs: list[Quantity]) -> bool:
    return any(other.unit == mine.unit and other.kind == mine.kind for mine in lost for other in theirs)


BACK = ("covered", "number_differs")
"""The measures that are also taken the other way round, for agreement."""


def measure_back(claim: Reading, other: Reading) -> dict[str, float]:
    """How far the claim holds what the other text says: `BACK`, each named ``back_…``."""
    differs = False
    if len(other.sentences) == 1 and other.text != claim.text:
        # Among several sentences, most numbers speak of something else.
        mine = claim.quantities
        lost = [each for each in other.quantities if not any(same_amount(each, item) for item in mine)] if mine else []
        differs = bool(lost) and _other_number(lost, mine)
    total, theirs = other.weight, other.weights
    covered = sum([theirs[unit] for unit in claim.unit_set & other.unit_set]) / total if total else 1.0
    return {"back_covered": covered, "back_number_differs": float(differs)}


def _polarity(values: dict[str, float], matches: list[tuple[Sentence, Sentence]]) -> None:
    """Denial, opposites and words of totality in sentences of the claim and in those that come closest to them."""
    values.update(_NOT_POLAR)
    for own, other in matches:
        mine, theirs = own.signals, other.signals
        here, there = len(mine.negations), len(theirs.negations)
        if here and not there:
            values["negated_here"] = 1.0
        elif there and not here:
            values["negated_there"] = 1.0
        if here % 2 != there % 2:
            values["parity"] = 1.0
        elif mine.oriented and opposite(mine, theirs, own.language) is not None:
            values["opposite"] = 1.0
        if mine.absolutes and not mine.absolutes <= theirs.absolutes:
            values["absolute"] = 1.0
