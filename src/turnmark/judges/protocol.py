"""What every judge offers: texts to claims, and queries to verdicts.

A case is judged in two steps, so that a judge that pays by the call needs one call for each:

1. ``claims``: every text of the case that must be cut into claims, at once;
2. ``verdicts``: every query of the case, of all relations and metrics, at once.

`turnmark.suites.rag.case.case_steps` yields these two requests and is sent the answers; it never calls a judge itself.
A judge of plain functions and a judge of coroutines are therefore driven by the same code.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from turnmark.schemas.judging.judgement import Claim, Label, Query, Relation, Verdict

__all__ = ["AsyncJudge", "Claim", "Judge", "Label", "Passage", "Query", "Relation", "Verdict", "signature_parts"]


class Passage(NamedTuple):
    """A text to be cut into claims, and what it is called in ``Claim.source``. ``question`` is the one it answers."""

    text: str
    source: str
    question: str = ""


class Judge(Protocol):
    """A judge of plain functions. Deterministic: the same arguments give the same answers.

    Nothing that a text or a model says may raise: what cannot be judged is a verdict ``failed`` with its reason.
    """

    name: str

    def signature(self) -> Mapping[str, Any]:
        """Everything that shapes the answers (version, weights, model, prompts), for the signature of a run."""
        ...

    def claims(self, passages: Sequence[Passage]) -> list[list[Claim]]:
        """The claims of each passage, in order; spans are code points of the passage's text."""
        ...

    def verdicts(self, queries: Sequence[Query]) -> list[list[Verdict]]:
        """For each query one verdict a claim, in the order of its claims."""
        ...


class AsyncJudge(Protocol):
    """The same as `Judge` with coroutines, for judges that wait for a model."""

    name: str

    def signature(self) -> Mapping[str, Any]:
        """As `Judge.signature`."""
        ...

    def claims(self, passages: Sequence[Passage]) -> Awaitable[list[list[Claim]]]:
        """As `Judge.claims`; one call to the model for all passages."""
        ...

    def verdicts(self, queries: Sequence[Query]) -> Awaitable[list[list[Verdict]]]:
        """As `Judge.verdicts`; one call to the model for all queries."""
        ...


def signature_parts(judge: Judge, prefix: str) -> tuple[dict[str, str], dict[str, str]]:
    """What a judge adds to the detectors and to the packs of a run's signature, under names with this prefix."""
    signature = judge.signature()
    return (
        {f"{prefix}.{judge.name}": str(signature["version"])},
        {f"{prefix}.{name}": str(value) for name, value in signature.items() if name not in {"judge", "version"}},
    )
