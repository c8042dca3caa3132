"""Secrets in use, and texts without them: what every artifact, log and terminal line passes.

A server may give back what it was sent: in a reply, an error, the name of a model, a verdict. So secrets are taken out
where something leaves the program, whatever way it took, and in every form in which it may stand there.
"""

from __future__ import annotations

import base64
import re

MASK = "***"

_SHORTEST = 8
"""Values of fewer characters are not looked for: they would blank ordinary words."""
_ESCAPED = frozenset('"\\/')


class Redactor:
    """Takes secrets out of texts: plain, percent-encoded, as base64, escaped as in JSON, and mixtures of these."""

    def __init__(self) -> None:
        self._secrets: set[str] = set()
        self._texts: re.Pattern[str] | None = None
        self._bytes: re.Pattern[bytes] | None = None

    def add(self, secret: str) -> None:
        """A secret that is in use from now on; one that is too short to be told from words is not."""
        if len(secret) < _SHORTEST or secret in self._secrets:
            return
        self._secrets.add(secret)
        # Longer ones first, since one may hold another.
        ordered = sorted(self._secrets, key=lambda held: (-len(held), held))
        pattern = "|".join(form for held in ordered for form in (_spelled(held), *_in_base64(held)))
        self._texts = re.compile(pattern)
        self._bytes = re.compile(pattern.encode())

    def text(self, text: str) -> str:
        """The text with every secret replaced by ``***``."""
        return text if self._texts is None else self._texts.sub(MASK, text)

    def raw(self, data: bytes) -> bytes:
        """As `text`, for text in UTF-8; JSON stays JSON."""
        return data if self._bytes is None else self._bytes.sub(MASK.encode(), data)


SECRETS_IN_USE = Redactor()
"""Those of this process."""


def _spelled(secret: str) -> str:
    """A pattern of a text in which each character may be plain, percent-encoded or escaped."""
    return "".join(_character(character) for character in secret)


def _character(character: str) -> str:
    units = character.encode("utf-16-be")
    escapes = "".join(rf"\\+u(?i:{units[at : at + 2].hex()})" for at in range(0, len(units), 2))
    percent = "".join(f"%(?i:{byte:02x})" for byte in character.encode())
    plain = re.escape(character)
    if character in _ESCAPED:
        plain = rf"\\*{plain}"
    return f"(?:{plain}|{percent}|{escapes}{'|[+]' if character == ' ' else ''})"


def _in_base64(secret: str) -> list[str]:
    """Patterns of what is the same in base64 wherever in a text the secret begins, with both alphabets."""
    results = []
    for before in range(3):
        encoded = base64.b64encode(bytes(before) + secret.encode()).decode().rstrip("=")
        first = (before * 8 + 5) // 6
        last = (before + len(secret.encode())) * 8 // 6
        core = encoded[first:last]
        results.append("".join({"+": "[+-]", "/": r"\\*[/_]"}.get(letter, letter) for letter in core))
    return results
