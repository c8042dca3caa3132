"""What all encoders share: a text is cleaned and cut, each piece is encoded by itself and remembered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from turnmark.encoders.protocol import Vectors
from turnmark.encoders.texts import pieces

_REMEMBERED = 1 << 13


class PiecedEncoder:
    """Vectors of texts from a function that encodes one piece.

    Each piece is encoded alone: in a batch the last bits of a vector depend on what stands beside it. A text of several
    pieces has the direction of their sum, weighed by length.
    """

    def __init__(self, encode_piece: Callable[[str], Vectors], dimensions: int) -> None:
        self._piece = lru_cache(maxsize=_REMEMBERED)(encode_piece)
        self._dimensions = dimensions

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape (texts, dimensions), of unit length or zero."""
        result = np.zeros((len(texts), self._dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            parts = pieces(text)
            if len(parts) == 1:
                result[row] = self._piece(parts[0])
            elif parts:
                whole = np.sum([len(part) * self._piece(part) for part in parts], axis=0)
                result[row] = whole / (np.linalg.norm(whole) or 1.0)
        return result
