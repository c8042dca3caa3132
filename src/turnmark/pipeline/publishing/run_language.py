"""The language in which people who made the data of a run will want to read about it."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import msgspec

from turnmark.language.script import detect_language
from turnmark.locale.texts import LANGUAGES
from turnmark.pipeline.publishing.run_turns import lines
from turnmark.runs.folder import TRACE

DIALOGS = 40
"""Dialogues at the beginning of a trace by which its language is told."""
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
    found.pop("und", None)
    if not found:
        return "en"
    language, count = found.most_common(1)[0]
    return language if language in LANGUAGES and count >= SHARE * found.total() else "en"
