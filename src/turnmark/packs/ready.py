"""The shipped packs kept as JSON in one file, which reads thirty times faster than their YAML.

``tools/generate.py`` writes the file. A pack is found by what its YAML holds: one that was changed since is not found,
and is read from its YAML, as the files of users are.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

FILE = "ready.json"


@functools.cache
def fast_loader() -> Any:
    """The safe loader in C where the library has it; it is ten times faster."""
    import yaml  # noqa: PLC0415 - what is shipped is read without it

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@functools.cache
def ready_packs() -> dict[str, msgspec.Raw]:
    """The values of the shipped packs as JSON, by the digest of their YAML; none from a missing or damaged file."""
    try:
        raw = resources.files("turnmark.packs").joinpath(FILE).read_bytes()
        return msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    except (OSError, msgspec.DecodeError):
        return {}


def made(digest: Callable[[bytes], str]) -> bytes:
    """What the file should hold: a pack a line by its digest, so that a change of one shows as a change of one line."""
    import yaml  # noqa: PLC0415 - what is shipped is read without it

    lines = []
    for file in _packs(resources.files("turnmark.packs")):
        raw = file.read_bytes()
        value = yaml.load(raw, Loader=fast_loader())  # noqa: S506 - both are safe loaders
        lines.append(f'"{digest(raw)}":{msgspec.json.encode(value).decode()}')
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def _packs(folder: Traversable) -> Iterator[Traversable]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _packs(entry)
        elif entry.name.endswith(".yaml"):
            yield entry
