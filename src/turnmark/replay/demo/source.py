"""``--agent demo`` and ``--agent demo-plain``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from turnmark.errors import UsageError
from turnmark.replay.demo.adviser import DemoAdviser
from turnmark.replay.demo.words import LANGUAGES, adviser_words
from turnmark.replay.protocol import Observer

_WINDOW = 3


class DemoSource:
    """Makes demo advisers, with memory or without."""

    def __init__(self, name: str, *, remember: bool, window: int = _WINDOW) -> None:
        self._remember = remember
        self._window = window
        packs = {f"{words.pack}@{words.version}": digest for words, digest in map(adviser_words, LANGUAGES)}
        self.description: Mapping[str, Any] = {
            "model_name": name,
            "agent": name,
            "options": {"window": window} if remember else {},
            "packs": packs,
        }

    def make(self, *, observer: Observer, memory_dir: Path, **_: Any) -> DemoAdviser:
        """The adviser of one dialogue."""
        return DemoAdviser(observer, memory_dir, remember=self._remember, window=self._window)

    async def aclose(self) -> None:
        """Nothing is shared."""


def open_demo(rest: str, options: Mapping[str, Any]) -> DemoSource:
    """``demo``; option ``window``: exchanges of the short-term memory. Raises: UsageError."""
    window = options.get("window", _WINDOW)
    if type(window) is not int or window < 1:
        message = f"--agent-option window: expected a whole number above 0, found {window!r}"
        raise UsageError(message)
    _refuse("demo", rest, set(options) - {"window"})
    return DemoSource("demo", remember=True, window=window)


def open_plain(rest: str, options: Mapping[str, Any]) -> DemoSource:
    """``demo-plain``, the same without memory. Raises: UsageError."""
    _refuse("demo-plain", rest, set(options))
    return DemoSource("demo-plain", remember=False)


def _refuse(name: str, rest: str, unknown: set[str]) -> None:
    if rest:
        message = f"--agent {name}:{rest}: expected nothing behind {name}"
        raise UsageError(message)
    if unknown:
        message = f"--agent-option: {name} takes no option {', '.join(sorted(unknown))}"
        raise UsageError(message)
