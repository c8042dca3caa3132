"""What the judge measures on a claim and its material: shares and flags from 0 to 1, each with a name.

Every measure has a direction that is known beforehand (`RISING`, `FALLING`): more words found never speaks against
support, a lost number never speaks for it. Weights are fitted under these signs, so that what is learned on one kind of
text carries over to another.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import LCSseq
from rapidfuzz.fuzz import partial_ratio

from turnmark.judges.rules import words
from turnmark.judges.rules.material import Material
from turnmark.judges.rules.opposites import opposite
from turnmark.judges.rules.reading import Pair, Reading, Sentence
from turnmark.language.quantity import Quantity, convert

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
LIGHT = 0.3
"""Units of this weight are function words."""


class Measured(NamedTuple):
    """Measures by name, and the closest sentences they were taken on, the best first."""

    values: dict[str, float]
    closest: list[int]


def coverage(weights: Mapping[str, float], found: Collection[str]) -> float:
    """Share of the weight whose units are in ``found``; 1 when there is no weight."""
    total = sum(weights.values())
    return sum([weight for unit, weight in weights.items() if unit in found]) / total if total else 1.0


def _share(hits: int, total: int) -> float:
    return hits / total if total else 1.0


class _Match(NamedTuple):
    """A sentence of the claim with the sentences of the material that come closest to it, the best first."""

    sentence: Sentence
    weights: dict[str, float]
    first: Sentence
    two: frozenset[str]
    pairs: frozenset[Pair]


def measure(claim: Reading, material: Material, question: Reading | None = None) -> Measured:
    """All measures of a claim against its material (at least one text)."""
    matches: list[_Match] = []
    closest: dict[int, None] = {}
    for sentence in claim.sentences:
        weights = {unit: claim.weights[unit] for unit in sentence.units}
        numbers = material.closest(weights, 2)
        found = [material.sentences[number] for number in numbers]
        closest.update(dict.fromkeys(numbers))
        two: frozenset[str] = frozenset().union(*[each.unit_set for each in found])
        pairs: frozenset[Pair] = frozenset().union(*[each.pairs for each in found])
        matches.append(_Match(sentence, weights, found[0], two, pairs))
    near: frozenset[str] = frozenset().union(*[match.two for match in matches])
    values = _overlap(claim, material, matches)
    asked = question.weights if question is not None else {}
    new = {unit: weight for unit, weight in claim.weights.items() if unit not in asked}
    values["covered_new"] = coverage(new, material.index) if asked else values["covered"]
    values["question"] = coverage(asked, near) if asked else 0.0
    values["missing"] = min(sum([w > LIGHT and unit not in near for unit, w in claim.weights.items()]), 8) / 8
    values |= _numbers(claim, material, list(closest))
    values["name_lost"] = float(any(name not in material.index for name in claim.names))
    values["latin_lost"] = float(
        claim.language != "en" and any(unit[0] in _LATIN and unit not in material.index for unit in claim.weights)
    )
    values |= _polarity(matches)
    order = material.closest(claim.weights, 1)
    return Measured(values, [*order, *(number for number in closest if number not in order)])


_LATIN = frozenset("abcdefghijklmnopqrstuvwxyz")


def _mean(parts: Sequence[tuple[float, float]]) -> float:
    """The mean of (value, weight) pairs; 1 when nothing weighs."""
    total = sum([weight for _, weight in parts])
    return sum([value * weight for value, weight in parts]) / total if total else 1.0


def _overlap(claim: Reading, material: Material, matches: list[_Match]) -> dict[str, float]:
    weights, index = claim.weights, material.index
    long, short, least = (5, 4, 3) if claim.language == "en" else (3, 2, 1)
    own_long, own_short, own_least = claim.grams(long), claim.grams(short), claim.grams(least)
    by_two = [(coverage(match.weights, match.two), sum(match.weights.values())) for match in matches]
    alike, disordered = [], []
    for match in matches:
        units = match.sentence.units
        alike.append((partial_ratio(match.sentence.folded, match.first.folded) / 100, len(match.sentence.folded)))
        inside = sum([unit in match.first.unit_set for unit in units])
        disordered.append(inside - LCSseq.similarity(units, match.first.units))
    pairs = claim.pairs
    near = sum([pair in match.pairs for match in matches for pair in pairwise(match.sentence.units)])
    count = len(claim.units)
    return {
        "covered": coverage(weights, index),
        "covered_by_one": _mean([(coverage(m.weights, m.first.unit_set), sum(m.weights.values())) for m in matches]),
        "covered_by_two": _mean(by_two),
        "pairs": _share(sum([pair in material.pairs for pair in pairs]), len(pairs)),
        "pairs_by_two": _share(near, len(pairs)),
        "long_runs": len(own_long & material.grams(long)) / len(own_long),
        "short_runs": len(own_short & material.grams(short)) / len(own_short),
        "letters": len(own_least & material.grams(least)) / len(own_least),
        "alike": _mean(alike),
        "worst_sentence": min([covered for covered, weight in by_two if weight], default=1.0),
        "rarest_missing": max([weight for unit, weight in weights.items() if unit not in index], default=0.0)
        / words.UNSEEN,
        "disordered": sum(disordered) / count if count else 0.0,
        "longer": max(0.0, 1.0 - sum([len(match.first.units) for match in matches]) / count) if count else 0.0,
    }


def same_amount(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities can be the same; units are converted, a missing unit fits any."""
    if one.unit == other.unit or not one.unit or not other.unit:
        return math.isclose(one.low, other.low, rel_tol=1e-6) or math.isclose(one.high, other.high, rel_tol=1e-6)
    converted = in_unit(one, other.unit)
    return converted is not None and math.isclose(converted, other.low, rel_tol=0.02)


