"""Counting that several RAG metrics share."""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.schemas.judging.judgement import Verdict
from turnmark.stats.tally import Failed, NotApplicable, Outcomes, Ratio

NO_CLAIM = "the text states nothing that could be supported"


def judged(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts that are there: those that failed are left out, and counted apart by `failures`."""
    return [verdict for verdict in verdicts if verdict.label != "failed"]


def decided(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Of the verdicts that are there those in which the judge could tell."""
    return [verdict for verdict in verdicts if verdict.label not in ("failed", "not_decided")]


def undecided(verdicts: Sequence[Verdict]) -> int:
    """In how many verdicts the judge could not tell."""
    return sum([verdict.label == "not_decided" for verdict in verdicts])


def failures(verdicts: Sequence[Verdict]) -> int:
    """How many verdicts could not be had."""
    return len(verdicts) - len(judged(verdicts))


def share(verdicts: Sequence[Verdict], label: str, empty: str = NO_CLAIM) -> Outcomes:
    """The share of the decided verdicts with a label, and how many were not decided.

    Failed when there are verdicts and all of them failed.
    """
    if not verdicts:
        return NotApplicable(empty)
    there = judged(verdicts)
    if not there:
        return Failed(verdicts[0].reason or "no verdict could be had")
    known = decided(there)
    return (Ratio(sum([verdict.label == label for verdict in known]), len(known), undecided(there)),)
