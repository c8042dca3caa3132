"""Values that Python code of others hands in, as the plain values of JSON.

Libraries return values that look like those of JSON and are none: ``str`` with methods of its own, numbers and arrays
of numpy, enumerations, models. Each becomes what it stands for; what stands for nothing is left out and named.
"""

from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

import msgspec

from turnmark.schemas.json_schema import json_path
from turnmark.schemas.problems import shown

_MOST_LEVELS = 64


class Plain:
    """Makes values plain; ``faults`` says of each that was left out where it stood and what it was."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def __call__(self, value: Any) -> Any:
        """The value as None, bool, int, float, str, list and dict; None where it stands for none of these."""
        return self._of(value, [])

    def _of(self, value: Any, steps: list[Any]) -> Any:  # noqa: PLR0911 - one return a kind of value
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, enum.Enum):
            return self._of(value.value, steps)
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, int):
            return int(value)
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else self._lost(value, steps)
        if len(steps) >= _MOST_LEVELS:
            return self._lost(value, steps)
        if isinstance(value, Mapping):
            return self._fields(value, steps)
        if isinstance(value, list | tuple | set | frozenset):
            return self._entries(sorted(value, key=repr) if isinstance(value, AbstractSet) else value, steps)
        return self._other(value, steps)

    def _fields(self, value: Mapping[Any, Any], steps: list[Any]) -> dict[str, Any]:
        """The fields that hold something; one whose value was left out is left out with it."""
        results: dict[str, Any] = {}
        for key, held in value.items():
            name = str.__str__(key) if isinstance(key, str) else str(key)
            before = len(self.faults)
            made = self._of(held, [*steps, name])
            if made is not None or len(self.faults) == before:
                results[name] = made
        return results

    def _entries(self, value: Iterable[Any], steps: list[Any]) -> list[Any]:
        return [self._of(held, [*steps, index]) for index, held in enumerate(value)]

    def _other(self, value: Any, steps: list[Any]) -> Any:
        """Arrays and numbers of numpy and the like, structs, data classes, models, dates."""
        try:
            if isinstance(value, msgspec.Struct):
                return self._fields({name: getattr(value, name) for name in value.__struct_fields__}, steps)
            if dataclasses.is_dataclass(value) and not isinstance(value, type):
                names = [field.name for field in dataclasses.fields(value)]
                return self._fields({name: getattr(value, name) for name in names}, steps)
            for method in ("tolist", "model_dump"):
                give: Callable[[], Any] | None = getattr(value, method, None)
                if callable(give) and not isinstance(value, type):
                    made = give()
                    return self._lost(value, steps) if type(made) is type(value) else self._of(made, steps)
            made = msgspec.to_builtins(value)
            return self._lost(value, steps) if type(made) is type(value) else self._of(made, steps)
        except Exception:  # noqa: BLE001 - whatever the code of others does when it is asked for its values
            return self._lost(value, steps)

    def _lost(self, value: Any, steps: list[Any]) -> None:
        result = f"{value}" if isinstance(value, float) else type(value).__name__
        self.faults.append(f"{json_path(steps)}: expected a value of JSON, found {result}; left out")


def fitted(value: Any, record_type: type[msgspec.Struct]) -> tuple[Any, list[str]]:
    """A plain value without the fields and entries that keep it from being a record of this type, and what they were.

    Raises: msgspec.ValidationError when leaving them out does not help.
    """
    wrong: list[str] = []
    kept = value
    while True:
        try:
            msgspec.convert(kept, record_type)
        except msgspec.ValidationError as error:
            what, _, where = str(error).partition(" - at `")
            steps = _steps(where.rstrip("`"))
            if not steps:
                raise
            kept, result = _without(kept, steps)
            wrong.append(f"{json_path(steps)}: {what[:1].lower()}{what[1:]}: {result}; left out")
        else:
            return kept, wrong


def _steps(path: str) -> list[Any]:
    """``["items", 3, "score"]`` for ``$.items[3].score``; [] for what is no such path."""
    steps: list[Any] = []
    for part in path.removeprefix("$").lstrip(".").replace("[", ".[").split("."):
        if part.startswith("[") and part[1:-1].isdigit():
            steps.append(int(part[1:-1]))
        elif part.isidentifier():
            steps.append(part)
        elif part:
            return []
    return steps


def _without(value: Any, steps: list[Any]) -> tuple[Any, str]:
    """A copy of a value without what stands at these steps, and what stood there."""
    first, *rest = steps
    copied: Any = dict(value) if isinstance(value, dict) else list(value)
    if rest:
        copied[first], result = _without(copied[first], rest)
        return copied, result
    return copied, shown(copied.pop(first))
