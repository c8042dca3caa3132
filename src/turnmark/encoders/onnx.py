"""A transformer of the user's in a local folder: tokens by `tokenizers`, numbers by ONNX Runtime; no download.

The folder is what converters write: ``model.onnx`` (or ``onnx/model.onnx``), ``tokenizer.json`` and ``config.json``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from turnmark.errors import DataError, MissingExtraError, UsageError

INSTALL = "pip install 'turnmark[onnx]'"
MOST_TOKENS = 512
_ROOM = 4
"""Tokens that a tokenizer adds to a pair, at most."""
_BLOCK = 1 << 20

Pair = tuple[str, str]


class OnnxModel:
    """One model, on one thread of the processor, so that the same texts give the same numbers.

    Raises: MissingExtraError naming the install line; UsageError when there is no such folder; DataError when a file of
    it is missing or is not what it should be.
    """

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            message = f"{folder}: expected a folder with model.onnx, tokenizer.json and config.json, found none"
            raise UsageError(message)
        try:
            import onnxruntime  # noqa: PLC0415 - an extra, loaded on first use
            import tokenizers  # noqa: PLC0415 - an extra, loaded on first use
        except ImportError as error:
            message = f"models by local path need onnxruntime and tokenizers: {INSTALL}"
            raise MissingExtraError(message) from error
        self.folder = folder
        self.config = read_json(folder / "config.json")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.use_deterministic_compute = True
        options.log_severity_level = 3
        self._file = _one_of(folder, ("model.onnx", "onnx/model.onnx"))
        tokenizer = _one_of(folder, ("tokenizer.json",))
        # Both libraries raise bare exceptions of their own for a file that they cannot read.
        try:
            self._session = onnxruntime.InferenceSession(self._file, options, providers=["CPUExecutionProvider"])
        except Exception as error:
            message = f"{self._file}: expected a model in ONNX format, found: {_first_line(error)}"
            raise DataError(message) from error
        try:
            self._tokenizer = tokenizers.Tokenizer.from_file(str(tokenizer))
        except Exception as error:
            message = f"{tokenizer}: expected a tokenizer of the library tokenizers, found: {_first_line(error)}"
            raise DataError(message) from error
        self._inputs = [each.name for each in self._session.get_inputs()]
        self.outputs: list[str] = [each.name for each in self._session.get_outputs()]
        if "input_ids" not in self._inputs:
            message = f"{self._file}: expected an input named input_ids, found {self._inputs}"
            raise DataError(message)
        positions = self.config.get("max_position_embeddings")
        self._longest = min(MOST_TOKENS, positions if isinstance(positions, int) and positions > _ROOM else MOST_TOKENS)
        self._tokenizer.enable_truncation(self._longest, strategy="longest_first")
        self._tokenizer.no_padding()

    @cached_property
    def digest(self) -> str:
        """A hash of everything in the folder that shapes the numbers: weights, tokenizer, configuration."""
        result = hashlib.sha256()
        files = [self._file, *self._file.parent.glob(f"{self._file.name}_*"), *self.folder.glob("**/*.json")]
        for path in sorted(set(files)):
            result.update(path.relative_to(self.folder).as_posix().encode())
            with path.open("rb") as file:
                while block := file.read(_BLOCK):
                    result.update(block)
        return result.hexdigest()[:16]

    def signature(self, kind: str) -> dict[str, str]:
        """Name of the folder and hash of its files, under names that open with ``kind``."""
        return {f"{kind}_model": self.folder.resolve().name, f"{kind}_weights": self.digest}

    def run(self, texts: Sequence[str] | Sequence[Pair]) -> tuple[dict[str, NDArray[Any]], NDArray[np.int64]]:
        """All outputs by name, one row a text or pair, and which tokens are there (1) or fill a row up (0)."""
        encode = self._tokenizer.encode
        results = [encode(*text) if isinstance(text, tuple) else encode(text) for text in texts]
        width = max([len(each.ids) for each in results], default=1) or 1
        fill = int(self.config.get("pad_token_id") or 0)
        columns = {
            "input_ids": _filled([each.ids for each in results], width, fill),
            "attention_mask": _filled([each.attention_mask for each in results], width, 0),
            "token_type_ids": _filled([each.type_ids for each in results], width, 0),
        }
        unknown = [name for name in self._inputs if name not in columns]
        if unknown:
            message = f"{self._file}: expected only inputs among {list(columns)}, found {unknown}"
            raise DataError(message)
        values = self._session.run(None, {name: columns[name] for name in self._inputs})
        return dict(zip(self.outputs, values, strict=True)), columns["attention_mask"]


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file. Raises: DataError when there is no such file or no object in it."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise DataError(message) from error
    except (msgspec.DecodeError, RecursionError) as error:
        message = f"{path}: expected a JSON object, found: {error}"
        raise DataError(message) from error


def _one_of(folder: Path, names: Sequence[str]) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    message = f"{folder}: expected {' or '.join(names)}, found neither; convert the model to ONNX first"
    raise DataError(message)


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).strip().splitlines()[0][:200] if str(error).strip() else ''}"


def _filled(rows: Sequence[Sequence[int]], width: int, fill: int) -> NDArray[np.int64]:
    result = np.full((len(rows), width), fill, dtype=np.int64)
    for index, row in enumerate(rows):
        result[index, : len(row)] = row
    return result
