"""Whether a file of a suite with a form of its own holds traces instead."""

from __future__ import annotations

from pathlib import Path

import msgspec

from turnmark.schemas.jsonl import Reader
from turnmark.schemas.problems import Problem


class _Head(msgspec.Struct):
    turns: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


def holds_dialogues(path: Path) -> bool:
    """Whether the first readable line of a file holds turns at its top level. Raises: DataError."""
    for item in Reader(_Head).read(path):
        if not isinstance(item, Problem):
            return item.value.turns is not msgspec.UNSET
    return False
