"""What a set of finance detectors offers.

Every set gives evidence in the same form, so every metric formula is shared.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from turnmark.schemas.evidence import Evidence
from turnmark.schemas.trace import ComplianceLabel, ComplianceTrace, DialogTrace, ProfileGroundTruth
from turnmark.schemas.turn_eval import ResolvedKey

if TYPE_CHECKING:
    from turnmark.language.analysis import Analysis


Found = TypeVar("Found")


class Reading:
    """One reply as detectors read it, with what it answers. The analysis is made once, when it is first asked for."""

    def __init__(self, reply: str, user_text: str = "", profile: ProfileGroundTruth | None = None) -> None:
        self.reply = reply
        self.user_text = user_text
        self.profile = profile
        self._once: dict[Callable[[str], Any], Any] = {}

    def once(self, find: Callable[[str], Found]) -> Found:
        """What a finder makes of the reply; it is asked once."""
        if find not in self._once:
            self._once[find] = find(self.reply)
        results: Found = self._once[find]
        return results

    @functools.cached_property
    def analysis(self) -> Analysis:
        """Folded text, sentences, clauses, quantities and scope of the reply."""
        from turnmark.language.analysis import analyse  # noqa: PLC0415 - literal detectors need no analysis

        return analyse(self.reply)

    @functools.cached_property
    def user_analysis(self) -> Analysis:
        """The same of the user's text."""
        from turnmark.language.analysis import analyse  # noqa: PLC0415 - as above

        return analyse(self.user_text)


class MemoryTexts:
    """The texts of memory of one dialogue, each analysed once however many turns and keys ask for it."""

    def __init__(self) -> None:
        self._kept: dict[str, Analysis] = {}
        self._window: Analysis | None = None

    def kept(self, text: str) -> Analysis:
        """The analysis of a text that memory holds from turn to turn: an item, the profile."""
        from turnmark.language.analysis import analyse  # noqa: PLC0415 - as above

        result = self._kept.get(text)
        if result is None:
            result = self._kept[text] = analyse(text)
        return result

    def window(self, text: str) -> Analysis:
        """The analysis of the window of a turn; the next turn has another one."""
        from turnmark.language.analysis import analyse  # noqa: PLC0415 - as above

        if self._window is None or self._window.text != text:
            self._window = analyse(text)
        return self._window


class MemorySources(NamedTuple):
    """The three texts in which memory can hold a key; ``short_term_field`` names the one the window was taken from.

    ``texts`` are those of the dialogue, where several turns share them.
    """

    short_term: str
    long_term: Sequence[str]
    profile: str
    short_term_field: str = "recall.short_term_context"
    texts: MemoryTexts | None = None


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

    unlabelled: ComplianceLabel | None
    """The ground-truth label of turns that have none: None, or what the first runs took them for."""

    silence_is_wrong: bool
    """Whether a profile field of which nothing was recorded counts as wrong, as in the first runs, or not at all."""

    apart: bool
    """Whether what the assistant's own check reported is kept apart from what the reply's words say."""

    def canonical_tag(self, required: str) -> str:
        """The canonical name of a required risk tag."""
        ...

    def memory(self, key: ResolvedKey, sources: MemorySources) -> list[Evidence]:
        """Where memory held the key: one piece of evidence a source (label: the key)."""
        ...

    def constraints(self, reading: Reading, constraints: Sequence[str]) -> list[Evidence]:
        """Where the reply breaks or honours a constraint (label: the constraint, polarity violates or respects)."""
        ...

    def unread(self, constraint: str) -> str | None:
        """What is understood of a constraint that replies are not held to ("": nothing); None where they are."""
        ...

    def is_limit(self, sentence: str) -> bool:
        """Whether a sentence of a user sets a limit that replies could be held to, were it among the constraints."""
        ...

    def risk(self, reading: Reading, required: Sequence[str] = ()) -> list[Evidence]:
        """The risks that the reply discloses (label: canonical tag); ``required`` as the ground truth writes them."""
        ...

    def compliance(
        self,
        reading: Reading,
        forbidden: Sequence[str],
        observed: ComplianceTrace | None,
        disclosed: Sequence[Evidence] | None = None,
        limits: Sequence[Evidence] = (),
    ) -> list[Evidence]:
        """What makes the turn a violation (polarity severe or minor); forbidden content has rule ``…forbidden``.

        ``disclosed`` is what `risk` gave for the reply, where that is at hand, ``limits`` what `constraints` gave.
        """
        ...

    def events(self, observed: ComplianceTrace | None) -> list[Evidence] | None:
        """What the assistant's own check reported of the turn; None when it reported nothing at all."""
        ...

    def rubric(self, reading: Reading, required: Sequence[str]) -> list[Evidence]:
        """The required elements of explanation that are present (label: the element)."""
        ...

    def keys_used(self, reading: Reading, keys: Sequence[ResolvedKey]) -> list[Evidence]:
        """Where the reply really uses what a required key stands for (label: the key)."""
        ...

    def profile(self, dialog: DialogTrace) -> tuple[PredictedProfile, TrueProfile, list[Evidence]]:
        """What the assistant took the user to be over the dialogue, beside the ground truth."""
        ...
