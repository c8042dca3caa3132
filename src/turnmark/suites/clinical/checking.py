"""Checking the files of the clinical suite: scripts, events, safety rules, required slots, weights of facts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from turnmark.errors import PackError
from turnmark.packs import loading
from turnmark.packs.clinical_context import load_required_slots
from turnmark.packs.fact_weights import FactWeights
from turnmark.packs.safety_rules import load_safety_rules
from turnmark.packs.slot_topics import SlotTopicsFile
from turnmark.schemas.clinical.events import EventRecord, ScriptLine
from turnmark.schemas.jsonl import Line, Reader
from turnmark.schemas.problems import Problem


def check_scripts(path: Path, problems: list[Problem]) -> int:
    """Count the scripts of a file; every patient may come once, every turn of a patient once."""
    return _lines(path, problems, ScriptLine, lambda script: (script.patient_id,))


def check_events(path: Path, problems: list[Problem]) -> int:
    """Count the events of a file; a system answers a turn of a patient once."""
    return _lines(
        path, problems, EventRecord, lambda event: (event.run_id, event.mode, event.patient_id, event.turn_id)
    )


def _lines(path: Path, problems: list[Problem], record_type: type[Any], key: Callable[[Any], tuple[Any, ...]]) -> int:
    count = 0
    seen: dict[tuple[Any, ...], int] = {}
    for item in Reader(record_type).read(path):
        if isinstance(item, Problem):
            problems.append(item)
            continue
        count += 1
        if item.warning:
            problems.append(item.warning)
        problems.extend(_again(item.line, seen, key(item.value)))
        if isinstance(item.value, ScriptLine):
            turns: dict[tuple[Any, ...], int] = {}
            for turn in item.value.turns:
                problems.extend(_again(item.line, turns, (turn.turn_id,)))
                turns[turn.turn_id,] = 0
    return count


def _again(line: Line, seen: dict[tuple[Any, ...], int], key: tuple[Any, ...]) -> list[Problem]:
    earlier = seen.setdefault(key, line.number)
    if earlier == line.number:
        return []
    shown = ", ".join(map(str, key))
    where = f", first in line {earlier}" if earlier else ""
    return [Problem(file=line.file, line=line.number, expected="each one once", found=f"{shown} again{where}")]


def check_rules(path: Path, raw: bytes, keys: set[str]) -> list[Problem] | None:
    """What is wrong with a YAML file of the clinical suite; None when it is none of them."""
    try:
        if keys & {"patient_flags", "question_flags", "answer_patterns", "missing_requirements"}:
            return load_safety_rules(path)[1]
        if "turns" in keys:
            return load_required_slots(path)[1]
    except PackError as error:
        return [Problem(file=str(path), expected="a file that can be read", found=str(error))]
    if keys and keys <= set(FactWeights.__struct_fields__):
        return loading.problems(raw, str(path), FactWeights)
    if "threshold" in keys and keys <= set(SlotTopicsFile.__struct_fields__):
        return loading.problems(raw, str(path), SlotTopicsFile)
    return None
