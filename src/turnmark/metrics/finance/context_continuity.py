r"""M1, context continuity: whether memory held what the turn needs, and the reply keeps to the user's constraints.

For a turn with resolvable required keys :math:`\tilde K` and :math:`h_k = 1` when any of the three memory sources
(short-term window, long-term recall, injected profile) holds the target of key *k*:

* ``key_coverage`` = Σ h / Σ \|K̃\| over turns (micro), mean of each dialogue's ratio (macro);
* ``strict_key_hit_rate`` = share of turns in which every resolvable key was held;
* ``contradiction_rate`` = share of turns whose reply contradicts a constraint (lower is better);
* ``short_term_hit_rate``, ``long_term_hit_rate``, ``profile_hit_rate`` = keys held by that source / Σ \|K̃\|;
* ``partial_key_rate``, ``conflicting_key_rate`` = keys of which memory held only a part, or another value than the
  target, / Σ \|K̃\|. Neither is a hit; the ``literal`` detectors cannot tell them and give 0.

Range 0 to 1. A turn is eligible when it ended ok and has at least one resolvable key; unresolvable keys leave every
denominator. No eligible turn: 0.0 with ``eligible_count`` 0. Source: metrics specification, section 3.1.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.metrics.definition import Measure, Metric, ineligible
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.reasons import Reason
from turnmark.schemas.turn_eval import KeyPresence, SourceHits, TurnEvalRow
from turnmark.stats.tally import Outcomes, Ratio

REASON = Reason("no_memory_key")

_STRONGEST_FIRST: tuple[KeyPresence, ...] = ("present", "conflicting", "partial")
MEMORY_SOURCES = ("short_term", "long_term", "profile")
_SOURCE_OF_FIELD = {"recall.short_term": "short_term", "recall.items": "long_term", "recall.profile": "profile"}


def sources_of(evidence: Sequence[Evidence]) -> list[str]:
    """The memory sources that held a key as it is, in the order in which they are searched."""
    held = {
        name
        for piece in evidence
        for field, name in _SOURCE_OF_FIELD.items()
        if piece.polarity == "present" and piece.source.startswith(field)
    }
    return [name for name in MEMORY_SOURCES if name in held]


def fill(row: TurnEvalRow, memory: Sequence[Sequence[Evidence]], constraints: Sequence[Evidence]) -> None:
    """Write the counts of M1 into a row. ``memory`` holds the evidence of each entry of ``row.resolved_keys``."""
    row.key_hit_sources = [sources_of(evidence) if evidence else [] for evidence in memory]
    row.key_hit_flags = [int(bool(held)) for held in row.key_hit_sources]
    row.key_presence = [_presence(evidence) for evidence in memory]
    hits = SourceHits()
    for held in row.key_hit_sources:
        hits.short_term += "short_term" in held
        hits.long_term += "long_term" in held
        hits.profile += "profile" in held
    row.m1_source_hits = hits
    row.constraint_contradiction = int(any(piece.polarity == "violates" for piece in constraints))


def _presence(evidence: Sequence[Evidence]) -> KeyPresence:
    if not evidence:
        return "absent"
    results = {piece.polarity for piece in evidence}
    return next((presence for presence in _STRONGEST_FIRST if presence in results), "absent")


def outcomes(row: TurnEvalRow) -> Outcomes:
    """What one turn gives for M1."""
    if not row.eligible_m1:
        return ineligible(row, METRIC.code, REASON)
    total = sum([key.resolvable for key in row.resolved_keys]) if row.resolved_keys else len(row.key_hit_flags)
    hits = sum(row.key_hit_flags)
    held = row.m1_source_hits
    return (
        Ratio(hits, total),
        Ratio(hits == total, 1),
        Ratio(row.constraint_contradiction, 1),
        Ratio(held.short_term, total),
        Ratio(held.long_term, total),
        Ratio(held.profile, total),
        Ratio(row.key_presence.count("partial"), total),
        Ratio(row.key_presence.count("conflicting"), total),
    )


METRIC = Metric(
    name="m1_context_continuity",
    code="M1",
    version="1.0.0",
    suite="finance",
    title="Context continuity",
    unit="turn",
    needs="memory and constraint evidence",
    score=outcomes,
    measures=(
        Measure("key_coverage", fault="memory"),
        Measure("strict_key_hit_rate"),
        Measure("contradiction_rate", upward=False, fault="contradiction"),
        Measure("short_term_hit_rate", in_macro=False),
        Measure("long_term_hit_rate", in_macro=False),
        Measure("profile_hit_rate", in_macro=False),
        Measure("partial_key_rate", upward=False, in_macro=False),
        Measure("conflicting_key_rate", upward=False, in_macro=False),
    ),
    totals={
        "required_key_total": ("key_coverage", "total"),
        "required_key_hit_total": ("key_coverage", "hits"),
        "short_term_hit_total": ("short_term_hit_rate", "hits"),
        "long_term_hit_total": ("long_term_hit_rate", "hits"),
        "profile_hit_total": ("profile_hit_rate", "hits"),
        "partial_key_total": ("partial_key_rate", "hits"),
        "conflicting_key_total": ("conflicting_key_rate", "hits"),
    },
    eligible_name="eligible_turns",
    source="metrics specification 3.1; trace schema v1, section 6",
    formerly=("context_continuity",),
    main=("key_coverage", "strict_key_hit_rate", "contradiction_rate"),
)
