"""Several judges in turn: each is asked only what those before it left undecided, and every verdict names its judge.

`Cascade` holds those that need no network: the rules, then an inference model of the user's where there is one. What is
open after them (`Cascade.left`) is for a language model, several cases in one request; `merged` puts its answers in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from turnmark.judges.protocol import Judge, Passage
from turnmark.schemas.judging.judgement import Claim, Query, Relation, SecondOpinion, Verdict

VERSION = "1.0.0"
RULES = "rules"
_WITHOUT_MATERIAL: frozenset[Relation] = frozenset({"relevance", "directness"})
_SAYS_SO = frozenset({"supported", "relevant"})


class Stage(NamedTuple):
    """A judge of a cascade: its name in ``Verdict.by``, the relations that it knows about, and the judge."""

    name: str
    judge: Judge
    relations: frozenset[str] | None = None

    def asked(self, query: Query) -> bool:
        """Whether the judge can say something in the relation of a query."""
        return self.relations is None or query.relation in self.relations


class Left(NamedTuple):
    """What is asked of the next judge: queries with some of their claims, and the place of each of these.

    A place is the number of the query and of the claim in what was asked first. ``audited`` are places that were
    decided and are asked all the same.
    """

    queries: tuple[Query, ...]
    places: tuple[tuple[tuple[int, int], ...], ...]
    audited: frozenset[tuple[int, int]]


class Contradiction(NamedTuple):
    """A decided verdict that a model contradicts: where, of what, who decided what, and what the model said of it."""

    case: str
    relation: str
    claim: str
    label: str
    by: str
    reason: str
    other_label: str
    other_by: str
    other_reason: str


class Merged(NamedTuple):
    """Verdicts with the answers of the last judge; how many were asked a second time, and what came of it.

    ``failed`` are the reasons of claims that got no answer: they stay not decided.
    """

    verdicts: list[list[Verdict]]
    audited: int
    contradictions: list[Contradiction]
    failed: list[str]


class Cascade:
    """Judges of plain functions in turn, the first of which takes texts apart into claims.

    ``audit`` is the share of decided verdicts that a model is asked as well; which ones depends on ``seed`` and on what
    is asked, not on order or chance.
    """

    name = "cascade"

    def __init__(self, stages: Sequence[Stage], *, audit: float = 0.0, seed: int = 0) -> None:
        self._stages = tuple(stages)
        self._audit = audit
        self._seed = seed

    def signature(self) -> Mapping[str, Any]:
        """That of every judge in turn, and how verdicts are drawn for a second opinion."""
        stages = {stage.name.partition(":")[0]: dict(stage.judge.signature()) for stage in self._stages}
        drawn = {"audit": self._audit, "seed": self._seed} if self._audit else {}
        return {"judge": self.name, "version": VERSION, **stages, **drawn}

    def claims(self, passages: Sequence[Passage]) -> list[list[Claim]]:
        """As the first judge."""
        return self._stages[0].judge.claims(passages)

    def verdicts(self, queries: Sequence[Query]) -> list[list[Verdict]]:
        """One verdict a claim, by the first judge that can tell; not decided where none can."""
        first, *others = self._stages
        results = [[_by(verdict, first.name) for verdict in item] for item in first.judge.verdicts(queries)]
        for stage in others:
            left = self._left_to(stage, queries, results)
            if left.queries:
                answers = stage.judge.verdicts(left.queries)
                results = merged(queries, results, left, answers, stage.name).verdicts
        return results

    def left(self, queries: Sequence[Query], verdicts: Sequence[Sequence[Verdict]]) -> Left:
        """What a model is asked: all that is not decided, and the share of the rest that is looked at again."""
        return _left(queries, verdicts, lambda place, verdict: _open(verdict) or self._drawn(queries, place, verdict))

    @staticmethod
    def _left_to(stage: Stage, queries: Sequence[Query], verdicts: Sequence[Sequence[Verdict]]) -> Left:
        return _left(queries, verdicts, lambda place, verdict: stage.asked(queries[place[0]]) and _open(verdict))

    def _drawn(self, queries: Sequence[Query], place: tuple[int, int], verdict: Verdict) -> bool:
        query = queries[place[0]]
        if not self._audit or verdict.label == "failed" or not _has_material(query):
            return False
        text = msgspec.json.encode(
            (self._seed, query.relation, query.question, query.claims[place[1]].text, query.material)
        )
        return int.from_bytes(hashlib.sha256(text).digest()[:7]) < self._audit * (1 << 56)


def _by(verdict: Verdict, name: str) -> Verdict:
    return verdict if _open(verdict) else msgspec.structs.replace(verdict, by=name)


def _open(verdict: Verdict) -> bool:
    return verdict.label == "not_decided"


def _has_material(query: Query) -> bool:
    return query.relation in _WITHOUT_MATERIAL or any(text.strip() for text in query.material)


def _left(
    queries: Sequence[Query],
    verdicts: Sequence[Sequence[Verdict]],
    wanted: Callable[[tuple[int, int], Verdict], bool],
) -> Left:
    asked, places, audited = [], [], set()
    for number, (query, item) in enumerate(zip(queries, verdicts, strict=True)):
        here = [(number, index) for index, verdict in enumerate(item) if wanted((number, index), verdict)]
        if here:
            asked.append(msgspec.structs.replace(query, claims=tuple(query.claims[index] for _, index in here)))
            places.append(tuple(here))
            audited |= {place for place in here if not _open(item[place[1]])}
    return Left(tuple(asked), tuple(places), frozenset(audited))


def merged(
    queries: Sequence[Query],
    verdicts: Sequence[Sequence[Verdict]],
    left: Left,
    answers: Sequence[Sequence[Verdict]],
    name: str,
    case: str = "",
) -> Merged:
    """The verdicts with the answers to what was left.

    What was decided before stays as it is, with the second opinion beside it. A claim without an answer stays not
    decided, so that the bounds of a figure hold, and its reason says why.
    """
    result = Merged([list(item) for item in verdicts], 0, [], [])
    audited = 0
    for places, item in zip(left.places, answers, strict=True):
        for place, answer in zip(places, item, strict=True):
            number, index = place
            before = result.verdicts[number][index]
            if place not in left.audited:
                result.verdicts[number][index] = _answered(before, answer, name, result.failed)
            elif answer.label != "failed":
                audited += 1
                opinion = SecondOpinion(label=answer.label, by=name, quote=answer.quote, reason=answer.reason)
                result.verdicts[number][index] = msgspec.structs.replace(before, audit=opinion)
                if contradicts(before, opinion):
                    query = queries[number]
                    result.contradictions.append(
                        Contradiction(
                            case, query.relation, query.claims[index].text, before.label, before.by, before.reason,
                            opinion.label, name, opinion.reason,
                        )
                    )  # fmt: skip
    return result._replace(audited=audited)


def _answered(before: Verdict, answer: Verdict, name: str, failed: list[str]) -> Verdict:
    if answer.label == "failed":
        failed.append(answer.reason)
        reasons = (before.reason, f"{name}: {answer.reason}")
        return msgspec.structs.replace(before, reason="; ".join(filter(None, reasons)))
    return _by(answer, name) if not _open(answer) else before


def contradicts(verdict: Verdict, opinion: SecondOpinion) -> bool:
    """Whether the two would be counted differently: one says so, the other does not."""
    return (verdict.label in _SAYS_SO) != (opinion.label in _SAYS_SO)
