"""The words and values of a statement, as they are laid side by side with those of another one."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from turnmark.language.values import Value


class Form(NamedTuple):
    """What a Korean word may be: a stem, and the role that its particle gives it ("" without one)."""

    stem: str
    role: str


def is_ideograph(key: str) -> bool:
    """Whether a word is a single ideograph, by which it is known alone."""
    return "\u3400" <= key[0] <= "\u9fff"


class Token(msgspec.Struct, frozen=True, gc=False):
    """One word or value; ``start`` and ``end`` are places in the folded sentence, ``clause`` counts its clauses.

    ``forms`` are the forms of a Korean word, the roles of a value in a Korean text; ``light`` words may be left out.
    """

    key: str
    start: int
    end: int
    clause: int
    value: Value | None = None
    forms: tuple[Form, ...] = ()
    light: bool = False

    def known_by(self) -> frozenset[str]:
        """What a word may be known by: its key, or any stem that it may have."""
        return frozenset([self.key, *[form.stem for form in self.forms]])
