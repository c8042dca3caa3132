"""The suites: what each makes of a dialogue. Reading, counting, writing and showing are the same for all.

A suite joins by one class that offers `Suite`, one line in `SUITES`, and its metrics in `turnmark.metrics.catalog`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from turnmark.detectors.finance.sets import DEFAULT, DETECTOR_SETS, finance_detectors
from turnmark.errors import UsageError
from turnmark.metrics.finance import profile_accuracy
from turnmark.metrics.finance.compliance_columns import LabelBy
from turnmark.packs.loading import read
from turnmark.packs.rules import RulePack
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.jsonl import Line, read_lines
from turnmark.schemas.marked_turn import MarkedTurn, Row
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import DialogTrace
from turnmark.schemas.turn_eval import TurnEvalRow
from turnmark.stats.tally import Outcomes
from turnmark.suites.finance.dialogue import Grades, Settings, evaluate_dialog, profile_outcomes
from turnmark.suites.finance.known_names import known_names, unknown_names

JUDGED = "judged"
"""The name under which every suite takes from recorded judgements what a model was asked (``turnmark judge``)."""


class Evaluated(NamedTuple):
    """What a suite makes of one dialogue.

    ``rows`` and ``evidence`` in the order of the turns; ``dialog`` maps metrics whose unit is the dialogue to what it
    gives; ``records`` are lines for the suite's own file of results, where it has one.
    """

    rows: Sequence[Row]
    evidence: Sequence[Evidence]
    dialog: Mapping[str, Outcomes] = {}
    records: Sequence[bytes] = ()


class SuiteSettings(NamedTuple):
    """What may shape the marks of a suite; ``detect`` is a name among those the suite offers.

    With ``earlier_turns`` what earlier turns were told supports an answer too (rag, and its metrics in clinical);
    ``compliance_by`` says what M4's label goes by (finance).
    """

    detect: str
    packs: tuple[Path, ...] = ()
    ignore_memory_keys: bool = False
    run_id: str | None = None
    earlier_turns: bool = False
    compliance_by: LabelBy = "words"


class Suite(Protocol):
    """Detectors and metrics of one domain at work on dialogues.

    ``versions`` and ``packs`` enter the signature of the figures. ``records`` names the suite's own file of results in
    the run folder; None where it has none.
    """

    versions: Mapping[str, str]
    packs: Mapping[str, str]
    records: str | None

    def lines(self, path: Path) -> Iterator[Line | Problem]:
        """The input as lines of trace v1; a suite whose users have other files converts them here."""

    def evaluate(self, dialog: DialogTrace) -> Evaluated:
        """Mark one dialogue. A turn that cannot be marked says so in its row; nothing is raised."""


class FinanceSuite:
    """M1 to M5 and the use of memory, by a set of finance detectors.

    With ``judged``, M5's judge score is that of the recorded grades among the packs; all else is ``calibrated``.
    """

    records: str | None = None

    def __init__(self, settings: SuiteSettings) -> None:
        graded = _graded(settings.packs) if settings.detect == JUDGED else _Graded(None, {}, {}, settings.packs)
        detect = DEFAULT if settings.detect == JUDGED else settings.detect
        self._detectors = finance_detectors(detect, graded.others)
        self._settings = Settings(
            settings.ignore_memory_keys, run_id=settings.run_id, grades=graded.grades, label_by=settings.compliance_by
        )
        self._run_id = settings.run_id
        # The first published runs know no such warning: ``literal`` repeats them.
        literal = self._detectors.name == "literal"
        self._known = None if literal else known_names([read(path, RulePack)[0] for path in graded.others])
        detectors = {f"finance.{self._detectors.name}": self._detectors.version}
        self.versions: Mapping[str, str] = {**detectors, **graded.versions}
        self.packs: Mapping[str, str] = {**self._detectors.packs, **graded.packs}

    def lines(self, path: Path) -> Iterator[Line | Problem]:
        """The lines of the trace as they are."""
        return read_lines(path)

    def doubts(self, dialog: DialogTrace, line: Line) -> list[Problem]:
        """Warnings about names of the ground truth that nothing knows."""
        if self._known is None:
            return []
        tags = ((f"$.turns[{place}].gt_turn_tags", turn.gt_turn_tags) for place, turn in enumerate(dialog.turns or ()))
        return list(unknown_names(tags, line, self._known))

    def evaluate(self, dialog: DialogTrace) -> Evaluated:
        """Rows and evidence of the turns, and M2 of the dialogue."""
        rows, evidence = evaluate_dialog(dialog, self._detectors, self._settings)
        outcomes, profile_evidence = profile_outcomes(dialog, self._detectors)
        for piece in profile_evidence:
            piece.run_id = self._run_id or dialog.run_id
            piece.dialog_id = dialog.dialog_id
        return Evaluated(rows, [*evidence, *profile_evidence], {profile_accuracy.METRIC.name: outcomes})


class _Graded(NamedTuple):
    """Recorded grades, what they add to the signature, and the packs that are none."""

    grades: Grades | None
    versions: Mapping[str, str]
    packs: Mapping[str, str]
    others: tuple[Path, ...]


def _graded(packs: tuple[Path, ...]) -> _Graded:
    """The grades among the packs. Raises: UsageError when there are none, or those of another suite."""
    from turnmark.suites.rag.case import signature_parts  # noqa: PLC0415 - as above
    from turnmark.suites.recorded import recorded  # noqa: PLC0415 - judges load only when asked for

    judge, others = recorded(packs, "finance")
    low, high = (float(judge.rubric.get(name, end)) for name, end in (("low", 1), ("high", 5)))
    return _Graded(Grades(judge.grade, low, high, f"judge.{judge.name}"), *signature_parts(judge, "judge"), others)


class SuiteEntry(NamedTuple):
    """A suite by name: how it is made, the detector sets that ``--detect`` may name (default first), its row.

    ``by`` are the fields of a dialogue that figures are broken down by unasked; ``earlier_turns`` says whether facts of
    earlier turns may count as support.
    """

    make: Callable[[SuiteSettings], Suite]
    detect: tuple[str, ...]
    row: type[Row]
    by: tuple[str, ...] = ("language", "system")
    earlier_turns: bool = True


def _rag(settings: SuiteSettings) -> Suite:
    from turnmark.suites.rag.suite import RagSuite  # noqa: PLC0415 - its judge loads only when asked for

    return RagSuite(settings)


def _clinical(settings: SuiteSettings) -> Suite:
    from turnmark.suites.clinical.suite import ClinicalSuite  # noqa: PLC0415 - its terminology loads when asked for

    return ClinicalSuite(settings)


SUITES: Mapping[str, SuiteEntry] = {
    "finance": SuiteEntry(
        FinanceSuite,
        (DEFAULT, *(name for name in DETECTOR_SETS if name != DEFAULT), JUDGED),
        TurnEvalRow,
        by=("scenario_type", "difficulty"),
        earlier_turns=False,
    ),
    "clinical": SuiteEntry(_clinical, ("calibrated", JUDGED), MarkedTurn),
    "rag": SuiteEntry(_rag, ("rules", JUDGED, "embedding", "nli"), MarkedTurn),
}


def suite_entry(name: str) -> SuiteEntry:
    """A suite by name. Raises: UsageError naming the suites that exist."""
    if name not in SUITES:
        message = f"--suite: expected one of {sorted(SUITES)}, found {name!r}"
        raise UsageError(message)
    return SUITES[name]


def detect_name(suite: str, detect: str | None) -> str:
    """The detector set that is meant. Raises: UsageError when the suite has no such set."""
    offered = suite_entry(suite).detect
    if detect not in {None, *offered}:
        message = f"--detect: expected one of {sorted(offered)}, found {detect!r}"
        raise UsageError(message)
    return detect or offered[0]


def make_suite(name: str, settings: SuiteSettings) -> Suite:
    """A suite with its detectors and the user's packs.

    Raises: UsageError for a suite or a detector set that there is not; PackError when a pack is wrong.
    """
    entry = suite_entry(name)
    detect_name(name, settings.detect)
    if settings.earlier_turns and not entry.earlier_turns:
        able = ", ".join(sorted(other for other, its in SUITES.items() if its.earlier_turns))
        message = f"--earlier-turns: says nothing about suite {name}, only about {able}; leave it out"
        raise UsageError(message)
    return entry.make(settings)
