"""Counting that several RAG metrics share."""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.schemas.judging.judgement import Verdict
from turnmark.schemas.reasons import Reason
from turnmark.stats.tally import Failed, NotApplicable, Outcomes, Ratio

NO_CLAIM = Reason("no_claim")
NO_VERDICT = Reason("no_verdict")


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
    """How many verdicts were not returned."""
    return len(verdicts) - len(judged(verdicts))


def lost(verdicts: Sequence[Verdict]) -> Reason:
    """Why there is no verdict, of verdicts that failed (at least one)."""
    return Reason.text(verdicts[0].reason) if verdicts[0].reason else NO_VERDICT


def share(verdicts: Sequence[Verdict], label: str, empty: Reason = NO_CLAIM) -> Outcomes:
    """The share of the decided verdicts with a label, and how many were not decided.

    Failed when there are verdicts and all of them failed.
    """
    if not verdicts:
        return NotApplicable(empty)
    there = judged(verdicts)
    if not there:
        return Failed(lost(verdicts))
    known = decided(there)
    return (Ratio(sum([verdict.label == label for verdict in known]), len(known), undecided(there)),)
