"""What a set of finance detectors offers.

Every set gives evidence in the same form, so every metric formula is shared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from turnmark.schemas.evidence import Evidence
from turnmark.schemas.trace import ComplianceTrace, DialogTrace
from turnmark.schemas.turn_eval import ResolvedKey


class MemorySources(NamedTuple):
    """The three texts in which memory can hold a key; ``short_term_field`` names the one the window was taken from."""

    short_term: str
    long_term: Sequence[str]
    profile: str
    short_term_field: str = "recall.short_term_context"


class PredictedProfile(NamedTuple):
    """What an assistant took the user to be, in canonical values (None: it did not show)."""

    risk: str | None
    horizon: str | None
    liquidity: str | None
    constraints: frozenset[str]
    preferences: frozenset[str]


class TrueProfile(NamedTuple):
    """The ground truth in the same canonical values."""

    risk: str | None
    horizon: str | None
    liquidity: str | None
    constraints: frozenset[str]
    preferences: frozenset[str]


class FinanceDetectors(Protocol):
    """One set of detectors. Methods are pure; evidence lacks only the ids of its turn, which the pipeline adds."""

    name: str
    version: str
    packs: dict[str, str]

    def canonical_tag(self, required: str) -> str:
        """The canonical name of a required risk tag."""
        ...

    def memory(self, key: ResolvedKey, sources: MemorySources) -> list[Evidence]:
        """Where memory held the key: one piece of evidence a source (label: the key)."""
        ...

    def constraints(self, reply: str, constraints: Sequence[str]) -> list[Evidence]:
        """Where the reply breaks a constraint (label: the constraint, polarity violates)."""
        ...

    def risk(self, reply: str) -> list[Evidence]:
        """The risks that the reply discloses (label: canonical tag)."""
        ...

    def compliance(self, reply: str, forbidden: Sequence[str], observed: ComplianceTrace | None) -> list[Evidence]:
        """What makes the turn a violation (polarity severe or minor); forbidden content has rule ``…forbidden``."""
        ...

    def rubric(self, reply: str, required: Sequence[str]) -> list[Evidence]:
        """The required elements of explanation that are present (label: the element)."""
        ...

    def profile(self, dialog: DialogTrace) -> tuple[PredictedProfile, TrueProfile, list[Evidence]]:
        """What the assistant took the user to be over the dialogue, beside the ground truth."""
        ...
