"""From which probabilities on an inference model decides, and where it leaves a claim undecided."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from turnmark.errors import DataError


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a model decides.

    A claim is supported when a window entails it with ``supported`` or more, else contradicted when one contradicts it
    with ``contradicted`` or more, else not stated when no window entails it with more than ``not_stated``; between
    these it is not decided. A limit of None is never reached.
    """

    supported: float | None = None
    contradicted: float | None = None
    not_stated: float | None = None


CAUTIOUS = Limits(supported=0.9, contradicted=0.9)
"""Those of a model that nobody calibrated."""


class LimitsFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What ``turnmark calibrate --judge nli:FOLDER`` writes: limits by relation, for the model of one digest."""

    model: str
    limits: dict[str, Limits]


def read_limits(path: Path, digest: str) -> Mapping[str, Limits]:
    """The limits of a file, by relation.

    Raises: DataError when it cannot be read, or was written for another model than the one of ``digest``.
    """
    try:
        result = msgspec.json.decode(path.read_bytes(), type=LimitsFile)
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise DataError(message) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        message = f"{path}: expected limits that turnmark calibrate --judge nli:FOLDER wrote, found: {error}"
        raise DataError(message) from error
    if result.model != digest:
        message = f"{path}: calibrated on the model {result.model}, found the model {digest}; calibrate this one"
        raise DataError(message)
    return result.limits
