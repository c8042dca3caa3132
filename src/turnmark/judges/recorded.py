"""Judgements in a file: written once by a judge that is paid for, read as often as figures are computed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from turnmark.errors import UsageError
from turnmark.judges.protocol import AsyncJudge, Passage
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.judgement import Claim, Query, Verdict
from turnmark.schemas.problems import Problem

_ADVICE = "run turnmark judge on these cases again, it asks only for what is missing"


class Judgement(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One answer of a judge, a line of the file. ``key`` is a hash of what was asked.

    The first line of a file has no key but ``judge``, the judge's signature. ``case`` says where the question came
    from (for people).
    """

    key: str = ""
    case: str = ""
    judge: dict[str, Any] | None = None
    claims: list[list[dict[str, Any]]] | None = None
    verdicts: list[list[Verdict]] | None = None


class _RecordedClaim(Claim, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A claim of the file; ``failure`` is the reason of one that could not be had."""

    failure: str = ""


def key_of(asked: Sequence[Passage] | Sequence[Query]) -> str:
    """A hash of what a judge was asked; claims that differ only in why they failed ask the same."""
    plain = [
        list(one)
        if isinstance(one, Passage)
        else msgspec.to_builtins(msgspec.structs.replace(one, claims=tuple(map(_plain, one.claims))))
        for one in asked
    ]
    return hashlib.sha256(msgspec.json.encode(plain, order="deterministic")).hexdigest()[:32]


def _plain(claim: Claim) -> Claim:
    return Claim(text=claim.text, start=claim.start, end=claim.end, source=claim.source, hedged=claim.hedged)


class RecordingJudge:
    """Passes questions on to a judge and keeps the answers as lines; one for each case."""

    def __init__(self, judge: AsyncJudge, case: str) -> None:
        self._judge = judge
        self._case = case
        self.name = judge.name
        self.lines: list[Judgement] = []

    def signature(self) -> Mapping[str, Any]:
        """That of the judge."""
        return self._judge.signature()

    async def claims(self, passages: Sequence[Passage]) -> list[list[Claim]]:
        """As the judge."""
        found = await self._judge.claims(passages)
        self.lines.append(Judgement(key=key_of(passages), case=self._case, claims=msgspec.to_builtins(found)))
        return found

    async def verdicts(self, queries: Sequence[Query]) -> list[list[Verdict]]:
        """As the judge."""
        found = await self._judge.verdicts(queries)
        self.lines.append(Judgement(key=key_of(queries), case=self._case, verdicts=found))
        return found


class RecordedJudge:
    """Answers from a file that ``turnmark judge`` wrote; what it was not asked then is failed.

    Raises: UsageError when the file holds no judgements.
    """

    name = "judged"

    def __init__(self, path: Path) -> None:
        self._claims: dict[str, list[list[Claim]]] = {}
        self._verdicts: dict[str, list[list[Verdict]]] = {}
        self._signature: dict[str, Any] = {}
        digest = hashlib.sha256()
        for line in _lines(path):
            if line.judge is not None:
                self._signature = line.judge
            elif line.claims is not None:
                self._claims[line.key] = msgspec.convert(line.claims, list[list[_RecordedClaim]])
            elif line.verdicts is not None:
                self._verdicts[line.key] = line.verdicts
            digest.update(msgspec.json.encode(line))
        if not self._signature:
            message = f"{path}: expected judgements written by turnmark judge, found none"
            raise UsageError(message)
        self._digest = digest.hexdigest()[:16]

    def signature(self) -> Mapping[str, Any]:
        """That of the judge that was asked, and a hash of its answers."""
        return {**self._signature, "judgements": self._digest}

    def claims(self, passages: Sequence[Passage]) -> list[list[Claim]]:
        """The claims as they were given; each passage whole and failed when it was not asked for."""
        found = self._claims.get(key_of(passages))
        if found is not None:
            return found
        return [
            [
                _RecordedClaim(
                    text=passage.text, start=0, end=len(passage.text), source=passage.source,
                    failure=f"its claims were not asked for: {_ADVICE}",
                )
            ]
            for passage in passages
        ]  # fmt: skip

    def verdicts(self, queries: Sequence[Query]) -> list[list[Verdict]]:
        """The verdicts as they were given."""
        found = self._verdicts.get(key_of(queries))
        if found is not None:
            return found
        return [
            [
                Verdict(label="failed", reason=_failure(claim) or f"it was not judged: {_ADVICE}")
                for claim in query.claims
            ]
            for query in queries
        ]


def _failure(claim: Claim) -> str:
    return claim.failure if isinstance(claim, _RecordedClaim) else ""


def _lines(path: Path) -> Iterator[Judgement]:
    """The judgements of a file. Raises: UsageError naming the first line that is none."""
    for found in Reader(Judgement).read(path):
        if isinstance(found, Problem):
            raise UsageError(str(found))
        yield found.value
