"""YAML files into typed packs; a wrong one names file, line and field."""

from __future__ import annotations

import contextlib
import hashlib
import re
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from turnmark.errors import PackError
from turnmark.packs.ready import fast_loader, ready_packs
from turnmark.schemas.json_schema import Fault, faults, json_path
from turnmark.schemas.problems import Problem

if TYPE_CHECKING:
    import yaml

T = TypeVar("T")

_LARGEST = 8 << 20
_DEEPEST = 64
_MOST_DIGITS = 400
_NUMBER = re.compile(r"[-+]?[0-9a-fA-FxXoO_.:eE+-]+")


def shipped(name: str) -> bytes:
    """The bytes of a pack that comes with turnmark, e.g. ``finance/literal.yaml``."""
    return resources.files("turnmark.packs").joinpath(name).read_bytes()


def digest(raw: bytes) -> str:
    """The first 16 hex digits of the SHA-256 of a pack; it enters the signature of every figure."""
    return hashlib.sha256(raw.replace(b"\r\n", b"\n")).hexdigest()[:16]


def parse(raw: bytes, name: str, pack_type: type[T]) -> T:
    """A typed pack from YAML.

    Raises: PackError with every fault, one a line, as ``file:line: $.field: expected …, found …``.
    """
    ready = ready_packs().get(digest(raw))
    if ready is not None:
        with contextlib.suppress(msgspec.ValidationError):
            return msgspec.json.decode(ready, type=pack_type)
    import yaml  # noqa: PLC0415 - what is shipped is read without it

    try:
        return msgspec.convert(yaml.load(raw, Loader=fast_loader()), pack_type)  # noqa: S506 - both are safe loaders
    except (yaml.YAMLError, msgspec.ValidationError, ValueError, RecursionError) as error:
        result = problems(raw, name, pack_type)
        raise PackError("\n".join(str(problem) for problem in result) or f"{name}: {error}") from error


def mapping_of(raw: bytes, name: str) -> dict[str, Any]:
    """What a YAML file maps names to, not yet typed.

    Raises: PackError when it is no YAML mapping, or holds what no person would write.
    """
    ready = ready_packs().get(digest(raw))
    if ready is not None:
        return msgspec.json.decode(ready, type=dict[str, Any])
    broken = problems(raw, name, dict)
    if broken:
        raise PackError("\n".join(str(problem) for problem in broken))
    return dict(value_of(raw))


def bytes_of(path: Path) -> bytes:
    """The bytes of a user's file. Raises: PackError when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise PackError(message) from error


def read(path: Path, pack_type: type[T]) -> tuple[T, str]:
    """A pack of the user's and its digest. Raises: PackError when it cannot be read or is wrong."""
    raw = bytes_of(path)
    result = problems(raw, str(path), pack_type)
    if result:
        raise PackError("\n".join(str(problem) for problem in result))
    return parse(raw, str(path), pack_type), digest(raw)


def line_of(raw: bytes, path: str) -> int:
    """The 1-based line of a field (``$.rules[2].any[0]``) of a YAML file that can be read, or of what is around it."""
    import yaml  # noqa: PLC0415 - what is shipped is read without it

    return _line_of(path, _lines(yaml.compose(raw, Loader=yaml.SafeLoader)))


def value_of(text: str | bytes) -> Any:
    """The value of a YAML text that a user wrote.

    Raises: yaml.YAMLError or ValueError for what is no YAML, and for what is none that a person would write: see
    `refuse_excess`.
    """
    import yaml  # noqa: PLC0415 - what is shipped is read without it

    refuse_excess(text)
    try:
        return yaml.safe_load(text)
    except TypeError as error:  # a list or mapping as a key, where the library builds it
        raise yaml.MarkedYAMLError(problem=str(error)) from error


def refuse_excess(text: str | bytes) -> None:
    """Walk through a YAML text before anything is built of it, so that a short one cannot take all memory or time.

    Raises: yaml.MarkedYAMLError for nesting beyond `_DEEPEST`, a reference to a list or mapping (through these a short
    file can hold itself), a list or mapping as a name, and a number of more than `_MOST_DIGITS` characters;
    yaml.YAMLError for more than `_LARGEST` bytes, and for what is no YAML.
    """
    import yaml  # noqa: PLC0415 - what is shipped is read without it

    if len(text) > _LARGEST:
        message = f"a file of {len(text)} bytes; {_LARGEST} at most are read"
        raise yaml.YAMLError(message)
    anchored: set[str] = set()
    open_mappings: list[bool | None] = []
    for event in yaml.parse(text, Loader=fast_loader()):
        wrong = _excess(event, anchored, open_mappings)
        if wrong:
            mark: Any = event.start_mark  # the mark of the parser in C has the same fields and another type
            raise yaml.MarkedYAMLError(problem=wrong, problem_mark=mark)


