"""What every encoder offers: texts to vectors whose angle says how alike in topic the texts are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""One row a text."""


class Embedder(Protocol):
    """An encoder. Deterministic: a text has the same vector whatever is encoded beside it, before it or after it.

    Vectors tell topics apart and nothing else: a changed number, a denial or a swapped name hardly moves them, so they
    never decide whether something is right. Cosines of different encoders are not to be compared.
    """

    name: str

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape (texts, dimensions): rows of unit length, or zeros for a text that says nothing.

        Texts may be anything: empty, huge, with control characters or lone surrogates. Nothing is raised.
        """
        ...

    def signature(self) -> Mapping[str, Any]:
        """Everything that shapes the vectors: the encoder, its version, a hash of its weights."""
        ...


def cosines(one: Vectors, other: Vectors) -> Vectors:
    """The cosine of every row of one with every row of the other, from -1 to 1, rounded to four decimals.

    Rows of zeros have a cosine of 0 with everything. Rounded, because the last digits of a sum of products belong to
    the processor.
    """
    results: Vectors = np.clip((one @ other.T).round(4), -1.0, 1.0)
    return results
