"""``memory_required_keys_gt``: from a key to the text it stands for.

Source: trace schema v1, section 6. ``history_turn_index:n`` is the n-th user turn (1-based); when there is none, the
n-th turn of all (1-based); when there is none either, the key is unresolved and leaves every denominator.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from turnmark.schemas.trace import DialogTrace
from turnmark.schemas.turn_eval import ResolvedKey

_LISTED = re.compile(r"profile_gt\.(constraints_gt|preferences_gt)\[([0-9]{1,9})\]")
_HISTORY = re.compile(r"history_turn_index:([0-9]{1,9})")
_PLAIN = frozenset({"profile_gt.risk_level_gt", "profile_gt.horizon_gt", "profile_gt.liquidity_need_gt"})


class _Parsed(NamedTuple):
    field: str
    number: int


@functools.lru_cache(maxsize=4096)
def _parse(key: str) -> _Parsed:
    if key in _PLAIN:
        return _Parsed(key.removeprefix("profile_gt."), 0)
    if match := _LISTED.fullmatch(key):
        return _Parsed(match[1], int(match[2]))
    if match := _HISTORY.fullmatch(key):
        return _Parsed("history", int(match[1]))
    return _Parsed("", 0)


class DialogHistory:
    """The texts of a dialogue by user turn and by absolute turn; from ``raw_turns``, else from the paired turns."""

    def __init__(self, dialog: DialogTrace) -> None:
        if dialog.raw_turns:
            self.turns = {index: turn.text for index, turn in enumerate(dialog.raw_turns, 1)}
            self.users = [turn.text for turn in dialog.raw_turns if turn.role == "user"]
        else:
            pairs = dialog.turns or ()
            self.turns = {turn.user_turn_abs_idx + 1: turn.user_text for turn in pairs}
            self.turns |= {turn.gt_assistant_abs_idx + 1: turn.gt_assistant_text for turn in pairs}
            self.users = [turn.user_text for turn in sorted(pairs, key=lambda turn: turn.user_turn_abs_idx)]


class KeyResolver:
    """Resolves the keys of one dialogue."""

    def __init__(self, dialog: DialogTrace) -> None:
        self._dialog = dialog
        self._known: dict[str, ResolvedKey] = {}

    @functools.cached_property
    def _history(self) -> DialogHistory:
        return DialogHistory(self._dialog)

    def resolve(self, key: str) -> ResolvedKey:
        """The key with the text it stands for; ``resolvable`` False when there is none."""
        result = self._known.get(key)
        if result is None:
            result = self._known[key] = self._resolve(key)
        return result

    def _resolve(self, key: str) -> ResolvedKey:
        field, index = _parse(key)
        text: str | None = None
        resolver = "unresolved"
        if field == "history":
            history = self._history
            if 1 <= index <= len(history.users):
                text, resolver = history.users[index - 1], "history_user_turn"
            elif index in history.turns:
                text, resolver = history.turns[index], "history_abs_turn"
        elif field and self._dialog.profile_gt is not None:
            value = getattr(self._dialog.profile_gt, field)
            if isinstance(value, list):
                text, resolver = (value[index], field) if index < len(value) else (None, "unresolved")
            else:
                text, resolver = value, "profile_field"
        if not text:
            return ResolvedKey(key=key, resolvable=False, target_text=None, resolver="unresolved")
        return ResolvedKey(key=key, resolvable=True, target_text=text, resolver=resolver)
