"""An inference model in a local ONNX folder: does a premise entail a hypothesis, contradict it, or neither."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from turnmark.encoders.onnx import OnnxModel, Pair
from turnmark.encoders.texts import cleaned
from turnmark.errors import DataError

_AT_ONCE = 16
_NAMES = {
    "entailment": ("entailment", "entail", "entails"),
    "contradiction": ("contradiction", "contradict", "contradicts"),
    "neutral": ("neutral",),
    "other": ("not_entailment", "non_entailment", "not entailment"),
}


class Inference(NamedTuple):
    """Probabilities of a pair, rounded to four decimals; ``contradiction`` is 0 for models that do not tell it."""

    entailment: float
    contradiction: float


class NliModel:
    """Probabilities of pairs of texts. The order of the labels is read from ``id2label`` in ``config.json``.

    Raises: as `OnnxModel`; DataError too when ``id2label`` does not name entailment, or does not fit the output.
    """

    def __init__(self, folder: Path) -> None:
        self._model = OnnxModel(folder)
        self._order = _order(self._model, folder)
        self.digest = self._model.digest
        outputs, _ = self._model.run([("a", "b")])
        shape = self._logits(outputs).shape
        if shape != (1, len(self._order)):
            message = (
                f"{folder}: expected one number for each of the {len(self._order)} labels of config.json, found an "
                f"output of shape {shape}"
            )
            raise DataError(message)

    def _logits(self, outputs: dict[str, np.ndarray]) -> np.ndarray:
        return outputs["logits"] if "logits" in outputs else outputs[self._model.outputs[0]]

    def signature(self) -> dict[str, str]:
        """The folder's name and a hash of its files."""
        return self._model.signature("nli")

    def infer(self, pairs: Sequence[Pair]) -> list[Inference | None]:
        """Probabilities of each premise and hypothesis; None where the model gives no number.

        Different pairs are asked once, longest first in batches, so that the order in which they come does not matter.
        """
        plain = [(cleaned(premise), cleaned(hypothesis)) for premise, hypothesis in pairs]
        different = sorted(set(plain), key=lambda pair: (-len(pair[0]) - len(pair[1]), pair))
        results: dict[Pair, Inference | None] = {}
        for start in range(0, len(different), _AT_ONCE):
            batch = different[start : start + _AT_ONCE]
            outputs, _ = self._model.run(batch)
            results.update(zip(batch, map(self._inference, self._logits(outputs)), strict=True))
        return [results[pair] for pair in plain]

    def _inference(self, logits: np.ndarray) -> Inference | None:
        values = np.asarray(logits, dtype=np.float64)
        if not np.isfinite(values).all():
            return None
        odds = np.exp(values - values.max())
        share = dict(zip(self._order, (odds / odds.sum()).tolist(), strict=True))
        return Inference(round(share["entailment"], 4), round(share.get("contradiction", 0.0), 4))


@cache
def load_model(folder: Path) -> NliModel:
    """The model of a folder, loaded once."""
    return NliModel(folder)


def _order(model: OnnxModel, folder: Path) -> list[str]:
    """What each output stands for, in order."""
    labels = model.config.get("id2label")
    known = {spelling: name for name, spellings in _NAMES.items() for spelling in spellings}
    expected = f"{folder / 'config.json'}: $.id2label: expected numbers from 0 with entailment, neutral, contradiction"
    if not isinstance(labels, dict):
        message = f"{expected}; found {labels!r}"
        raise DataError(message)
    results = [known.get(str(labels.get(str(index))).strip().lower().replace("-", "_")) for index in range(len(labels))]
    plain = [name for name in results if name is not None]
    if len(plain) != len(labels) or len(set(plain)) != len(plain) or "entailment" not in plain:
        message = f"{expected}; found {labels!r}: name them as the model was trained"
        raise DataError(message)
    return plain
