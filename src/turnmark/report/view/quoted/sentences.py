"""Words in the sentence that they stand in, cut to a length that a list can hold."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

from turnmark.language.text.segment import Segments, segment
from turnmark.report.view.quoted.clipping import clipped

LONGEST = 220
"""Characters of a sentence that are shown; a longer one is cut between words or clauses."""
_JOINT = re.compile(r"[\s,;:，；：、。！？!?…]+")
_ELLIPSIS = "…"

Span = tuple[int, int]


class Piece(NamedTuple):
    """A part of a shown sentence, and whether it is of the words that are at issue."""

    text: str
    marked: bool = False


@functools.lru_cache(maxsize=64)
def _segments(text: str) -> Segments:
    return segment(text)


def sentence_span(text: str, start: int, end: int) -> Span:
    """The sentences that words of a text reach into, from the first to the last; the words where there is none."""
    found = _segments(text)
    if not found.sentences:
        return start, end
    first, last = found.sentence_at(start), found.sentence_at(max(start, end - 1))
    return min(first.start, start), max(last.end, end)


def shown(text: str, span: Span, words: Sequence[Span], most: int = LONGEST) -> tuple[Piece, ...]:
    """The sentence at a span with its words marked, ``most`` characters at most and an ellipsis at every cut.

    Of a longer one what stands around the first words is shown, cut where a word or clause ends.
    """
    start, end = _cut(text, span, words[0], most) if span[1] - span[0] > most else span
    pieces = [Piece(_ELLIPSIS)] if start > span[0] else []
    place = start
    for first, last in sorted(words):
        begins, ends = max(first, place), min(last, end)
        if begins < ends:
            pieces += [Piece(text[place:begins]), Piece(text[begins:ends], marked=True)]
            place = ends
    pieces += [Piece(text[place:end]), Piece(_ELLIPSIS if end < span[1] else "")]
    return tuple(piece for piece in pieces if piece.text)


def unmarked(text: str, most: int = LONGEST) -> tuple[Piece, ...]:
    """A text that names no place in the reply."""
    return (Piece(clipped(text, most)),)


def _cut(text: str, span: Span, words: Span, most: int) -> Span:
    """A part of a span around words: a third of the room before them, the rest behind."""
    room = max(most - 2 - (words[1] - words[0]), 0)
    start = max(span[0], words[0] - room // 3)
    end = min(span[1], start + most - 2)
    start = max(span[0], min(start, end - (most - 2)))
    if start > span[0]:
        joint = _JOINT.search(text, start, words[0])
        start = joint.end() if joint else start
    if end < span[1]:
        joints = [found.start() for found in _JOINT.finditer(text, min(words[1], end), end)]
        end = joints[-1] if joints else end
    return start, end
