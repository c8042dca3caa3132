"""Dialogue traces as plain dicts, which may leave fields out, as typed records; what cannot be read is told by turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from turnmark.schemas.jsonl import without_surrogates
from turnmark.schemas.trace import TRACE_VERSION, DialogTrace, TurnTrace
from turnmark.schemas.trace_reader import unread_turn


def turn_with_defaults(turn: Any, place: int) -> dict[str, Any]:
    """A turn that may leave any field out, with what the schema requires; ``place`` counts from 0.

    Raises: msgspec.ValidationError when it is no object.
    """
    required = {
        "turn_pair_id": place + 1,
        "user_turn_abs_idx": 2 * place,
        "gt_assistant_abs_idx": 2 * place + 1,
        "user_text": "",
        "gt_assistant_text": "",
        "gt_turn_tags": {},
        "turn_status": "ok",
    }
    if not isinstance(turn, dict):
        message = f"Expected `object`, got `{type(turn).__name__}`"
        raise msgspec.ValidationError(message)
    return {**required, **without_surrogates(turn, [0])}


def with_ground_truth(trace: dict[str, Any], dialog_objs: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """A dialogue trace with the ground truth of the dataset dialogue of the same id, where it carries none itself."""
    source = dialog_objs.get(str(trace.get("dialog_id")))
    if source is None:
        return trace
    filled = dict(trace)
    for name in ("profile_gt", "blueprint", "scenario_type", "difficulty", "language"):
        if filled.get(name) is None and source.get(name) is not None:
            filled[name] = source[name]
    if filled.get("raw_turns") is None and _is_dataset(source):
        filled["raw_turns"] = source["turns"]
    return filled


def _is_dataset(dialog: dict[str, Any]) -> bool:
    turns = dialog.get("turns")
    return isinstance(turns, list | tuple) and any(isinstance(turn, dict) and "role" in turn for turn in turns)


def dialog_of_keys(value: dict[str, Any]) -> DialogTrace:
    """A dataset dialogue or a dialogue trace as a typed trace; only what keys resolve to is needed."""
    if _is_dataset(value):
        value = {**value, "raw_turns": value["turns"], "turns": None}
    return readable_dialog(value)[0]


def readable_dialog(trace: dict[str, Any]) -> tuple[DialogTrace, dict[int, str]]:
    """A dict as a typed trace, and why its unreadable turns (by place, from 0) are unreadable.

    Raises: msgspec.ValidationError when the dialogue itself is not what the schema says.
    """
    clean = without_surrogates({name: value for name, value in trace.items() if name != "turns"}, [0])
    required = {
        "trace_version": TRACE_VERSION,
        "run_id": "",
        "dialog_id": "",
        "dataset_index": 0,
        "dialog_status": "ok",
        "valid_dialog": True,
    }
    turns = trace.get("turns") or ()
    if not isinstance(turns, list | tuple):
        message = f"Expected `array`, got `{type(turns).__name__}` - at `$.turns`"
        raise msgspec.ValidationError(message)
    dialog = msgspec.convert({**required, **clean}, DialogTrace)
    unreadable: dict[int, str] = {}
    dialog.turns = list(_readable_turns(turns, unreadable))
    return dialog, unreadable


def _readable_turns(turns: Iterable[Any], unreadable: dict[int, str]) -> Iterator[TurnTrace]:
    for index, turn in enumerate(turns):
        try:
            yield msgspec.convert(turn_with_defaults(turn, index), TurnTrace)
        except msgspec.ValidationError as error:
            unreadable[index] = str(error)
            yield unread_turn(turn, index, set(), str(error))
