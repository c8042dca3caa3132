"""The sets of finance detectors that can be asked for by name."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path

from turnmark.detectors.finance.literal import LiteralFinance
from turnmark.detectors.finance.protocol import FinanceDetectors
from turnmark.detectors.names import current_set
from turnmark.errors import UsageError
from turnmark.packs.literal import literal_packs


def _literal(packs: tuple[Path, ...]) -> FinanceDetectors:
    return LiteralFinance(*literal_packs(packs))


def _contextual(packs: tuple[Path, ...]) -> FinanceDetectors:
    from turnmark.detectors.finance.contextual.set import (  # noqa: PLC0415 - its packs load only when asked for
        ContextualFinance,
    )

    return ContextualFinance(packs)


DETECTOR_SETS: Mapping[str, Callable[[tuple[Path, ...]], FinanceDetectors]] = {
    "contextual": _contextual,
    "literal": _literal,
}
"""A set joins by being named here; everything above asks for it by name."""

DEFAULT = "contextual"


def finance_detectors(name: str = DEFAULT, packs: tuple[Path, ...] = ()) -> FinanceDetectors:
    """A set of finance detectors with the user's packs laid over the shipped ones.

    Raises: UsageError naming the sets that exist; PackError when a pack is wrong.
    """
    name = current_set(name)
    if name not in DETECTOR_SETS:
        message = f"--detect: expected one of {sorted(DETECTOR_SETS)}, found {name!r}"
        raise UsageError(message)
    return DETECTOR_SETS[name](packs) if packs else _shipped(name)


@functools.cache
def _shipped(name: str) -> FinanceDetectors:
    """A set with the shipped packs only, made once a process; the user's files may change while it runs."""
    return DETECTOR_SETS[name](())
