"""What the judge measures on a claim and its material: shares and flags from 0 to 1, each with a name.

Every measure has a direction that is known beforehand (`RISING`, `FALLING`): more words found never speaks against
support, a lost number never speaks for it. Weights are fitted under these signs, so that what is learned on one kind of
text carries over to another.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from functools import cache
from typing import NamedTuple

from rapidfuzz.distance import LCSseq
from rapidfuzz.fuzz import partial_ratio

from turnmark.judges.rules import words
from turnmark.judges.rules.material import Material
from turnmark.judges.rules.reading import Reading, Sentence
from turnmark.language.quantity import Quantity, convert

RISING = (
    "covered",  # weight of the claim's units found anywhere in the material
    "covered_by_two",  # … in its two closest sentences
    "covered_by_three",  # … in its three closest sentences
    "covered_new",  # … of units that the question does not hold
    "pairs",  # neighbouring units of the claim that are neighbours in the material
    "long_runs",  # runs of five characters (English) or three (Chinese, Korean) found in the material
    "short_runs",  # runs of four characters (English) or two
    "alike",  # similarity of characters to the closest part of the closest sentence
    "worst_sentence",  # covered weight of the claim's least covered sentence
    "question",  # weight of the question's units found in the two closest sentences
)
FALLING = (
    "rarest_missing",  # weight of the rarest unit that is missing, over that of an unseen unit
    "missing",  # number of content units missing from the two closest sentences, at most eight, over eight
    "disordered",  # units found in the closest sentence, but in another order
    "numbers_lost",  # number of quantities that the closest sentences do not hold, at most three, over three
    "number_differs",  # 1 when a quantity of the same unit stands there instead
    "name_lost",  # 1 when a capitalised word is missing (English)
    "latin_lost",  # 1 when a Latin word is missing (Chinese, Korean)
    "negated_here",  # 1 when the claim negates and the closest sentence does not
    "negated_there",  # 1 when the closest sentence negates and the claim does not
    "parity",  # 1 when one of them negates an odd number of times and the other an even number
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


def measure(claim: Reading, material: Material, question: Reading | None = None) -> Measured:
    """All measures of a claim against its material (at least one text)."""
    weights = claim.weights
    closest = material.closest(weights)
    first = material.sentences[closest[0]]
    two: frozenset[str] = first.unit_set.union(*[material.sentences[number].unit_set for number in closest[1:2]])
    values = _overlap(claim, material, closest, two)
    asked = question.weights if question is not None else {}
    new = {unit: weight for unit, weight in weights.items() if unit not in asked}
    values["covered_new"] = coverage(new, material.index) if asked else values["covered"]
    values["question"] = coverage(asked, two) if asked else 0.0
    values |= _numbers(claim, material, closest)
    missing_names = any(name not in material.index for name in claim.names)
    values["name_lost"] = float(missing_names)
    values["latin_lost"] = float(
        claim.language != "en" and any(unit[0] in _LATIN and unit not in material.index for unit in weights)
    )
    values |= _polarity(claim, first)
    return Measured(values, closest)


_LATIN = frozenset("abcdefghijklmnopqrstuvwxyz")


def _overlap(claim: Reading, material: Material, closest: list[int], two: frozenset[str]) -> dict[str, float]:
    weights, units, index = claim.weights, claim.units, material.index
    first = material.sentences[closest[0]]
    three = two.union(*[material.sentences[number].unit_set for number in closest[2:3]])
    long, short = (5, 4) if claim.language == "en" else (3, 2)
    own_long, own_short = claim.grams(long), claim.grams(short)
    count = len(units)
    inside = sum([unit in first.unit_set for unit in units])
    covered = coverage(weights, index)
    sentences = claim.sentences
    worst = covered
    if len(sentences) > 1:
        worst = min([coverage({unit: weights[unit] for unit in each.units}, index) for each in sentences])
    return {
        "covered": covered,
        "covered_by_two": coverage(weights, two),
        "covered_by_three": coverage(weights, three),
        "pairs": _share(sum([pair in material.pairs for pair in claim.pairs]), len(claim.pairs)),
        "long_runs": len(own_long & material.grams(long)) / len(own_long),
        "short_runs": len(own_short & material.grams(short)) / len(own_short),
        "alike": partial_ratio(claim.compact, first.folded) / 100,
        "worst_sentence": worst,
        "rarest_missing": max([weight for unit, weight in weights.items() if unit not in index], default=0.0)
        / words.UNSEEN,
        "missing": min(sum([weight > LIGHT and unit not in two for unit, weight in weights.items()]), 8) / 8,
        "disordered": (inside - LCSseq.similarity(units, first.units)) / count if count else 0.0,
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


def _polarity(claim: Reading, first: Sentence) -> dict[str, float]:
    here = sum([len(sentence.negations) for sentence in claim.sentences])
    there = len(first.negations)
    absolute = set(_absolute().findall(claim.folded.text))
    return {
        "negated_here": float(here > 0 and not there),
        "negated_there": float(there > 0 and not here),
        "parity": float(here % 2 != there % 2),
        "absolute": float(bool(absolute) and not absolute <= set(_absolute().findall(first.folded))),
    }