@cache
def _converts(from_unit: str, to_unit: str) -> bool:
    try:
        convert(1.0, from_unit, to_unit)
    except ValueError:
        return False
    return True


def in_unit(quantity: Quantity, unit: str) -> float | None:
    """The lower end of a quantity in another unit, None when it does not convert."""
    return convert(quantity.low, quantity.unit, unit) if _converts(quantity.unit, unit) else None


def lost_quantities(claim: Reading, material: Material, closest: list[int]) -> list[Quantity]:
    """The quantities of a claim that its closest sentences do not hold, in value or in writing."""
    mine = claim.quantities
    if not mine:
        return []
    theirs = [quantity for number in closest for quantity in material.sentences[number].quantities]
    return [
        quantity
        for quantity in mine
        if not any(same_amount(quantity, other) for other in theirs)
        and not all(
            unit in material.index for unit in words.units(words.folded(claim.text[quantity.start : quantity.end]))
        )
    ]


def _numbers(claim: Reading, material: Material, closest: list[int]) -> dict[str, float]:
    lost = lost_quantities(claim, material, closest)
    differs = bool(lost) and any(
        other.unit == quantity.unit and other.kind == quantity.kind
        for quantity in lost
        for number in closest
        for other in material.sentences[number].quantities
    )
    return {"numbers_lost": min(len(lost), 3) / 3, "number_differs": float(differs)}


@cache
def _absolute() -> re.Pattern[str]:
    found = []
    for language, text in words.lists().absolutes.items():
        for word in text.split(","):
            plain = re.escape(word.strip())
            found.append(rf"\b{plain}\b" if language == "en" else plain)
    return re.compile("|".join(sorted(found, key=lambda each: (-len(each), each))))


def _polarity(matches: list[_Match]) -> dict[str, float]:
    found = dict.fromkeys(("negated_here", "negated_there", "parity", "opposite", "absolute"), 0.0)
    for match in matches:
        here, there = len(match.sentence.negations), len(match.first.negations)
        absolute = set(_absolute().findall(match.sentence.folded))
        for name, holds in (
            ("negated_here", here > 0 and not there),
            ("negated_there", there > 0 and not here),
            ("parity", here % 2 != there % 2),
            ("opposite", here % 2 == there % 2 and opposite(match.sentence, match.first) is not None),
            ("absolute", absolute and not absolute <= set(_absolute().findall(match.first.folded))),
        ):
            if holds:
                found[name] = 1.0
    return found
