"""The judge ``llm``."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from turnmark.judges.llm.claims import ClaimsRequest
from turnmark.judges.llm.prompts import digest, prompt
from turnmark.judges.llm.review import Read, ReviewRequest
from turnmark.judges.llm.verdicts import VerdictsRequest
from turnmark.judges.protocol import Passage
from turnmark.llm.client import ChatClient
from turnmark.llm.items import ask_items
from turnmark.llm.protocol import ChatRequest
from turnmark.schemas.judging.judgement import Claim, Label, Query, Verdict
from turnmark.schemas.judging.review import Review, ReviewQuestion

VERSION = "1.1.0"

_MOST_ITEMS = 100
"""Verdicts asked for in one request; a case of ten contexts and some twenty claims stays below."""

_SEEDS = 100
"""How far apart the seeds of repeats are: a second try moves the seed by one."""

_CAUTIOUS: tuple[Label, ...] = ("undetermined", "irrelevant", "contradicted", "supported", "relevant")
"""Which label wins where repeated verdicts are split evenly: the first of them."""


class LlmJudge:
    """Judges by a language model; a `turnmark.judges.protocol.AsyncJudge`.

    A case takes one call for claims and one for verdicts, and two at most of either more: for items that the model
    left out. ``repeat`` asks for verdicts that often, each time with another seed, and takes the majority; the share
    that said otherwise stands in ``Verdict.disagreement``. Whatever goes wrong ends in verdicts of label failed.
    """

    name = "llm"

    def __init__(self, client: ChatClient, *, repeat: int = 1) -> None:
        self.client = client
        self._repeat = max(1, repeat)

    def signature(self) -> Mapping[str, Any]:
        """Name, version, model with all its settings, digest of the prompts, repeats."""
        return {
            "judge": self.name,
            "version": VERSION,
            "model": self.client.description,
            "prompts": digest(),
            "repeat": self._repeat,
        }

    async def claims(self, passages: Sequence[Passage]) -> list[list[Claim]]:
        """The claims of each passage; one call for all."""
        asked = ClaimsRequest(passages)
        if not asked.ids:
            return [[] for _ in passages]
        again = prompt("again", asked.language)
        return asked.claims(await ask_items(self.client, asked.ids, asked.request, asked.reader, again))

    async def verdicts(self, queries: Sequence[Query]) -> list[list[Verdict]]:
        """For each query one verdict a claim; one call for all, and for each repeat."""
        asked = VerdictsRequest(queries)
        said = await asyncio.gather(*(self._round(asked, variation) for variation in range(self._repeat)))
        result = dict(asked.settled)
        for name in asked.ids:
            verdict = majority([item[name] for item in said])
            for index in asked.same(name):
                result[index] = verdict
        return [[result[number, index] for index in range(len(query.claims))] for number, query in enumerate(queries)]

    async def review(self, question: ReviewQuestion) -> Review:
        """What an answer to a patient states and which rules it breaks; one call for all, and for each repeat."""
        asked = ReviewRequest(question)
        if not asked.ids:
            return Review()
        rounds = await asyncio.gather(*(self._review_round(asked, variation) for variation in range(self._repeat)))
        return asked.review(rounds)

    def requests(self, asked: VerdictsRequest | ReviewRequest) -> list[ChatRequest]:
        """The requests that all verdicts, or a review, take when the model leaves nothing out."""
        return [asked.request(ids, _SEEDS * repeat) for repeat in range(self._repeat) for ids in _parts(asked.ids)]

    async def disconnect(self) -> None:
        """Close connections; the judge may go on in another event loop."""
        await self.client.disconnect()

    async def aclose(self) -> None:
        """Close connections and cache."""
        await self.client.aclose()

    async def _round(self, asked: VerdictsRequest, repeat: int) -> dict[str, Verdict]:
        """Every verdict once."""
        again = prompt("again", asked.language)
        results: dict[str, Verdict] = {}
        answers = await asyncio.gather(
            *(
                ask_items(self.client, ids, lambda some: asked.request(some, _SEEDS * repeat), asked.reader, again)
                for ids in _parts(asked.ids)
            )
        )
        for answer in answers:
            results |= answer.found
            results |= {name: Verdict(label="failed", reason=reason) for name, reason in answer.failed.items()}
        return results

    async def _review_round(self, asked: ReviewRequest, repeat: int) -> Read:
        """Every sentence and rule once."""
        again = prompt("again", asked.language)
        answers = await asyncio.gather(
            *(
                ask_items(self.client, ids, lambda some: asked.request(some, _SEEDS * repeat), asked.reader, again)
                for ids in _parts(asked.ids)
            )
        )
        return Read(
            {name: entry for answer in answers for name, entry in answer.found.items()},
            {name: reason for answer in answers for name, reason in answer.failed.items()},
        )


def _parts(ids: Sequence[str]) -> list[Sequence[str]]:
    return [ids[at : at + _MOST_ITEMS] for at in range(0, len(ids), _MOST_ITEMS)]


def majority(verdicts: Sequence[Verdict]) -> Verdict:
    """What most of them say, in the words of the first of these; failed ones count only when there is no other.

    ``probability`` becomes the mean over all that are there, ``disagreement`` the share of them that say otherwise.
    """
    there = [verdict for verdict in verdicts if verdict.label != "failed"]
    if len(verdicts) == 1 or not there:
        return verdicts[0]
    counts = Counter(verdict.label for verdict in there)
    most = max(counts.values())
    label = next(label for label in _CAUTIOUS if counts[label] == most)
    spokesman = next(verdict for verdict in there if verdict.label == label)
    mean = sum(verdict.probability or 0.0 for verdict in there) / len(there)
    return msgspec.structs.replace(spokesman, probability=round(mean, 6), disagreement=round(1 - most / len(there), 6))
