"""Bytes to characters: what a file says itself (a mark at its start), UTF-8, or what its characters make likely."""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Marks at the start of a file; that of UTF-32 begins with that of UTF-16."""
_LIKELY = ("gb18030", "cp949", "big5", "utf_16_le", "utf_16_be")
"""What a text in Chinese, Korean or English may be in when it is no UTF-8."""
_SAVE_AS_UTF8 = "save it as UTF-8"
_SAMPLE = 1 << 16
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")


_SMALL = 1 << 12


def is_empty(path: Path) -> bool:
    """Whether a file holds nothing, or nothing but white space (a mark at the start is none), packed by gzip or not."""
    if not path.is_file() or path.stat().st_size > _SMALL:
        return False
    raw = path.read_bytes()
    if raw.startswith(b"\x1f\x8b"):
        try:
            with gzip.open(path) as file:
                raw = file.read(_SMALL)
        except (OSError, EOFError, zlib.error):
            return False
    return not raw.removeprefix(codecs.BOM_UTF8).strip()


def empty_said(path: Path) -> str:
    """What a message says of a file that `is_empty`."""
    return f"{path}: the file is empty; expected records, one a line or row"


class UnreadableError(ValueError):
    """A file cannot be read as what it should be. ``expected``, ``found`` and ``advice`` as in a `Problem`."""

    def __init__(self, expected: str, found: str, advice: str) -> None:
        super().__init__(f"expected {expected}, found {found}; {advice}")
        self.expected, self.found, self.advice = expected, found, advice


class Decoded(NamedTuple):
    """The characters of a file, and what they were encoded in."""

    text: str
    encoding: str


def decode(raw: bytes, known: Callable[[str], int] | None = None) -> Decoded:
    """The characters of a text file.

    A byte order mark decides; else valid UTF-8 is UTF-8; else the encoding is told by which one makes words of the
    bytes (GB18030, EUC-KR as CP949, Big5, UTF-16). ``known`` counts the names in a first line that the caller knows:
    where one encoding gives more of them than the others, it is that one, which tells short tables better than the
    frequency of characters. Line ends are kept as they are.

    Raises: UnreadableError when no encoding fits or the file is no text.
    """
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return _checked(_strictly(raw, name), name.removesuffix("-sig"))
    try:
        return _checked(raw.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        told = (known and _by_first_line(raw, known)) or _told(raw)
        if told is None:
            byte = f"byte 0x{raw[error.start]:02x} at {error.start}"
            expected = "text in UTF-8, UTF-16, GB18030, EUC-KR or Big5"
            raise UnreadableError(expected, byte, _SAVE_AS_UTF8) from error
    return _checked(_strictly(raw, told), told)


def _strictly(raw: bytes, name: str) -> str:
    try:
        return raw.decode(name)
    except UnicodeDecodeError as error:
        result = f"byte 0x{raw[error.start]:02x} at {error.start}"
        raise UnreadableError(f"text in {name}", result, _SAVE_AS_UTF8) from error


def _by_first_line(raw: bytes, known: Callable[[str], int]) -> str | None:
    """The encoding in which the first line holds most of what is known; None when it holds nothing in any."""
    counts = {}
    for name in _LIKELY:
        try:
            text = raw.decode(name)
        except UnicodeDecodeError:
            continue
        counts[name.replace("_", "-")] = known(text.split("\n", 1)[0])
    best = max(counts, key=lambda name: counts[name], default=None)
    return best if best and counts[best] else None


def _told(raw: bytes) -> str | None:
    from charset_normalizer import from_bytes  # noqa: PLC0415 - only for files that are no UTF-8

    # An even number of bytes; a character that is cut at the end of the sample would rule its encoding out.
    sample = raw if len(raw) <= _SAMPLE else raw[: raw.rfind(b"\n", 0, _SAMPLE) + 1 or _SAMPLE]
    best = from_bytes(sample, cp_isolation=list(_LIKELY)).best()
    return best.encoding.replace("_", "-") if best else None


def _checked(text: str, name: str) -> Decoded:
    match = _NO_TEXT.search(text)
    if match is not None and len(_NO_TEXT.findall(text[:_SAMPLE])) > len(text[:_SAMPLE]) // 100:
        result = f"control character U+{ord(match.group()):04X} at {match.start()}, and more of them"
        raise UnreadableError("a text", result, "name the file by what it is (.pdf, .docx, .html)")
    return Decoded(text, name)
