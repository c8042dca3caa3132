"""Expressions that are compiled for the first text they are asked about: of many languages and forms few are met."""

from __future__ import annotations

import re
from typing import Any, cast

_ASKED = (
    "search",
    "match",
    "fullmatch",
    "finditer",
    "findall",
    "split",
    "sub",
    "subn",
    "groups",
    "groupindex",
    "flags",
)


def later(source: str, flags: int = 0) -> re.Pattern[str]:
    """An expression as ``re.compile`` gives it, but compiled when it is first asked anything except its text.

    A source that is wrong is told then, by ``re.error``: for expressions of ours, which tests ask, not of users.
    """
    return cast("re.Pattern[str]", _Later(source, flags))


class _Later:
    def __init__(self, source: str, flags: int) -> None:
        self.pattern = source
        self._given_flags = flags

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there yet: from the second question on, the compiled expression's own is."""
        if name not in _ASKED:
            message = f"an expression has no {name!r}"
            raise AttributeError(message)
        compiled = re.compile(self.pattern, self._given_flags)
        self.__dict__.update({asked: getattr(compiled, asked) for asked in _ASKED})
        return self.__dict__[name]
