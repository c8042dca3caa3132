"""What judging would take, before anything is paid for."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from turnmark.judges.claims import split_claims
from turnmark.judges.llm.claims import ClaimsRequest
from turnmark.judges.llm.judge import LlmJudge
from turnmark.judges.llm.review import ReviewRequest
from turnmark.judges.llm.verdicts import VerdictsRequest
from turnmark.judges.protocol import Passage
from turnmark.llm.budget import Prices, input_tokens
from turnmark.llm.protocol import ChatRequest
from turnmark.schemas.judging.judgement import Claim, Query, Verdict
from turnmark.schemas.judging.review import ReviewQuestion


class Size(msgspec.Struct, kw_only=True):
    """How much is asked, whether or not it is answered already: calls, characters of the prompts, tokens."""

    calls: int = 0
    prompt_characters: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def add(self, request: ChatRequest, tokens: int) -> None:
        """One more request, of so many tokens."""
        self.calls += 1
        self.prompt_characters += sum(len(message.content) for message in request.messages)
        self.input_tokens += tokens
        self.output_tokens += request.output_tokens


class Estimate(msgspec.Struct, kw_only=True):
    """Calls, tokens and money for some cases. ``cached`` calls are answered already and cost nothing.

    ``whole`` is the same with what is answered already. Where only what is undecided is asked, ``verdicts`` counts all,
    ``asked`` those that a model is asked for, and ``everything`` is what judging all of it would take.
    """

    cases: int = 0
    calls: int = 0
    cached: int = 0
    prompt_characters: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    whole: Size = msgspec.field(default_factory=Size)
    verdicts: int | None = None
    asked: int | None = None
    everything: Size | None = None


class EstimatingJudge:
    """A judge of plain functions that asks nobody and adds up what `LlmJudge` would ask.

    Claims are those of the rules, so the figures are close and not exact; repairs and retries are not foreseen.
    """

    name = "estimate"

    def __init__(self, judge: LlmJudge, prices: Prices | None = None, size: Size | None = None) -> None:
        self._judge = judge
        self._prices = prices
        self._size = size
        self.estimate = Estimate(cost=0.0 if prices is not None else None)

    def signature(self) -> dict[str, str]:
        """Nothing that is judged comes from here."""
        return {"judge": self.name, "version": "1.0.0"}

    def claims(self, passages: Sequence[Passage]) -> list[list[Claim]]:
        """Count one call."""
        asked = ClaimsRequest(passages)
        if asked.ids:
            self.count(asked.request(asked.ids))
        return [split_claims(passage.text, passage.source) for passage in passages]

    def verdicts(self, queries: Sequence[Query]) -> list[list[Verdict]]:
        """Count one call for each repeat and part."""
        asked = VerdictsRequest(queries)
        for request in self._judge.requests(asked):
            self.count(request)
        return [[Verdict(label="failed", reason="not asked")] * len(query.claims) for query in queries]

    def review(self, question: ReviewQuestion) -> None:
        """Count one call for each repeat and part."""
        for request in self._judge.requests(ReviewRequest(question)):
            self.count(request)

    def count(self, request: ChatRequest) -> None:
        """Add one request; one whose answer is kept costs nothing. With a ``size`` of its own only that is added to."""
        estimate, tokens = self.estimate, input_tokens(request)
        if self._size is not None:
            self._size.add(request, tokens)
            return
        estimate.whole.add(request, tokens)
        if self._judge.client.kept(request) is not None:
            estimate.cached += 1
            return
        estimate.calls += 1
        estimate.prompt_characters += sum(len(message.content) for message in request.messages)
        estimate.input_tokens += tokens
        estimate.output_tokens += request.output_tokens
        if self._prices is not None and estimate.cost is not None:
            estimate.cost += self._prices.cost(tokens, request.output_tokens)
