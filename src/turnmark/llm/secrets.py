"""Keys come from the environment only, and no text that leaves the program holds one."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from turnmark.schemas.redaction import MASK, SECRETS_IN_USE

REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""``${NAME}``: the value of an environment variable."""

_SHORTEST = 4
"""Values of fewer characters are not looked for in texts: they would blank ordinary words."""


class MissingSecretError(KeyError):
    """An environment variable that a setting refers to is not set; ``args[0]`` is its name."""


class Secrets:
    """Values of environment variables that were asked for, and a mask that takes them out of any text."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._environment = os.environ if environment is None else environment
        self._known: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"Secrets({', '.join(sorted(self._known))})"

    def get(self, name: str) -> str | None:
        """The value of a variable without the white space around it; None when it is not set or empty."""
        value = self._environment.get(name, "").strip()
        if not value:
            return None
        self._known[name] = value
        SECRETS_IN_USE.add(value)
        return value

    def expand(self, text: str) -> str:
        """The text with each ``${NAME}`` replaced. Raises: MissingSecretError."""

        def value(reference: re.Match[str]) -> str:
            result = self.get(reference.group(1))
            if result is None:
                raise MissingSecretError(reference.group(1))
            return result

        return REFERENCE.sub(value, text)

    def mask(self, text: str) -> str:
        """The text with every known value replaced by ``***``; longer ones first, since one may hold another."""
        for value in sorted(set(self._known.values()), key=lambda value: (-len(value), value)):
            if len(value) >= _SHORTEST:
                text = text.replace(value, MASK)
        return SECRETS_IN_USE.text(text)
