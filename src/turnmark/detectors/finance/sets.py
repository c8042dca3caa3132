"""The sets of finance detectors that can be asked for by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from turnmark.detectors.finance.literal import LiteralFinance
from turnmark.detectors.finance.protocol import FinanceDetectors
from turnmark.errors import UsageError
from turnmark.packs.literal import literal_packs


def _literal(packs: tuple[Path, ...]) -> FinanceDetectors:
    return LiteralFinance(*literal_packs(packs))


DETECTOR_SETS: Mapping[str, Callable[[tuple[Path, ...]], FinanceDetectors]] = {"literal": _literal}
"""A set joins by being named here; everything above asks for it by name."""

DEFAULT = "literal"


def finance_detectors(name: str = DEFAULT, packs: tuple[Path, ...] = ()) -> FinanceDetectors:
    """A set of finance detectors with the user's packs laid over the shipped ones.

    Raises: UsageError naming the sets that exist; PackError when a pack is wrong.
    """
    try:
        make = DETECTOR_SETS[name]
    except KeyError:
        message = f"--detect: expected one of {sorted(DETECTOR_SETS)}, found {name!r}"
        raise UsageError(message) from None
    return make(packs)
