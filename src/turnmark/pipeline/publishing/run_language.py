"""The language in which people who made the data of a run, or of a file, will want to read about it."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from turnmark.errors import TurnmarkError
from turnmark.language.script import detect_language
from turnmark.locale.texts import LANGUAGES
from turnmark.pipeline.publishing.run_turns import lines
from turnmark.readers.tables import is_table, read_table
from turnmark.runs.folder import TRACE
from turnmark.schemas.problems import Problem

DIALOGS = 40
"""Dialogues at the beginning of a trace by which its language is told."""
_LONGEST = 2000
SHARE = 0.8
"""Part of what users say in them that must be in one language."""


class _Turn(msgspec.Struct, gc=False):
    user_text: str = ""


class _Dialog(msgspec.Struct, gc=False):
    turns: list[_Turn] | None = None


_DECODER = msgspec.json.Decoder(_Dialog)


def run_language(folder: Path) -> str:
    """The language of the first dialogues of a run; English where they are in several, or none has words."""
    found: Counter[str] = Counter()
    for line in itertools.islice(lines(folder / TRACE), DIALOGS):
        try:
            dialog = _DECODER.decode(line.raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        found.update(detect_language(turn.user_text) for turn in dialog.turns or () if turn.user_text)
    return _of_most(found)


def data_language(path: Path) -> str:
    """The language of a run folder, as `run_language`, or of the first lines or rows of a file, packed or not."""
    if path.is_dir():
        return run_language(path)
    found: Counter[str] = Counter()
    for text in _texts(path):
        found[detect_language(text)] += len(text)
    return _of_most(found)


def _of_most(found: Counter[str]) -> str:
    found.pop("und", None)
    if not found:
        return "en"
    language, count = found.most_common(1)[0]
    return language if language in LANGUAGES and count >= SHARE * found.total() else "en"


def _texts(path: Path) -> Iterator[str]:
    """What people wrote into the first records of a file; nothing of one that is of another kind or unreadable."""
    if is_table(path):
        try:
            for row in itertools.islice(read_table(path, _is_known).rows, DIALOGS):
                if not isinstance(row, Problem):
                    yield from _said(dict(row.cells))
        except TurnmarkError:
            return
        return
    for line in itertools.islice(lines(path), DIALOGS):
        try:
            yield from _said(msgspec.json.decode(line.raw))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            yield line.raw[:_LONGEST].decode("utf-8", "ignore")


def _said(value: Any) -> Iterator[str]:
    """The texts in a record that hold more than a name, at any depth."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _said(item)
    elif isinstance(value, str) and (" " in value.strip() or not value.isascii()):
        yield value[:_LONGEST]


def _is_known(_name: str) -> bool:
    """No name is known: the first row is the header."""
    return False
