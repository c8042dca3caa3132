"""Stops: where a sentence ends, told from abbreviations, numbers and the marks of lists."""

import re

# Stops are searched in the unfolded text, where an opening quote is not yet the same as a closing one.
# The first character is asked first and alone, so that all others are passed over quickly.
STOP = re.compile(
    r"[。！？!?….](?:(?<=[。！？!?])[。！？!?…．.~～]*|(?<=…)…*|(?<=\.)\.*(?=[\"'”’」』)）\]】*_]*(?:\s|$|[^\x00-\x7f])))"
    r"(?P<closers>[\"'”’」』)）\]】》〉*_]*)"
)
_ABBREVIATION = re.compile(
    r"(?:^|[^a-z])(?:dr|mr|mrs|ms|prof|sr|jr|st|vs|etc|e\.g|i\.e|eg|ie|cf|no|fig|approx|al|inc|ltd|co|corp|u\.s|u\.k"
    r"|a\.m|p\.m|ph\.d|m\.d|tel|ext|vol|dept|est|min|max|wt|ht|b\.i\.d|t\.i\.d|q\.d|p\.o|[a-z])$"
)
# These end a sentence as often as not; a capital after them decides.
_MAYBE_FINAL = re.compile(r"(?:a\.m|p\.m|etc|u\.s|u\.k|inc|ltd|co|corp|min|max|al|(?:^|[^a-z])[a-z])$")
_OPENER = re.compile(r"\s*[\"'(*_]*")


def _is_abbreviation(text: str, base: str, start: int, end: int, limit: int) -> bool:
    """Tell a stop that ends an abbreviation from one that ends the sentence too."""
    before = text[max(0, start - 6) : start]
    if before.endswith((" i", "\ni")) or _ABBREVIATION.search(before) is None:
        return False
    if _MAYBE_FINAL.search(before) is None:
        return True
    following = _OPENER.match(text, end)
    position = following.end() if following else end
    if position >= limit:
        return False
    # An initial: "J. Smith".
    if before[-2:-1] in ("", " ") and base[start - 1].isupper():
        return True
    return not (base[position].isupper() or not base[position].isascii())


def is_stop(text: str, base: str, match: re.Match[str], limit: int) -> bool:
    """Whether a match of `STOP` ends a sentence of a folded text; ``base`` is the unfolded text, ``limit`` its end."""
    start, end = match.start(), match.start("closers")
    if text[start] != ".":
        # An ellipsis that nothing came before opens a sentence.
        return text[start] != "…" or text[start - 1 : start] not in ("", "\n", " ", '"')
    last = text[start - 1 : start]
    if last.isdigit():
        # "3.약" is a marker and "5.3" a number; only a digit, a stop and a space may end a sentence.
        return not text[match.end() : match.end() + 1].strip()
    if end - start > 1 or not (last.isascii() and last.isalpha()):
        return bool(last)
    return not _is_abbreviation(text, base, start, end, limit)


def closed(text: str, start: int, closers: int, cut: int) -> int:
    """Return where the closing marks end: a mark that was not opened since ``start`` opens what follows."""
    for mark in ("**", '"'):
        position = text.find(mark, closers, cut)
        if position >= 0 and text.count(mark, start, position) % 2 == 0:
            cut = position
    return cut
