"""Judgements in a file: written once by a judge that is paid for, read as often as figures are computed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from turnmark.errors import UsageError
from turnmark.judges.cascade import Cascade
from turnmark.judges.protocol import AsyncJudge, Passage
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.judging.judgement import Claim, Query, Verdict
from turnmark.schemas.judging.review import Grade, Review, ReviewedRule, ReviewQuestion
from turnmark.schemas.problems import Problem
from turnmark.schemas.reasons import Reason

_NOT_JUDGED = str(Reason("not_judged"))

UNNAMED = "rag"
"""The suite of judgements that name none: it was judged before others were."""


class Judgement(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One answer of a judge, a line of the file. ``key`` is a hash of what was asked.

    The first line of a file has no key but ``judge``, the judge's signature. ``case`` says where the question came
    from (for people). Claims and verdicts are answers to one case, a review to one answer to a patient, a grade to one
    item and rubric.
    """

    key: str = ""
    case: str = ""
    judge: dict[str, Any] | None = None
    claims: list[list[dict[str, Any]]] | None = None
    verdicts: list[list[Verdict]] | None = None
    review: Review | None = None
    grade: Grade | None = None

    @staticmethod
    def of_claims(asked: Sequence[Passage], case: str, claims: Sequence[Sequence[Claim]]) -> Judgement:
        """The line that holds the claims of some passages."""
        return Judgement(key=key_of(asked), case=case, claims=msgspec.to_builtins(claims))

    def answers(self) -> list[str]:
        """One text for each thing that was to be judged: "" when it was, else why not."""
        if self.review is not None:
            rules = [rule.reason if rule.label == "failed" else "" for rule in self.review.rules]
            return [self.review.lost, *rules]
        if self.grade is not None:
            return [self.grade.failure]
        return [verdict.reason if verdict.label == "failed" else "" for item in self.verdicts or () for verdict in item]


class _RecordedClaim(Claim, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A claim of the file; ``failure`` is the reason of one that was not obtained."""

    failure: str = ""


def key_of(asked: Sequence[Passage] | Sequence[Query] | ReviewQuestion | Mapping[str, Any]) -> str:
    """A hash of what a judge was asked; claims that differ only in why they failed ask the same."""
    plain: Any = (
        asked
        if isinstance(asked, ReviewQuestion | Mapping)
        else [
            list(item)
            if isinstance(item, Passage)
            else msgspec.to_builtins(msgspec.structs.replace(item, claims=tuple(map(_plain, item.claims))))
            for item in asked
        ]
    )
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
        result = await self._judge.claims(passages)
        self.lines.append(Judgement.of_claims(passages, self._case, result))
        return result

    async def verdicts(self, queries: Sequence[Query]) -> list[list[Verdict]]:
        """As the judge."""
        result = await self._judge.verdicts(queries)
        self.lines.append(Judgement(key=key_of(queries), case=self._case, verdicts=result))
        return result


class RecordedJudge:
    """Answers from a file that ``turnmark judge`` wrote; what it was not asked then is failed.

    ``suite`` is the one that was judged, ``metrics`` are those that were asked for; ``earlier_turns`` says whether what
    earlier turns were told was shown, ``in_turn`` whether several judges shared the work.

    Raises: UsageError when the file holds no judgements, or those of another suite.
    """

    name = "judged"

    def __init__(self, path: Path, suite: str = UNNAMED) -> None:
        self._reviews: dict[str, Review] = {}
        self._grades: dict[str, Grade] = {}
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
            elif line.review is not None:
                self._reviews[line.key] = line.review
            elif line.grade is not None:
                self._grades[line.key] = line.grade
            digest.update(msgspec.json.encode(line))
        if not self._signature:
            message = f"{path}: expected judgements written by turnmark judge, found none"
            raise UsageError(message)
        self.suite = str(self._signature.get("suite", UNNAMED))
        self.metrics: tuple[str, ...] | None = msgspec.convert(self._signature.get("metrics"), tuple[str, ...] | None)
        if self.suite != suite:
            message = f"{path}: expected judgements of turnmark judge --suite {suite}, found those of {self.suite}"
            raise UsageError(message)
        self.earlier_turns = bool(self._signature.get("earlier_turns", False))
        self._digest = digest.hexdigest()[:16]
        self.in_turn = self._signature.get("judge") == Cascade.name

    def signature(self) -> Mapping[str, Any]:
        """That of the judge that was asked, and a hash of its answers."""
        return {**self._signature, "judgements": self._digest}

    def claims(self, passages: Sequence[Passage]) -> list[list[Claim]]:
        """The claims as they were given; each passage whole and failed when it was not asked for."""
        result = self._claims.get(key_of(passages))
        if result is not None:
            return result
        return [
            [
                _RecordedClaim(
                    text=passage.text, start=0, end=len(passage.text), source=passage.source,
                    failure=str(Reason("claims_not_asked")),
                )
            ]
            for passage in passages
        ]  # fmt: skip

    def verdicts(self, queries: Sequence[Query]) -> list[list[Verdict]]:
        """The verdicts as they were given."""
        result = self._verdicts.get(key_of(queries))
        if result is not None:
            return result
        return [
            [Verdict(label="failed", reason=_failure(claim) or _NOT_JUDGED) for claim in query.claims]
            for query in queries
        ]

    def review(self, question: ReviewQuestion) -> Review:
        """The review as it was given; lost and with failed rules when it was not asked for."""
        result = self._reviews.get(key_of(question))
        if result is not None:
            return result
        reason = _NOT_JUDGED
        failed = [ReviewedRule(id=rule.id, label="failed", reason=reason) for rule in question.rules]
        return Review(lost=reason if question.facts else "", rules=failed)

    def grade(self, item: Mapping[str, Any]) -> Grade:
        """The grade of an item, of which only the fields that the rubric showed matter."""
        result = self._grades.get(key_of(shown_item(item, self.rubric.get("fields", ()))))
        return Grade(failure=_NOT_JUDGED) if result is None else result

    @property
    def rubric(self) -> Mapping[str, Any]:
        """The rubric that items were graded by; empty when the file holds no grades."""
        results: Mapping[str, Any] = self._signature.get("rubric", {})
        return results


def shown_item(item: Mapping[str, Any], fields: Sequence[str]) -> dict[str, Any]:
    """What a rubric shows of an item."""
    return {field: item.get(field) for field in fields}


def _failure(claim: Claim) -> str:
    return claim.failure if isinstance(claim, _RecordedClaim) else ""


def _lines(path: Path) -> Iterator[Judgement]:
    """The judgements of a file. Raises: UsageError naming the first line that is none."""
    for item in Reader(Judgement).read(path):
        if isinstance(item, Problem):
            raise UsageError(str(item))
        yield item.value