def _excess(event: yaml.Event, anchored: set[str], opened: list[bool | None]) -> str:
    """What no person would write about an event; "" when it is fine.

    ``opened`` holds the collections around it: None for a list, else whether a name is due in the mapping.
    """
    import yaml  # noqa: PLC0415 - what is shipped is read without it

    if isinstance(event, yaml.CollectionEndEvent):
        opened.pop()
        return ""
    if not isinstance(event, yaml.NodeEvent):
        return ""
    name_due = bool(opened and opened[-1])
    if opened and opened[-1] is not None:
        opened[-1] = not opened[-1]
    if isinstance(event, yaml.AliasEvent):
        return "a reference to a list or mapping" if event.anchor in anchored else ""
    if isinstance(event, yaml.ScalarEvent):
        digits = len(event.value) > _MOST_DIGITS and not event.style and _NUMBER.fullmatch(event.value)
        return f"a number of {len(event.value)} characters" if digits else ""
    if event.anchor:
        anchored.add(event.anchor)
    opened.append(True if isinstance(event, yaml.MappingStartEvent) else None)
    if len(opened) > _DEEPEST:
        return f"more than {_DEEPEST} nested lists and mappings"
    return "a list or mapping as a name" if name_due else ""


def keys_of(raw: bytes) -> set[str]:
    """The names at the top of a YAML file; none when it is not a mapping or cannot be read."""
    import yaml  # noqa: PLC0415 - what is shipped is read without it

    try:
        refuse_excess(raw)
        node = yaml.compose(raw, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError):
        return set()
    return {key.value for key, _ in node.value} if isinstance(node, yaml.MappingNode) else set()


def problems(raw: bytes, name: str, pack_type: type[Any]) -> list[Problem]:
    """Everything that is wrong with a pack; an empty list when it is right."""
    import yaml  # noqa: PLC0415 - what is shipped is read without it

    try:
        value = value_of(raw)
        lines = _lines(yaml.compose(raw, Loader=yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        return [Problem(file=name, line=line, expected="YAML", found=str(error.problem or error))]
    except (yaml.YAMLError, ValueError) as error:
        return [Problem(file=name, expected="YAML in UTF-8", found=str(error).splitlines()[0])]
    except RecursionError:
        return [Problem(file=name, expected="nesting that can be read", found="hundreds of nested brackets")]
    try:
        msgspec.convert(value, pack_type)
    except msgspec.ValidationError as error:
        result = list(faults(value, pack_type)) or [Fault("$", f"a valid pack ({error})", "")]
        return [
            Problem(
                file=name,
                line=_line_of(fault.path, lines),
                field=fault.path,
                expected=fault.expected,
                found=fault.found,
            )
            for fault in result
        ]
    return []


def _lines(node: yaml.Node | None) -> dict[str, int]:
    """The 1-based line of every value, by JSON path."""
    import yaml  # noqa: PLC0415 - what is shipped is read without it

    lines: dict[str, int] = {}
    pending: list[tuple[list[Any], yaml.Node]] = [([], node)] if node is not None else []
    while pending:
        steps, current = pending.pop()
        lines[json_path(steps)] = current.start_mark.line + 1
        if isinstance(current, yaml.MappingNode):
            for key, value in current.value:
                lines[json_path([*steps, key.value])] = key.start_mark.line + 1
                pending.append(([*steps, key.value], value))
        elif isinstance(current, yaml.SequenceNode):
            pending.extend(([*steps, index], value) for index, value in enumerate(current.value))
    return lines


def _line_of(path: str, lines: dict[str, int]) -> int:
    """The line of a field, or of the nearest thing around it that exists."""
    while path not in lines and path != "$":
        path = path[: max(path.rfind("."), path.rfind("["))] or "$"
    return lines.get(path, 1)
