"""Logistic models over named measures: a few dozen numbers in a JSON file, applied without numpy."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path

import msgspec

from turnmark.errors import UsageError
from turnmark.packs.loading import shipped

OWN = "own labels"
"""Stands among the sets of a model that was fitted on a user's labels."""
CLIP = 4.0
"""Standardised measures are cut at so many standard deviations, so that no single one decides."""


class Model(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One logistic model.

    ``measures``, ``means``, ``scales`` and ``weights`` have the same length; the score of a claim is
    ``offset + Σ weight · clip((value - mean) / scale)``, and its probability the logistic function of that. ``rows``
    and ``sets`` say what it was fitted on.
    """

    measures: tuple[str, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]
    weights: tuple[float, ...]
    offset: float
    rows: int = 0
    sets: tuple[str, ...] = ()

    @cached_property
    def terms(self) -> list[tuple[str, float, float, float]]:
        """What is added up: measure, mean, weight over scale, and the most that the measure can add or take away."""
        return [
            (name, mean, weight / scale, abs(weight) * CLIP)
            for name, mean, scale, weight in zip(self.measures, self.means, self.scales, self.weights, strict=True)
            if weight
        ]

    @cached_property
    def wanted(self) -> frozenset[str]:
        """The measures that it needs."""
        return frozenset(name for name, *_ in self.terms)

    def score(self, values: Mapping[str, float]) -> float:
        """The log odds of a claim with these measures."""
        total = self.offset
        for name, mean, slope, most in self.terms:
            part = (values[name] - mean) * slope
            if part > most:
                part = most
            elif part < -most:
                part = -most
            total += part
        return total

    def probability(self, values: Mapping[str, float]) -> float:
        """The probability of a claim with these measures, from 0 to 1."""
        return 1.0 / (1.0 + math.exp(-self.score(values)))


class Weights(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All models of the judge: ``models[relation][language]``, where language ``any`` serves those not listed.

    ``encoder`` is the encoder that weights of the judge ``embedding`` were fitted with; empty for ``rules``.
    """

    version: str
    models: dict[str, dict[str, Model]]
    digest: str = ""
    encoder: str = ""

    def model(self, relation: str, language: str) -> Model:
        """The model of a relation for claims of a language."""
        models = self.models[relation]
        return models.get(language) or models["any"]


def decode_weights(raw: bytes, name: str) -> Weights:
    """Weights from the bytes of a file, with their digest. Raises: UsageError when there are none."""
    try:
        weights = msgspec.json.decode(raw, type=Weights)
    except (msgspec.DecodeError, RecursionError) as error:
        message = f"{name}: expected weights of a judge (turnmark calibrate writes them), found {error}"
        raise UsageError(message) from error
    return msgspec.structs.replace(weights, digest=hashlib.sha256(raw.replace(b"\r\n", b"\n")).hexdigest()[:16])


@cache
def shipped_weights() -> Weights:
    """The weights that come with turnmark; ``docs/rules-judge.md`` is their model card."""
    return decode_weights(shipped("rag/rules_weights.json"), "rag/rules_weights.json")


def laid_over(own: Weights, base: Weights) -> Weights:
    """Weights whose missing relations and languages are those of others."""
    models = {relation: {**known, **own.models.get(relation, {})} for relation, known in base.models.items()}
    return msgspec.structs.replace(own, models=models)


def read_weights(path: Path, base: Weights | None = None) -> Weights:
    """Weights from a file; relations and languages that it does not hold are those of ``base``, else those that ship.

    Raises: UsageError when the file cannot be read or holds no weights, or those of the judge ``embedding`` unasked.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise UsageError(message) from error
    own = decode_weights(raw, str(path))
    if base is None and own.encoder:
        message = f"{path}: expected weights of the judge rules, found some fitted with the encoder {own.encoder}"
        raise UsageError(message)
    return laid_over(own, base or shipped_weights())
