"""The short-term window and the searchable long-term memory of the demo adviser."""

from __future__ import annotations

import math
import re
import sqlite3
from collections import Counter, deque
from pathlib import Path
from typing import NamedTuple

from turnmark.language.text.fold import fold_text

_K1, _B = 1.5, 0.75
_WORD = re.compile(r"[a-z0-9]+(?:[.%][0-9]*)?|[^\W_a-z0-9]+")


class Utterance(NamedTuple):
    """One thing that was said. ``turn`` counts user turns from 1."""

    turn: int
    role: str
    text: str


class Recalled(NamedTuple):
    """An earlier exchange that a search found, with its BM25 score."""

    turn: int
    text: str
    score: float


class ShortTerm:
    """The last exchanges, verbatim."""

    def __init__(self, exchanges: int) -> None:
        self._held: deque[Utterance] = deque(maxlen=2 * exchanges)

    def add(self, utterance: Utterance) -> None:
        """Remember; the oldest falls out."""
        self._held.append(utterance)

    def turns(self) -> list[Utterance]:
        """What is held, the oldest first."""
        return list(self._held)


class LongTerm:
    """Every exchange of a dialogue in an SQLite file, searched by BM25 over words and pairs of characters.

    Source of the ranking: S. Robertson, H. Zaragoza, The Probabilistic Relevance Framework, 2009; k1 = 1.5, b = 0.75.
    """

    def __init__(self, folder: Path) -> None:
        self._base = sqlite3.connect(folder / "memory.sqlite", check_same_thread=False, isolation_level=None)
        # What is lost in a crash is played again with the dialogue, so nothing has to wait for the disk.
        self._base.execute("PRAGMA synchronous = OFF")
        self._base.execute("CREATE TABLE IF NOT EXISTS exchange (turn INTEGER PRIMARY KEY, text TEXT NOT NULL)")

    def add(self, turn: int, text: str) -> None:
        """Remember an exchange."""
        self._base.execute("INSERT OR REPLACE INTO exchange VALUES (?, ?)", (turn, text))

    def search(self, query: str, before: int, most: int) -> list[Recalled]:
        """The exchanges of turns below ``before`` that match best, best first; equal ones the older first."""
        rows = self._base.execute("SELECT turn, text FROM exchange WHERE turn < ? ORDER BY turn", (before,)).fetchall()
        scores = bm25(tokens(query), [tokens(text) for _, text in rows])
        results = [Recalled(turn, text, score) for (turn, text), score in zip(rows, scores, strict=True) if score > 0]
        return sorted(results, key=lambda item: (-item.score, item.turn))[:most]

    def close(self) -> None:
        """Close the file."""
        self._base.close()


def tokens(text: str) -> list[str]:
    """Latin words and numbers, and every pair of neighbouring characters of other scripts."""
    results: list[str] = []
    for match in _WORD.finditer(fold_text(text)):
        run = match[0]
        if run.isascii() or len(run) == 1:
            results.append(run)
        else:
            results += [run[index : index + 2] for index in range(len(run) - 1)]
    return results


def bm25(query: list[str], documents: list[list[str]]) -> list[float]:
    """The BM25 score of each document for a query; 0 where no token is shared."""
    count = len(documents)
    if not count:
        return []
    mean = sum(map(len, documents)) / count or 1.0
    held = [Counter(document) for document in documents]
    scores = [0.0] * count
    for token in dict.fromkeys(query):
        containing = sum(token in counted for counted in held)
        if not containing:
            continue
        rarity = math.log(1 + (count - containing + 0.5) / (containing + 0.5))
        for index, counted in enumerate(held):
            often = counted[token]
            if often:
                length = 1 - _B + _B * len(documents[index]) / mean
                scores[index] += rarity * often * (_K1 + 1) / (often + _K1 * length)
    return scores
