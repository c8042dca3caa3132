"""The learned model as a file: a few weights a judgement, and from which score on each class is offered."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from pathlib import Path

import msgspec

from turnmark.detectors.finance.possible.near import FEATURES, JUDGEMENT_OF, Key
from turnmark.errors import PackError
from turnmark.packs.loading import bytes_of, shipped

FILE = "finance/possible.json"
LANGUAGES = ("zh", "ko", "en")
_DECIMALS = 6
"""Of a score, so that no threshold is met on one machine and missed on another."""


class PossibleClass(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A class: its bias, and from which score on it is offered, by language; others never show it.

    ``judgement`` is ``risk_disclosed``, ``forbidden`` or ``rubric``.
    """

    judgement: str
    label: str
    bias: float
    offered: dict[str, float] = {}

    @property
    def key(self) -> Key:
        """Judgement and label."""
        return self.judgement, self.label


class PossibleModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Log odds that a class is in a reply of which no rule asserts it: ``weights`` by judgement and feature, and bias.

    ``trained_on`` counts the replies by author; ``name`` and ``version`` stand in every piece of evidence. ``measured``
    says by judgement, label and language how many replies were shown and how many of these were right, where the
    thresholds had not seen them.
    """

    name: str
    version: str
    trained_on: dict[str, int]
    weights: dict[str, dict[str, float]]
    classes: list[PossibleClass]
    measured: dict[str, tuple[int, int]] = {}

    def score(self, item: PossibleClass, features: Sequence[float]) -> float:
        """The log odds of a class by its `FEATURES`."""
        weights = self.weights[item.judgement]
        terms = [weights[name] * value for name, value in zip(FEATURES, features, strict=True)]
        return round(math.fsum([item.bias, *terms]), _DECIMALS)


def measured_as(item: PossibleClass, language: str) -> str:
    """The name of a class and language in `PossibleModel.measured`."""
    return f"{item.judgement}/{item.label}/{language}"


def decode(raw: bytes, name: str) -> PossibleModel:
    """The model in a file's bytes. Raises: PackError when it is none."""
    try:
        model = msgspec.json.decode(raw, type=PossibleModel)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        message = f"{name}: expected a model as `turnmark calibrate --suite finance` writes it; {error}"
        raise PackError(message) from error
    for judgement in dict.fromkeys(item.judgement for item in model.classes):
        if judgement not in JUDGEMENT_OF.values():
            message = f"{name}: $.classes: expected judgements of {list(JUDGEMENT_OF.values())}, found {judgement!r}"
            raise PackError(message)
        found = sorted(model.weights.get(judgement, {}))
        if found != sorted(FEATURES):
            message = f"{name}: $.weights.{judgement}: expected a weight for each of {sorted(FEATURES)}, found {found}"
            raise PackError(message)
    return model


def encoded(model: PossibleModel) -> bytes:
    """A model as the bytes of its file."""
    return msgspec.json.format(msgspec.json.encode(model), indent=1) + b"\n"


def read_model(path: Path) -> PossibleModel:
    """The model in a user's file. Raises: PackError when the file cannot be read or is none."""
    return decode(bytes_of(path), str(path))


@functools.cache
def shipped_model() -> PossibleModel:
    """The model that ships."""
    return decode(shipped(FILE), FILE)
