"""What a page needs, as plain records. The pipeline gathers them from a run folder; pages only show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from turnmark.schemas.evidence import Evidence
from turnmark.schemas.labels.overrides import Override
from turnmark.schemas.marked_turn import Row
from turnmark.schemas.marks import FaultKind
from turnmark.schemas.problems import Problem
from turnmark.schemas.reasons import Reason
from turnmark.schemas.results.summary import EvalSummary
from turnmark.stats.by_turn import TurnSums


class Fault(NamedTuple):
    """One thing that is wrong with a turn, and the names that say exactly what (tags, keys, phrases, a state).

    ``failures`` are the metrics that failed, each with the reason.
    """

    kind: FaultKind
    details: tuple[str, ...] = ()
    failures: tuple[tuple[str, Reason], ...] = ()


class OverrideView(NamedTuple):
    """A reviewer's mark beside the raw one, which is None where the row and the evidence say nothing of it."""

    override: Override
    raw: bool | str | None = None

    @property
    def differs(self) -> bool:
        """Whether the reviewer disagrees with a raw mark that is known."""
        return self.raw is not None and self.raw != self.override.marked


class RuleSource(NamedTuple):
    """Where a rule comes from: its pack, and the regulation or guideline it follows (empty where none is named).

    ``as_scored`` is False when the pack at hand is not the one in the signature of the run.
    """

    pack: str
    version: str
    source: str = ""
    jurisdiction: str = ""
    as_scored: bool = True


def spoken_rule(rule: str, language: str) -> str:
    """The key under which the source of a rule stands for replies of a language."""
    return f"{language} {rule}"


class DialogLink(NamedTuple):
    """A dialogue with a page of its own: its place in the run, and how many of its turns are flagged.

    ``is_open``: whether something in it was not decided.
    """

    number: int
    href: str
    dialog_id: str
    turns: int
    flagged: int
    gravest: FaultKind | None
    is_open: bool = False


class LinkedPages(NamedTuple):
    """Dialogues with pages of their own, in the order of the run; figures of single turns in ten bars each."""

    links: Sequence[DialogLink]
    turn_bars: Mapping[str, Sequence[int]]


class TurnView(NamedTuple):
    """One turn as it is shown to a reviewer. ``reasons`` come gravest first.

    ``reply``, ``user_text``, ``contexts`` (what was retrieved) and ``reference`` (the answer that was expected, "" for
    none) are the original texts, so that the offsets of ``evidence`` hold. ``in_trace`` is False
    when the trace does not hold the turn; the texts are empty then. ``possible`` is what is only likely: it stands in
    no list but its own.
    """

    dialog_id: str
    turn_pair_id: int
    user_text: str
    reply: str
    row: Row
    evidence: Sequence[Evidence]
    reasons: Sequence[Fault]
    scenario: str = ""
    difficulty: str = ""
    language: str = ""
    error: str = ""
    contexts: Sequence[str] = ()
    reference: str = ""
    in_trace: bool = True
    overrides: Sequence[OverrideView] = ()
    possible: Sequence[Evidence] = ()


class ReportData(NamedTuple):
    """Everything on the page of one run.

    ``problems`` are the first ``len(problems)`` of ``problem_count`` problems of the input. ``rules`` holds the source
    of every rule that is shown, by `spoken_rule`; ``pages`` is None when no linked pages were written.
    ``override_problems`` are the lines of overrides.jsonl that could not be used. ``turns`` holds the figures by turn
    number and the reasons of what has no figure; None when the rows are not at hand. ``altered`` names files of the run
    that are not as scoring left them.
    """

    summary: EvalSummary
    manifest: Mapping[str, object] | None = None
    problems: Sequence[Problem] = ()
    problem_count: int = 0
    worst: Sequence[TurnView] = ()
    rules: Mapping[str, RuleSource] = {}
    pages: LinkedPages | None = None
    overrides: Sequence[OverrideView] = ()
    override_problems: Sequence[Problem] = ()
    masked: bool = False
    turns: TurnSums | None = None
    altered: Sequence[str] = ()


class DialogData(NamedTuple):
    """Everything on the page of one dialogue; ``before`` and ``after`` are the files of its neighbours."""

    run_id: str
    link: DialogLink
    views: Sequence[TurnView]
    rules: Mapping[str, RuleSource] = {}
    before: str = ""
    after: str = ""
    masked: bool = False
