"""JSON Schemas generated from the record types, and the list of everything that is wrong with a value.

The generated files in ``schemas/json/`` are shipped for users of other languages; a test keeps them equal to the types.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from turnmark.schemas.problems import shown

_MOST_FAULTS = 20

NOT_BLANK = r"\S"
"""The pattern of names and reasons: something other than spaces."""

_LIMITS = {
    "minItems": "{} or more entries",
    "maxItems": "at most {} entries",
    "minLength": "text of {} or more characters",
    "maxLength": "text of at most {} characters",
    "minProperties": "{} or more fields",
    "maxProperties": "at most {} fields",
    "minimum": "{} or more",
    "maximum": "{} or less",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
}


class Fault(NamedTuple):
    """One thing that is wrong: a JSON path such as ``$.turns[3].user_text``, what was expected, what was found."""

    path: str
    expected: str
    found: str


@functools.cache
def schema_of(record_type: Any) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a record type."""
    schema = msgspec.json.schema(record_type)
    for definition in schema.get("$defs", {}).values():
        if "description" in definition:
            definition["description"] = inspect.cleandoc(definition["description"])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


@functools.cache
def _validator(record_type: Any) -> Any:
    import jsonschema_rs  # noqa: PLC0415 - only bad lines need it

    return jsonschema_rs.Draft202012Validator(schema_of(record_type))


def faults(value: Any, record_type: Any) -> Iterator[Fault]:
    """Everything that keeps a decoded value from being a record of this type, in document order, 20 at most."""
    try:
        errors = list(_validator(record_type).iter_errors(value))
    except (ValueError, RecursionError, OverflowError):
        return
    yield from itertools.islice((fault for error in errors for fault in _leaves(error, value)), _MOST_FAULTS)


def _leaves(error: Any, value: Any) -> Iterator[Fault]:
    """An optional field is "this type or null": the faults inside the branch that fits best are the real ones."""
    steps = list(error.instance_path)
    details = error.kind.as_dict()
    if error.kind.name == "required":
        path = json_path([*steps, details["property"]])
        yield Fault(path, "a value (the field is required)", "no such field")
    elif error.kind.name == "additionalProperties":
        for name in details["unexpected"]:
            yield Fault(json_path([*steps, name]), "only fields that are known", "an unknown field")
    elif error.kind.name == "anyOf":
        branches = [branch for branch in details["context"] if not any(_is_type_fault(e, steps) for e in branch)]
        if branches:
            for inner in branches[0]:
                yield from _leaves(inner, value)
        else:
            expected = [_expected(e.kind.name, e.kind.as_dict()) for branch in details["context"] for e in branch]
            yield Fault(json_path(steps), " or ".join(dict.fromkeys(expected)), shown(_at(value, steps)))
    else:
        yield Fault(json_path(steps), _expected(error.kind.name, details), shown(_at(value, steps)))


def _is_type_fault(error: Any, steps: list[Any]) -> bool:
    return error.kind.name == "type" and list(error.instance_path) == steps


def _at(value: Any, steps: list[Any]) -> Any:
    for step in steps:
        value = value[step]
    return value


def _expected(kind: str, details: dict[str, Any]) -> str:
    if kind == "type":
        types = details.get("types") or details.get("type") or ["another type"]
        return " or ".join(types) if isinstance(types, list | tuple) else str(types)
    if kind == "enum":
        return f"one of {details.get('options')}"
    if kind == "pattern":
        pattern = details.get("pattern")
        return "text that is not blank" if pattern == NOT_BLANK else f"text that matches {pattern}"
    if kind in _LIMITS:
        limit = details.get("limit")
        return _LIMITS[kind].format(f"{limit:g}" if isinstance(limit, float) else limit)
    return f"a valid value ({kind})"


def json_path(steps: list[Any]) -> str:
    """``$.turns[3].user_text`` for ``["turns", 3, "user_text"]``."""
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
