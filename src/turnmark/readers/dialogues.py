"""Dialogues that readers make, as lines of trace v1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from turnmark.readers.protocol import Numbered
from turnmark.schemas.jsonl import Line
from turnmark.schemas.problems import Problem, readable
from turnmark.schemas.trace import TRACE_VERSION


def dialogue_lines(path: Path, records: Iterable[Numbered]) -> Iterator[Line | Problem]:
    """Each dialogue as a line; what every dialogue has is added where a record says nothing of it."""
    position = 0
    for number, record in records:
        if isinstance(record, Problem):
            yield record
            continue
        yield Line(readable(path), number, _encoded(record, position, path))
        position += 1


def _encoded(record: Mapping[str, Any], position: int, path: Path) -> bytes:
    turns = record.get("turns") or []
    numbered = [
        {"turn_pair_id": number, "user_turn_abs_idx": 2 * number - 2, "gt_assistant_abs_idx": 2 * number - 1,
         "gt_assistant_text": "", "gt_turn_tags": None, "turn_status": "ok", **turn}
        for number, turn in enumerate(turns, 1)
    ]  # fmt: skip
    dialogue = {
        "trace_version": TRACE_VERSION,
        "run_id": path.stem,
        "dialog_id": f"dialog-{position + 1:05d}",
        "dataset_index": position,
        "dialog_status": "ok" if turns else "skipped",
        "valid_dialog": bool(turns),
        **({} if turns else {"skip_reason": "missing_turns"}),
    }
    return msgspec.json.encode({**dialogue, **record, "turns": numbered})
