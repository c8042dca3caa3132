"""Searching the texts of a run: plain words, or a regular expression that takes time in proportion to the text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from turnmark.errors import UsageError
from turnmark.pipeline.publishing.byte_ranges import UNREADABLE, raw_lines
from turnmark.pipeline.publishing.run_turns import Key
from turnmark.runs.folder import TRACE

LONGEST = 200
"""Characters of what is searched for."""
_MEMORY = 1 << 22
"""Bytes that a regular expression may take; one that needs more is refused."""

Matches = Callable[[str], bool]


class _Turn(msgspec.Struct, gc=False):
    turn_pair_id: int = 0
    user_text: str = ""
    pred_assistant_text: str | None = None


class _Dialog(msgspec.Struct, gc=False):
    dialog_id: str = ""
    turns: list[_Turn] | None = None


def matcher(wanted: str, *, pattern: bool) -> Matches:
    """What says whether a text holds the words, or matches the expression; case does not count.

    Expressions are those of RE2: no text and no expression makes it take long. Raises: UsageError for one that is
    wrong or too long.
    """
    if len(wanted) > LONGEST:
        message = f"search: expected at most {LONGEST} characters, found {len(wanted)}"
        raise UsageError(message)
    if not pattern:
        plain = wanted.casefold()
        return lambda text: plain in text.casefold()
    import re2  # noqa: PLC0415 - of the extra, and only where an expression is searched for

    options: Any = re2.Options()
    options.case_sensitive, options.log_errors, options.max_mem = False, False, _MEMORY
    try:
        compiled: Any = re2.compile(wanted, options)
    except re2.error as error:
        why = error.args[0].decode("utf-8", "replace") if isinstance(error.args[0], bytes) else str(error)
        message = f"search: expected a regular expression (RE2), found {wanted!r}: {why}"
        raise UsageError(message) from error
    return lambda text: compiled.search(text) is not None


def found_turns(folder: Path, matches: Matches) -> set[Key]:
    """The turns of a run in whose question, answer or id of the dialogue the search finds something."""
    decode = msgspec.json.Decoder(_Dialog).decode
    results = set()
    for _, raw in raw_lines(folder / TRACE):
        try:
            dialog = decode(raw)
        except UNREADABLE:
            continue
        whole = matches(dialog.dialog_id)
        for turn in dialog.turns or ():
            if whole or matches(turn.user_text) or matches(turn.pred_assistant_text or ""):
                results.add((dialog.dialog_id, turn.turn_pair_id))
    return results
