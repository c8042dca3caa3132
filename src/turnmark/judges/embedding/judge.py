"""The judge ``embedding``: the judge ``rules`` whose models also see how near sentences and words are in meaning."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from turnmark.encoders.catalog import make_embedder
from turnmark.encoders.protocol import Embedder, cosines
from turnmark.judges.embedding.measures import MEANINGS, Encoded, measure_meaning
from turnmark.judges.embedding.weights import embedding_weights
from turnmark.judges.rules.directness import last_turn, polarity_of
from turnmark.judges.rules.judge import RulesJudge
from turnmark.judges.rules.learned.features import ALL, Measured
from turnmark.judges.rules.learned.model import Weights, shipped_weights
from turnmark.schemas.judging.judgement import Claim, Query

VERSION = "1.0.0"
_QUOTED_FROM = 0.4
"""A sentence that is less near to a claim in meaning, and does not share its words, is not quoted."""
EVERYTHING = ALL | frozenset(MEANINGS)


class EmbeddingJudge(RulesJudge):
    """Judges by rules and vectors. Numbers, names, denial and explicit conflicts decide as in ``rules``.

    ``weights`` are the shipped ones, or a file that ``turnmark calibrate --judge embedding`` wrote; ``encoder`` is the
    encoder that comes with the extra ``embed``, or a local folder.

    Raises: as `make_embedder` and `embedding_weights`.
    """

    name = "embedding"

    def __init__(self, weights: Weights | Path | None = None, encoder: Path | None = None) -> None:
        self.embedder: Embedder = make_embedder(encoder.resolve() if encoder else None)
        super().__init__(weights if isinstance(weights, Weights) else embedding_weights(weights, self.embedder))
        self._encoded = lru_cache(maxsize=64)(self._encode)

    def _encode(self, text: str) -> Encoded:
        return Encoded(text, self.embedder)

    def signature(self) -> Mapping[str, Any]:
        """Version, that of the rules, the digests of both weights, and the encoder with its weights."""
        rules = super().signature()
        return {
            **rules,
            "version": VERSION,
            "rules": rules["version"],
            "rules_weights": shipped_weights().digest,
            **self.embedder.signature(),
        }

    def measured(self, query: Query, claim: Claim, wanted: Collection[str] = EVERYTHING) -> Measured:
        """As the judge ``rules``, and what vectors measure where a model goes by it."""
        result = super().measured(query, claim, wanted)
        if query.relation == "relevance":
            self._add_meaning(result, query.question, (claim.text,), wanted)
        return result

    def _measured(
        self, relation: str, text: str, material: tuple[str, ...], asked: str, wanted: Collection[str]
    ) -> Measured:
        result = super()._measured(relation, text, material, asked, wanted)
        # A bare yes or no says what the question asks, or its opposite.
        self._add_meaning(result, asked if asked and polarity_of(text) else text, material, wanted)
        return result

    def _add_meaning(self, found: Measured, text: str, material: Sequence[str], wanted: Collection[str]) -> None:
        if frozenset(MEANINGS).isdisjoint(wanted):
            return
        meaning = measure_meaning(self._encoded(text), [self._encoded(each) for each in material], self.embedder)
        found.values.update(meaning.values)
        if not super().comes_close(found):
            # No sentence shares the words: the one that is nearest in meaning stands for the material.
            found.closest.insert(0, meaning.nearest)

    def comes_close(self, measured: Measured) -> bool:
        """As the judge ``rules``, or near in meaning."""
        return super().comes_close(measured) or measured.values.get("meaning", 0.0) >= _QUOTED_FROM

    def nearness(self, query: Query) -> Sequence[float]:
        """The cosine of each claim with what is asked last, 0 where it is negative."""
        asked = self.embedder.encode([last_turn(query.question)])
        result = cosines(self.embedder.encode([claim.text for claim in query.claims]), asked)
        return [max(0.0, value) for value in result[:, 0].tolist()]
