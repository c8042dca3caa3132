"""What is wrong with a piece of input, as a value that can be printed, counted and stored."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

import msgspec

_LONGEST_SHOWN = 120
_HALF = re.compile("[\ud800-\udfff]")


def readable(path: Path | str) -> str:
    """The name of a file as it is written and shown: bytes of a name that are no UTF-8 are U+FFFD."""
    return _HALF.sub("\ufffd", str(path))


Severity = Literal["error", "warning", "notice"]


# Defaults are written too: msgspec tells them by identity, which a problem from a worker process has lost.
class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One fault of one input.

    ``file`` and ``line`` (1-based; 0 for the file as a whole) say where, ``field`` is a JSON path, ``found`` and
    ``expected`` say what, ``advice`` says what to do. A ``warning`` was repaired or can be lived with; an ``error``
    means that the line was left out. A ``notice`` says how something was read: nothing is wrong, and nothing is
    expected otherwise.
    """

    file: str
    line: int = 0
    field: str = "$"
    expected: str
    found: str = ""
    advice: str = ""
    severity: Severity = "error"

    def __post_init__(self) -> None:
        """Keep the name of the file such that it can be written."""
        if not self.file.isascii():
            msgspec.structs.force_setattr(self, "file", readable(self.file))

    def __str__(self) -> str:
        """``file:line: $.field: expected …, found …; advice``."""
        where = f"{self.file}:{self.line}" if self.line else self.file
        text = f"{where}: {self.field}: {'' if self.severity == 'notice' else 'expected '}{self.expected}"
        if self.found:
            text += f", found {self.found}"
        if self.advice:
            text += f"; {self.advice}"
        return text


def shown(value: Any) -> str:
    """A value as it is shown in a message: its type and a short, one-line, printable form (120 characters at most)."""
    if value is None:
        return "null"
    kind = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}.get(
        type(value), type(value).__name__
    )
    if isinstance(value, list | dict):
        return f"{kind} of {len(value)}"
    if not isinstance(value, str | int | float | bytes):
        return kind  # the repr of anything else may hold an address, which is another one in every run
    text = str(value) if isinstance(value, int | float) else ascii_safe(value)
    return f"{kind} {text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + '…'}"


def ascii_safe(value: Any) -> str:
    """``repr`` cut to a length that is safe to print, with lone surrogates escaped."""
    text = repr(value[: _LONGEST_SHOWN + 1] if isinstance(value, str) else value)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
