"""Weights of the judge ``embedding``: models where vectors help, those of ``rules`` for the other relations."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from turnmark.encoders.protocol import Embedder
from turnmark.encoders.shipped import ShippedEncoder
from turnmark.errors import UsageError
from turnmark.judges.rules.learned.model import Weights, decode_weights, laid_over, read_weights, shipped_weights
from turnmark.packs.loading import shipped

FILE = "rag/embedding_weights.json"


@cache
def shipped_embedding_weights() -> Weights:
    """The weights that come with turnmark, fitted with the encoder of the extra ``embed``."""
    return laid_over(decode_weights(shipped(FILE), FILE), shipped_weights())


def embedding_weights(path: Path | None, embedder: Embedder) -> Weights:
    """The shipped weights, or those of a file; for an encoder of the user's there are none but those of a file.

    Raises: UsageError when the file cannot be read, or its weights were fitted with another encoder.
    """
    name = encoder_name(embedder)
    if path is None:
        if isinstance(embedder, ShippedEncoder):
            return shipped_embedding_weights()
        message = (
            "embedding: no weights ship for an encoder of your own, since no two encoders measure alike; fit some: "
            "turnmark calibrate LABELS --judge embedding:FOLDER --metric METRIC --out FILE, and name that file"
        )
        raise UsageError(message)
    weights = read_weights(path, base_weights(embedder))
    if weights.encoder != name:
        message = (
            f"{path}: expected weights fitted with the encoder {name}, found {weights.encoder or 'weights of rules'}"
        )
        raise UsageError(message)
    return weights


def base_weights(embedder: Embedder) -> Weights:
    """What a fit to a user's labels starts from: the shipped weights, or those of ``rules`` for another encoder."""
    if isinstance(embedder, ShippedEncoder):
        return shipped_embedding_weights()
    return msgspec.structs.replace(shipped_weights(), encoder=encoder_name(embedder))


def encoder_name(embedder: Embedder) -> str:
    """Name and weights of an encoder, in one word."""
    return f"{embedder.name}:{embedder.signature()['encoder_weights']}"
