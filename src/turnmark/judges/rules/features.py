"""What the judge measures on a claim and its material: numbers between 0 and 1 (or small counts), each with a name."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache

from rapidfuzz.distance import LCSseq
from rapidfuzz.fuzz import partial_ratio

from turnmark.judges.rules import words
from turnmark.judges.rules.reading import Reading, Sentence
from turnmark.language.quantity import Quantity, convert


class Material:
    """Readings of the texts that a claim is held against, indexed by unit."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self.readings = readings
        self.sentences: list[Sentence] = []
        self.places: list[int] = []
        self.index: dict[str, list[int]] = {}
        for place, reading in enumerate(readings):
            for sentence in reading.sentences:
                number = len(self.sentences)
                self.sentences.append(sentence)
                self.places.append(place)
                for unit in set(sentence.units):
                    self.index.setdefault(unit, []).append(number)
        self._pairs: frozenset[tuple[str, str]] | None = None
        self._grams: dict[int, set[str]] = {}

    @property
    def pairs(self) -> frozenset[tuple[str, str]]:
        if self._pairs is None:
            self._pairs = frozenset().union(*[sentence.pairs for sentence in self.sentences])
        return self._pairs

    def grams(self, size: int) -> set[str]:
        found = self._grams.get(size)
        if found is None:
            found = set()
            for reading in self.readings:
                found |= grams(reading.compact, size)
            self._grams[size] = found
        return found


def grams(text: str, size: int) -> set[str]:
    return {text[i : i + size] for i in range(max(1, len(text) - size + 1))}


def best_sentences(weights: dict[str, float], material: Material, most: int = 3) -> list[int]:
    """The sentences that cover most of the weight, greedily: each covers what those before it left."""
    scores = [0.0] * len(material.sentences)
    index = material.index
    for unit, weight in weights.items():
        for number in index.get(unit, ()):
            scores[number] += weight
    chosen: list[int] = []
    left = dict(weights)
    for _ in range(most):
        best = max(range(len(scores)), key=scores.__getitem__)
        if scores[best] <= 0:
            break
        chosen.append(best)
        for unit in set(material.sentences[best].units):
            weight = left.pop(unit, 0.0)
            if weight:
                for number in index[unit]:
                    scores[number] -= weight
    return chosen or [0]


@cache
def _absolutes() -> re.Pattern[str]:
    parts = []
    for language, text in words.lists()["absolutes"].items():
        for word in text.split(","):
            word = word.strip()
            parts.append(rf"\b{word}\b" if language == "en" else word)
    return re.compile("|".join(sorted(parts, key=len, reverse=True)))


_CAPITAL = re.compile(r"(?<=[a-z0-9,;:)'\"] )[A-Z][A-Za-z\u00c0-\u024f]+|\b[A-Z]{2,}\b|(?<=[A-Za-z] )[A-Z][a-z]+")


def names(text: str) -> list[str]:
    """Capitalised words that do not open a sentence, folded and stemmed."""
    return [words.stem(found.lower()) for found in _CAPITAL.findall(text)]


