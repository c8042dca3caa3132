"""What other packages add by entry points: one way to find them, and to say why one cannot be loaded."""

from __future__ import annotations

from collections.abc import Container
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from turnmark.errors import UsageError


def points_of(group: str, shipped: Container[str]) -> dict[str, EntryPoint]:
    """The entry points of a group by name, in the order of their names. No name of what ships is taken by another."""
    points = sorted(entry_points(group=group), key=lambda point: (point.name, point.value))
    return {point.name: point for point in points if point.name not in shipped}


def loaded(point: EntryPoint, option: str, what: str) -> Any:
    """What an entry point names.

    Args:
        point: The entry point.
        option: The option and value that ask for it, as a message says it (``--to own``).
        what: What it should be: "reader", "writer".

    Raises: UsageError saying why it cannot be loaded.

    """
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        message = f"{option}: the {what} {point.value} cannot be loaded: {error}"
        raise UsageError(message) from error
