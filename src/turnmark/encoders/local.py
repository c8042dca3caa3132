"""Sentence encoders of the user's by local path: folders of sentence-transformers that hold their model as ONNX."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from turnmark.encoders.onnx import OnnxModel, read_json
from turnmark.encoders.pieced import PiecedEncoder
from turnmark.encoders.protocol import Vectors
from turnmark.errors import DataError

_SENTENCE = "sentence_embedding"
_MODULES = ("Transformer", "Pooling", "Normalize")


class _Module(msgspec.Struct):
    """One step of ``modules.json``; ``type`` is the name of a class."""

    type: str


class OnnxEncoder:
    """A sentence encoder in a folder: ``model.onnx`` or ``onnx/model.onnx``, ``tokenizer.json``, ``config.json``.

    Its output ``sentence_embedding`` is the vector where it has one; else the first output, a vector a token, is pooled
    as ``1_Pooling/config.json`` says (mean, cls or max; mean without such a file). Where
    ``config_sentence_transformers.json`` names a default prompt, that is put in front of every text.

    Raises: as `OnnxModel`; DataError too for a model with steps of other kinds behind the transformer.
    """

    name = "onnx"

    def __init__(self, folder: Path) -> None:
        self._model = OnnxModel(folder)
        self._pooling = _pooling(folder)
        self._prompt = _prompt(folder)
        if _SENTENCE not in self._model.outputs:
            _check_modules(folder)
        self.encode = PiecedEncoder(self._vector, len(self._vector("a")))

    def _vector(self, piece: str) -> Vectors:
        outputs, there = self._model.run([self._prompt + piece])
        name = _SENTENCE if _SENTENCE in outputs else self._model.outputs[0]
        output = outputs[name]
        if output.ndim != (2 if name == _SENTENCE else 3):
            message = (
                f"{self._model.folder}: {name}: expected a vector a token, found an output of shape {output.shape}"
            )
            raise DataError(message)
        vector = output[0] if name == _SENTENCE else _pooled(output[0][there[0] == 1], self._pooling)
        length = float(np.linalg.norm(vector))
        return np.asarray(vector / length if length else vector, dtype=np.float32)

    def signature(self) -> Mapping[str, Any]:
        """The folder's name and a hash of its files."""
        return {"encoder": self.name, **self._model.signature("encoder")}


def _check_modules(folder: Path) -> None:
    path = folder / "modules.json"
    if not path.is_file():
        return
    try:
        modules = msgspec.json.decode(path.read_bytes(), type=list[_Module])
    except (msgspec.DecodeError, RecursionError) as error:
        message = f"{path}: expected the list of a model's modules, found: {error}"
        raise DataError(message) from error
    others = [each.type for each in modules if each.type.rpartition(".")[2] not in _MODULES]
    if others:
        message = (
            f"{path}: expected only {', '.join(_MODULES)}, found {others}, which model.onnx does not hold; convert the "
            f"whole model, with an output {_SENTENCE}"
        )
        raise DataError(message)


def _pooling(folder: Path) -> str:
    path = folder / "1_Pooling" / "config.json"
    config = read_json(path) if path.is_file() else {}
    modes = {"cls": "pooling_mode_cls_token", "max": "pooling_mode_max_tokens"}
    return next((mode for mode, name in modes.items() if config.get(name)), "mean")


def _prompt(folder: Path) -> str:
    path = folder / "config_sentence_transformers.json"
    config = read_json(path) if path.is_file() else {}
    prompts, name = config.get("prompts"), config.get("default_prompt_name")
    return str(prompts.get(name, "")) if isinstance(prompts, dict) else ""


def _pooled(tokens: Vectors, pooling: str) -> Vectors:
    results: Vectors = (
        tokens[0] if pooling == "cls" else tokens.max(axis=0) if pooling == "max" else tokens.mean(axis=0)
    )
    return results
