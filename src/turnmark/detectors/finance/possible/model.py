"""The learned model as a file: whole numbers as weights, and from which score on each class is offered."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from turnmark.detectors.finance.possible.features import BUCKETS, features
from turnmark.errors import PackError
from turnmark.packs.loading import bytes_of, shipped

if TYPE_CHECKING:
    import numpy as np

FILE = "finance/possible.json"
LANGUAGES = ("zh", "ko", "en")


class Thresholds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From which score on a class is offered, by language; a language that is not there is never offered.

    ``judgement`` is ``risk_disclosed``, ``forbidden`` or ``rubric``; ``scale`` and ``bias`` make a score of the sum
    of whole weights.
    """

    judgement: str
    label: str
    scale: float
    bias: float
    offered: dict[str, float]


class PossibleModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Weights of every bucket and class as signed bytes, bucket by bucket (base64 in the file).

    ``seed`` and ``trained_on`` say how the file was made; ``name`` and ``version`` stand in every piece of evidence.
    """

    name: str
    version: str
    seed: int
    buckets: int
    trained_on: dict[str, int]
    classes: list[Thresholds]
    weights: bytes

    def scores(self, sentences: Sequence[str]) -> np.ndarray[Any, Any]:
        """The score of every folded sentence (a row) for every class (a column): log odds."""
        import numpy as np  # noqa: PLC0415 - loaded only when asked for

        table = _table(self.weights, len(self.classes))
        scale = np.array([item.scale for item in self.classes])
        bias = np.array([item.bias for item in self.classes])
        results = np.full((len(sentences), len(self.classes)), -math.inf)
        for index, sentence in enumerate(sentences):
            found = features(sentence)
            if found:
                results[index] = table[found].sum(axis=0, dtype=np.int64) * scale / math.sqrt(len(found)) + bias
        return results


@functools.lru_cache(maxsize=4)
def _table(weights: bytes, classes: int) -> np.ndarray[Any, Any]:
    import numpy as np  # noqa: PLC0415 - as above

    return np.frombuffer(weights, dtype=np.int8).reshape(BUCKETS, classes)


def decode(raw: bytes, name: str) -> PossibleModel:
    """The model in a file's bytes. Raises: PackError when it is none."""
    try:
        model = msgspec.json.decode(raw, type=PossibleModel)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        message = f"{name}: expected a model as benchmarks/fit_possible.py writes it: {error}"
        raise PackError(message) from error
    if model.buckets != BUCKETS or len(model.weights) != BUCKETS * len(model.classes):
        message = (
            f"{name}: $.weights: expected {BUCKETS} buckets of {len(model.classes)} classes, found {model.buckets} "
            f"buckets and {len(model.weights)} weights; write the file again with benchmarks/fit_possible.py"
        )
        raise PackError(message)
    if not all(math.isfinite(value) for item in model.classes for value in (item.scale, item.bias)):
        message = f"{name}: $.classes: expected finite numbers as scale and bias"
        raise PackError(message)
    return model


@functools.cache
def shipped_model() -> PossibleModel:
    """The model that ships."""
    return decode(shipped(FILE), FILE)


def read_model(path: Path) -> PossibleModel:
    """The model of a file. Raises: DataError when it cannot be read; PackError when it is none."""
    return decode(bytes_of(path), str(path))


def encoded(model: PossibleModel) -> bytes:
    """A model as the file that ``--possible`` reads."""
    return msgspec.json.format(msgspec.json.encode(model), indent=1) + b"\n"
