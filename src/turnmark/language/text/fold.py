"""One-to-one folding of text, so that offsets of the folded text are offsets of the original.

Width (full to half), ASCII case, traditional to simplified characters, quotes, dashes and spaces are folded
character by character. Only the rare text with decomposed letters, expanding compatibility characters or
invisible characters changes length; such a text carries an offset map.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from functools import cache
from importlib import resources

import msgspec
import numpy as np
from numpy.typing import NDArray

_INVISIBLE = "\u00ad\u200b\u200c\u2060\ufeff\u200e\u200f"
_EXPANDING = "".join(
    chr(code)
    for low, high in ((0x2100, 0x2150), (0x3371, 0x3380), (0x3380, 0x33E0), (0xFB00, 0xFB07))
    for code in range(low, high)
    if len(unicodedata.normalize("NFKC", chr(code))) > 1
)
_UNEVEN = re.compile(
    f"(?P<invisible>[{_INVISIBLE}])|(?P<expanding>[{re.escape(_EXPANDING)}])"
    "|(?P<jamo>[\u1100-\u115f][\u1160-\u11a7][\u11a8-\u11ff]?)|(?P<marked>[^\\W\\d_][\u0300-\u036f]+)"
)
_MARK = 1 << 31
# Longer texts are folded as an array; for shorter ones making the array costs more than it saves.
_SHORT = 30
_UNEVEN_CODES = [*map(ord, _INVISIBLE), *map(ord, _EXPANDING), *range(0x1100, 0x1160), *range(0x300, 0x370)]
_UNEVEN_HINT = re.compile(f"[{re.escape(''.join(map(chr, _UNEVEN_CODES)))}]")


@cache
def character_table() -> dict[str, str]:
    """Return every character that folding changes, mapped to the one character that replaces it.

    `tools/generate.py` makes the file by `folding.made`, since the tables of opencc take long to read.
    """
    old, new = msgspec.json.decode(resources.files(__package__).joinpath("folding.json").read_bytes(), type=list[str])
    return dict(zip(old, new, strict=True))


@cache
def _flat() -> str:
    """What becomes of each character, as a string: the fastest table that str.translate accepts.

    Beyond its end characters stay as they are. Lone surrogates can not be encoded by the matcher, hence the replacement
    character.
    """
    codes = np.arange(0x10000, dtype=np.uint32)
    table = character_table()
    codes[[*map(ord, table)]] = [*map(ord, table.values())]
    codes[0xD800:0xE000] = 0xFFFD
    return codes.tobytes().decode("utf-32-le")


@cache
def _codes() -> NDArray[np.uint32]:
    """The same as code points, for all of Unicode; those that may change the length are marked."""
    codes = np.arange(0x110000, dtype=np.uint32)
    codes[:0x10000] = np.frombuffer(_flat().encode("utf-32-le"), np.uint32)
    codes[_UNEVEN_CODES] |= _MARK
    return codes


class Folded:
    """A folded text and the way back to the original.

    Attributes:
        original: The text as given.
        base: The original, or its composed form when the length had to change; same length as ``text``.
        text: The folded text; all searching happens in it.
        same_length: True when offsets of ``text`` are offsets of ``original``.

    """

    __slots__ = ("_ends", "_starts", "base", "original", "same_length", "text")

    def __init__(self, original: str, base: str, text: str, starts: list[int] | None, ends: list[int] | None) -> None:
        self.original = original
        self.base = base
        self.text = text
        self.same_length = starts is None
        self._starts = starts
        self._ends = ends

    def to_original(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original (code points) that the span of the folded text came from."""
        if self._starts is None or self._ends is None:
            return start, end
        if start >= len(self._starts):
            return len(self.original), len(self.original)
        first = self._starts[start]
        return first, max(first, self._ends[end - 1]) if end > start else first

    def from_original(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest span of the folded text that covers the span of the original."""
        if self._starts is None or self._ends is None:
            return start, end
        first = bisect_right(self._ends, start)
        last = bisect_right(self._starts, end - 1) if end > start else first
        return first, max(first, last)


def _compose(text: str) -> tuple[str, list[int], list[int]]:
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    position = 0
    for match in _UNEVEN.finditer(text):
        start, end = match.span()
        pieces.append(text[position:start])
        starts.extend(range(position, start))
        ends.extend(range(position + 1, start + 1))
        if match.lastgroup == "invisible":
            replacement = ""
        else:
            expanding = match.lastgroup == "expanding"
            replacement = unicodedata.normalize("NFKC" if expanding else "NFC", match.group())
        pieces.append(replacement)
        starts.extend([start] * len(replacement))
        ends.extend([end] * len(replacement))
        position = end
    pieces.append(text[position:])
    starts.extend(range(position, len(text)))
    ends.extend(range(position + 1, len(text) + 1))
    return "".join(pieces), starts, ends


def fold(text: str) -> Folded:
    """Fold width, ASCII case, traditional characters, quotes, dashes and spaces.

    Args:
        text: Any string; lone surrogates become U+FFFD in the folded text.

    Returns:
        The folded text, of the same length as ``text`` unless it holds decomposed Hangul or accents, expanding
        compatibility characters (such as the one-character kilogram sign) or invisible characters.

    """
    if text.isascii():
        return Folded(text, text, _lowered(text), None, None)
    if len(text) > _SHORT:
        codes = _codes().take(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32))
        try:
            return Folded(text, text, codes.tobytes().decode("utf-32-le"), None, None)
        except UnicodeDecodeError:
            # A marked code is no character.
            pass
    if _UNEVEN_HINT.search(text) and _UNEVEN.search(text):
        base, starts, ends = _compose(text)
        return Folded(text, base, base.translate(_flat()), starts, ends)
    return Folded(text, text, text.translate(_flat()), None, None)


def _lowered(text: str) -> str:
    """ASCII text, folded."""
    lowered = text.lower()
    return lowered if lowered.isprintable() else lowered.translate(_flat())


def fold_text(text: str) -> str:
    """Return only the folded text; for literals and cue words."""
    if text.isascii():
        return _lowered(text)
    if len(text) > _SHORT or _UNEVEN_HINT.search(text):
        return fold(text).text
    return text.translate(_flat())


def fold_texts(texts: Iterable[str]) -> list[str]:
    """Return several texts folded, in one pass over all of them; for lists of words."""
    given = list(texts)
    folded = fold_text("\n".join(given)).split("\n")
    # A text that holds an end of a line itself would be cut there.
    return folded if len(folded) == len(given) else [fold_text(text) for text in given]
