"""The encoders by name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from turnmark.encoders.local import OnnxEncoder
from turnmark.encoders.protocol import Embedder
from turnmark.encoders.shipped import ShippedEncoder


@cache
def make_embedder(folder: Path | None = None) -> Embedder:
    """The encoder that the extra ``embed`` brings along, or the one in a local folder; loaded once.

    Raises: MissingExtraError, DataError and UsageError as `ShippedEncoder` and `OnnxEncoder`.
    """
    return ShippedEncoder() if folder is None else OnnxEncoder(folder)