def same_amount(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities can be the same amount."""
    if one.unit == other.unit or not one.unit or not other.unit:
        return math.isclose(one.low, other.low, rel_tol=1e-6) or math.isclose(one.high, other.high, rel_tol=1e-6)
    try:
        low = convert(one.low, one.unit, other.unit)
    except ValueError:
        return False
    return math.isclose(low, other.low, rel_tol=0.02)


def coverage(weights: dict[str, float], found: set[str] | frozenset[str]) -> float:
    total = sum(weights.values())
    return sum([weight for unit, weight in weights.items() if unit in found]) / total if total else 1.0


def support_features(claim: Reading, material: Material, question: Reading | None) -> dict[str, float]:
    weights = claim.weights
    chosen = best_sentences(weights, material)
    sentences = material.sentences
    first = sentences[chosen[0]]
    one = set(first.units)
    two = one.union(*[sentences[i].units for i in chosen[1:2]])
    three = two.union(*[sentences[i].units for i in chosen[2:3]])
    asked = question.weights if question is not None else {}
    novel = {unit: weight for unit, weight in weights.items() if unit not in asked}
    content = {u: w for u, w in weights.items() if w > 0.3}
    missing = [(w, u) for u, w in weights.items() if u not in material.index]
    missing2 = [w for u, w in content.items() if u not in two]
    pairs = [pair for sentence in claim.sentences for pair in sentence.pairs]
    units = claim.units
    lcs = LCSseq.similarity(units, first.units) / len(units) if units else 0.0
    count1 = sum([u in one for u in units]) / len(units) if units else 0.0
    language = claim.language
    size = 5 if language == "en" else 3
    own = grams(claim.compact, size)
    size2 = 4 if language == "en" else 2
    own2 = grams(claim.compact, size2)
    f = {
        "cov": coverage(weights, material.index.keys()),
        "cov1": coverage(weights, one),
        "cov2": coverage(weights, two),
        "cov3": coverage(weights, three),
        "ccov": coverage(content, material.index.keys()) if content else 1.0,
        "ccov2": coverage(content, two) if content else 1.0,
        "count": sum([u in material.index for u in units]) / len(units) if units else 0.0,
        "novel": coverage(novel, material.index.keys()) if novel else 1.0,
        "novel2": coverage(novel, two) if novel else 1.0,
        "pairs": sum([p in material.pairs for p in pairs]) / len(pairs) if pairs else 1.0,
        "pairs2": sum([p in first.pairs or any(p in sentences[i].pairs for i in chosen[1:2]) for p in pairs]) / len(pairs) if pairs else 1.0,
        "lcs": lcs,
        "order": count1 - lcs,
        "gram": len(own & material.grams(size)) / len(own),
        "gramb": len(own2 & material.grams(size2)) / len(own2),
        "partial": partial_ratio(claim.compact, first.folded) / 100,
        "missmax": max([w for w, _ in missing], default=0.0) / words.UNSEEN,
        "misscount": min(len([1 for w, _ in missing if w > 0.3]), 8) / 8,
        "misscount2": min(len(missing2), 8) / 8,
        "len": math.log1p(len(units)),
        "msents": math.log1p(len(sentences)),
        "claims": math.log1p(len(claim.sentences)),
    }
    # quantities
    mine = [q for s in claim.sentences for q in s.quantities if q.kind in ("amount", "date", "time")]
    f["hasnum"] = float(bool(mine))
    lost = conflict = 0
    if mine:
        theirs = [q for i in chosen for q in sentences[i].quantities]
        for q in mine:
            if any(same_amount(q, t) for t in theirs):
                continue
            if all(u in material.index for u in words.units(claim.folded.text[q.start:q.end])):
                continue
            lost += 1
            if any(t.unit == q.unit for t in theirs):
                conflict += 1
    f["numlost"] = min(lost, 3) / 3
    f["numlostshare"] = lost / len(mine) if mine else 0.0
    f["numconf"] = float(conflict > 0)
    entities = names(claim.text) if language == "en" else []
    gone = [e for e in entities if e not in material.index]
    f["hasname"] = float(bool(entities))
    f["namelost"] = len(gone) / len(entities) if entities else 0.0
    f["nameany"] = float(bool(gone))
    latin = [u for u in units if u[0].isascii() and u[0].isalpha()] if language != "en" else []
    f["latinlost"] = float(any(u not in material.index for u in latin))
    neg_c = sum([len(s.negations) for s in claim.sentences])
    neg_m = len(first.negations)
    f["negonly"] = float(neg_c > 0 and neg_m == 0)
    f["negmat"] = float(neg_m > 0 and neg_c == 0)
    f["negpar"] = float(neg_c % 2 != neg_m % 2)
    f["negclaim"] = float(neg_c > 0)
    absolute = set(_absolutes().findall(claim.folded.text))
    f["absnew"] = float(bool(absolute - set(_absolutes().findall(first.folded)))) if absolute else 0.0
    worst = min([coverage({u: words.weight(u) for u in s.units}, material.index.keys()) for s in claim.sentences])
    f["worst"] = worst
    f["hasq"] = float(bool(asked))
    f["qclaim"] = coverage(asked, set(units)) if asked else 0.0
    f["qmat"] = coverage(asked, material.index.keys()) if asked else 0.0
    f["qmat2"] = coverage(asked, two) if asked else 0.0
    return f
