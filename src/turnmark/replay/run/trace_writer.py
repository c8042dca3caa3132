"""From what happened in a replay to trace v1 records, as plain JSON values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from turnmark.schemas.jsonl import without_surrogates
from turnmark.schemas.trace import TRACE_VERSION, DialogStatus, TurnStatus

_FROM_OBSERVER = ("recall", "compliance", "profile_snapshot")
_LATENCY = "latency_ms"
ENDED_AT = "timestamp_utc"
_LATENCIES = frozenset({_LATENCY, "timing_ms", ENDED_AT})


def turn_trace(
    turn_pair: Mapping[str, Any],
    pred_text: str,
    observer_payload: Mapping[str, Any],
    latency_ms: float,
    turn_status: TurnStatus = "ok",
    error: str | None = None,
) -> dict[str, Any]:
    """One turn of a trace (trace schema v1, section 4.3).

    ``observer_payload`` holds ``recall``, ``tools``, ``compliance`` and ``profile_snapshot``, as far as they were told;
    what else it holds (``warnings``, ``usage`` …) goes into the additional field ``replay``.
    """
    pair = dict(turn_pair)
    more = {name: value for name, value in observer_payload.items() if name not in {*_FROM_OBSERVER, "tools"}}
    turn: dict[str, Any] = {
        "turn_pair_id": pair.get("turn_pair_id", 1),
        "user_turn_abs_idx": pair.get("user_turn_abs_idx", 0),
        "gt_assistant_abs_idx": pair.get("gt_assistant_abs_idx", 1),
        "user_text": pair.get("user_text", ""),
        "gt_assistant_text": pair.get("gt_assistant_text", ""),
        "gt_turn_tags": pair.get("gt_turn_tags", {}),
        "pred_assistant_text": pred_text,
        _LATENCY: round(latency_ms, 3),
        "turn_status": turn_status,
        "error": error,
        "recall": observer_payload.get("recall"),
        "tools": list(observer_payload.get("tools") or ()),
        "compliance": observer_payload.get("compliance"),
        "profile_snapshot": observer_payload.get("profile_snapshot"),
    }
    if more:
        turn["replay"] = more
    try:
        msgspec.json.encode(turn)
    except UnicodeEncodeError:
        turn = without_surrogates(turn, [0])
    return turn


def dialog_status(turns: Sequence[Mapping[str, Any]]) -> DialogStatus:
    """``ok`` when every turn ended ok, ``failed`` when none did, else ``partial``."""
    ended_ok = sum(turn["turn_status"] == "ok" for turn in turns)
    return "ok" if ended_ok == len(turns) else "partial" if ended_ok else "failed"


def dialog_error(turns: Sequence[Mapping[str, Any]]) -> str | None:
    """What went wrong in a dialogue, in one line; None when nothing did."""
    failed = [turn for turn in turns if turn["turn_status"] != "ok"]
    if not failed:
        return None
    first = failed[0]
    return f"{len(failed)} of {len(turns)} turns failed, first turn {first['turn_pair_id']}: {first['error']}"


def dialog_trace(
    head: Mapping[str, Any],
    turns: Sequence[Mapping[str, Any]],
    *,
    run_id: str,
    skip_reason: str | None = None,
    error: str | None = None,
) -> dict[str, Any]:
    """One line of ``dialog_trace.jsonl`` (trace schema v1, section 4.2).

    ``head`` holds ``dialog_id``, ``dataset_index`` (from 1) and what of ``scenario_type``, ``difficulty``,
    ``language``, ``session_id``, ``user_id``, ``profile_gt``, ``blueprint`` and ``raw_turns`` is known; it is
    kept as it is.
    """
    status: DialogStatus = "skipped" if skip_reason else "failed" if error else dialog_status(turns)
    return {
        "trace_version": TRACE_VERSION,
        "run_id": run_id,
        "dialog_id": head["dialog_id"],
        "dataset_index": head["dataset_index"],
        "scenario_type": head.get("scenario_type"),
        "difficulty": head.get("difficulty"),
        "dialog_status": status,
        "valid_dialog": skip_reason is None,
        "skip_reason": skip_reason,
        **{name: value for name, value in head.items() if name not in _PLACED},
        "turns": list(turns),
        "dialog_error": error or dialog_error(turns),
    }


_PLACED = frozenset({"dialog_id", "dataset_index", "scenario_type", "difficulty"})


def without_latencies(record: Any) -> Any:
    """A trace record without what differs from run to run of the same agent: latencies and times.

    Two replays of a deterministic agent are equal under it, however often they were interrupted.
    """
    if isinstance(record, Mapping):
        return {name: without_latencies(value) for name, value in record.items() if name not in _LATENCIES}
    if isinstance(record, list | tuple):
        return [without_latencies(value) for value in record]
    return record
