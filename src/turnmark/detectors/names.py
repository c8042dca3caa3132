"""Names of detector sets that have changed: the old ones keep working."""

from __future__ import annotations

import warnings

FORMERLY = {"calibrated": "contextual"}
"""``turnmark calibrate`` makes weights of a user's labels; the set that reads words in context has its own name."""


def current_set(name: str) -> str:
    """The name of a detector set today. Warns (FutureWarning) about one that has changed."""
    if name not in FORMERLY:
        return name
    warnings.warn(notice(name), FutureWarning, stacklevel=3)
    return FORMERLY[name]


def notice(name: str) -> str:
    """What is said about a name that has changed."""
    return f"the detectors {name!r} are called {FORMERLY[name]!r} now; the old name still works"
