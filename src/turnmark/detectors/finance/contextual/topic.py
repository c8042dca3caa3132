"""How much of what an utterance is about a text takes up: its content words and amounts, found near each other."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

from turnmark.language.analysis import Analysis, analyse
from turnmark.language.quantity.quantity import Quantity
from turnmark.language.text.fold import fold_text

_MOST_PLACES = 40


class Overlap(NamedTuple):
    """The best window of a text: the share of the utterance's content that it holds, and its span (original)."""

    share: float
    start: int
    end: int


class Topic:
    """The content of one utterance: what is left of it when the filler is taken away.

    A Chinese word of a subject that every adviser speaks of (市场, 资产) weighs less than others; an amount (一年半,
    100万) is known in any form.
    """

    def __init__(self, utterance: str, filler: re.Pattern[str], common: frozenset[str]) -> None:
        analysis = analyse(utterance)
        text = analysis.folded.text
        amounts = [quantity for quantity in analysis.quantities if quantity.kind == "amount" and quantity.unit]
        self._amounts = {_amount(quantity) for quantity in amounts}
        for quantity in amounts:
            start, end = analysis.folded.from_original(quantity.start, quantity.end)
            text = text[:start] + " " * (end - start) + text[end:]
        pieces = re.split(r"[^\w]+", filler.sub(" ", text))
        terms = dict.fromkeys(term for piece in pieces for term in _terms(piece))
        self._weights = {term: _weight(term, common) for term in terms}
        self._total = sum(self._weights.values()) + 2.0 * len(self._amounts)

    def best(self, analysis: Analysis, *, window: int) -> Overlap:
        """The window with the most content of the utterance; share 0.0 when there is none."""
        text = analysis.folded.text
        places: list[tuple[int, int, object]] = [
            (start, start + len(term), term) for term in self._weights for start in _all(text, term)
        ]
        if self._amounts:
            places += [
                (*analysis.folded.from_original(quantity.start, quantity.end), amount)
                for quantity in analysis.quantities
                if (amount := _amount(quantity)) in self._amounts
            ]
        best = Overlap(0.0, 0, 0)
        if not self._total:
            return best
        places.sort(key=lambda place: place[:2])
        first, held, weight = 0, dict[object, int](), 0.0
        for last, (start, _, term) in enumerate(places):
            if not held.get(term):
                weight += self._weights.get(term, 2.0)  # type: ignore[call-overload]
            held[term] = held.get(term, 0) + 1
            while start - places[first][0] > window:
                gone = places[first][2]
                held[gone] -= 1
                if not held[gone]:
                    weight -= self._weights.get(gone, 2.0)  # type: ignore[call-overload]
                first += 1
            if weight / self._total > best.share + 1e-9:
                end = max(place[1] for place in places[first : last + 1])
                best = Overlap(weight / self._total, places[first][0], end)
        return Overlap(best.share, *analysis.folded.to_original(best.start, best.end))


@functools.lru_cache(maxsize=8)
def filler_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern for words that carry no content."""
    ordered = sorted({fold_text(word) for word in words}, key=lambda word: (-len(word), word))
    parts = [rf"\b{re.escape(word)}\b" if word[0].isascii() else re.escape(word) for word in ordered]
    return re.compile("|".join(parts) or r"(?!)")


def _amount(quantity: Quantity) -> tuple[str, float]:
    if quantity.unit == "year":
        return "month", round(quantity.low * 12, 3)
    return quantity.unit, round(quantity.low, 6)


def _terms(piece: str) -> Sequence[str]:
    """A Latin word or number whole; Chinese in pairs of characters."""
    if len(piece) < 2:
        return ()
    if piece.isascii():
        return (piece,)
    return tuple(piece[index : index + 2] for index in range(len(piece) - 1))


def _weight(term: str, common: frozenset[str]) -> float:
    if term in common:
        return 0.3
    return 1.5 if term.isascii() else 1.0


def _all(text: str, term: str) -> list[int]:
    results: list[int] = []
    start = text.find(term)
    while start >= 0 and len(results) < _MOST_PLACES:
        results.append(start)
        start = text.find(term, start + 1)
    return results
