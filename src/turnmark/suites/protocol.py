"""What a suite is: what it says of itself (`SuiteDefinition`), and what it does with dialogues (`Suite`).

A definition is light: what it takes to mark, label, judge or plant errors is named as ``module:attribute``, in the
notation of entry points, and loads when it is first asked for.
"""

from __future__ import annotations

import functools
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from turnmark.detectors.names import current_set
from turnmark.errors import UsageError
from turnmark.metrics.definition import Metric
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.jsonl import Line
from turnmark.schemas.marked_turn import MarkedTurn, Row
from turnmark.schemas.problems import Problem
from turnmark.schemas.results.summary import Deciders
from turnmark.schemas.trace import DialogTrace
from turnmark.schemas.turn_eval import LabelBy
from turnmark.stats.tally import Outcomes

if TYPE_CHECKING:
    from turnmark.replay.inputs import Kind
    from turnmark.report.view.data import RuleSource
    from turnmark.suites.judging import Judging
    from turnmark.suites.known_names import Doubt, UnreadDoubt
    from turnmark.suites.labelling.agreement import Labels
    from turnmark.suites.planting.material import Perturbation

JUDGED = "judged"
"""The name under which every suite takes from recorded judgements what a model was asked (``turnmark judge``)."""


class Evaluated(NamedTuple):
    """What a suite makes of one dialogue.

    ``rows`` and ``evidence`` in the order of the turns; ``dialog`` maps metrics whose unit is the dialogue to what it
    gives; ``records`` are lines for the suite's own file of results, where it has one; ``doubts`` are names that a
    dialogue asks for and nothing knows; ``outcomes`` are those that each row counts for, by metric, of which its marks
    were written (`turnmark.suites.turns.MarkedDialog` does both). Without them the rows are counted.
    ``deciders`` counts verdicts by metric and judge, where several judges shared the work; ``unread`` are constraints
    of the dialogue's user that no rule reads.
    """

    rows: Sequence[Row]
    evidence: Sequence[Evidence]
    dialog: Mapping[str, Outcomes] = {}
    records: Sequence[bytes] = ()
    doubts: Sequence[Doubt] = ()
    outcomes: Sequence[Mapping[str, Outcomes]] = ()
    deciders: Mapping[str, Deciders] = {}
    unread: Sequence[UnreadDoubt] = ()


SHIPPED_MODEL = "shipped"
"""How `SuiteSettings.possible` names the model that ships."""


class SuiteSettings(NamedTuple):
    """What may shape the marks of a suite; ``detect`` is a name among those the suite offers.

    With ``earlier_turns`` what earlier turns were told supports an answer too, where the suite counts that.
    ``compliance_by`` says what a label of compliance goes by: the reply's words, the assistant's own check, or either.
    ``columns`` maps fields to the user's own names for them, where the suite reads tables; ``source_format`` is the
    format of the input (`turnmark.readers.registry`), None where each file tells. ``possible`` names the learned model
    that says what else a reviewer should look at (`SHIPPED_MODEL` or a file); None for none.
    """

    detect: str
    packs: tuple[Path, ...] = ()
    ignore_memory_keys: bool = False
    earlier_turns: bool = False
    compliance_by: LabelBy = "words"
    columns: Mapping[str, str] = {}
    source_format: str | None = None
    possible: str | None = None


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


class FileKind(NamedTuple):
    """One kind of file.

    ``name`` is what ``turnmark check`` calls it. A JSON line is of the kind when it has all fields of one of
    ``fields`` at its top level; a file also by its ``suffixes``. ``check`` appends what is wrong with a file to the
    list and returns the number of records. ``advice`` says where such a file belongs (``{verb}`` is what the user
    wanted), "" where there is no other place for it. ``scored``: its suite scores such files as they are. ``named``
    gives the suite's own names for those in a line, where users may write others.
    """

    name: str
    fields: tuple[frozenset[str], ...] = ()
    check: Callable[[Path, list[Problem]], int] | None = None
    advice: str = ""
    suffixes: tuple[str, ...] = ()
    scored: bool = False
    named: Callable[[frozenset[str]], frozenset[str]] = frozenset


class Plants(NamedTuple):
    """What the self-test does to the dialogues of a suite: errors and controls, in the order of reports.

    ``untested`` are the measures for which no error is planted, and why; ``not_planted`` errors of a kind that no
    measure looks at, and why.
    """

    perturbations: tuple[Perturbation, ...]
    untested: Mapping[str, str] = {}
    not_planted: Mapping[str, str] = {}


class Rules(NamedTuple):
    """Where the rules behind a suite's evidence come from.

    ``detectors`` maps metrics to the detector whose packs hold their rules; ``shared`` are detectors whose rules serve
    several metrics, and begin with the detector's name. ``other`` finds the source of rules that stand in no rule pack:
    it is given the rule without its version, the metric, and what says of a pack (name, version, digest) whether it is
    the one of the scoring. ``packs``: whether the user's packs are rules.
    """

    detectors: Mapping[str, str] = {}
    shared: tuple[str, ...] = ()
    other: Callable[[str, str, Callable[[str, str, str], bool]], RuleSource | None] | None = None
    packs: bool = False


_resolved = functools.cache(pkgutil.resolve_name)


class SuiteDefinition(msgspec.Struct, kw_only=True, frozen=True):
    """All that the rest of turnmark asks about a suite. Texts of the form ``module:attribute`` load on first use.

    ``suite`` is the class that offers `Suite`, made with `SuiteSettings`. ``detect`` are the detector sets that
    ``--detect`` may name, the default first; ``metrics`` in the order of reports, those that join from another suite
    too; ``row`` what ``turn_eval.jsonl`` holds (a row of another form than `MarkedTurn` may stand in a file without its
    marks: ``complete`` gives it those that its columns amount to); ``by`` the fields of a dialogue that figures are
    broken down by unasked; ``earlier_turns`` whether facts of earlier turns may count as support; ``possible`` whether
    a learned model says what else to look at.

    Optional: ``kinds`` (a tuple of `FileKind`) says how its own files are told and checked, ``check_pack`` (``(path,
    bytes, fields) -> problems, or None for a pack that is not its own``) what is wrong with its rules, ``played`` (a
    `turnmark.replay.inputs.Kind`) what is played to an agent, ``unread`` (``(packs, constraint) -> str or None``) what
    is understood of a constraint that its rules do not hold replies to (None: they do), ``labels`` (`Labels`) what
    ``turnmark agree`` compares, ``judging`` (`Judging`) what ``turnmark judge`` asks a model, ``plants`` (`Plants`)
    what ``turnmark selftest`` plants, ``rules`` (`Rules`) where its rules come from. ``locale`` is the folder of a
    package's own catalogues of
    texts (`turnmark.locale.texts.add_catalogues`); the words of the shipped suites stand in those of turnmark.
    ``examples`` are inputs among those that ship: what several systems did with the same dialogues, or one file.
    ``help`` is what help pages say of it, by verb (``agree``) or by verb and option (``score --pack``).
    """

    name: str
    suite: str
    detect: tuple[str, ...]
    metrics: tuple[Metric, ...]
    row: type[Row] = MarkedTurn
    complete: str | None = None
    by: tuple[str, ...] = ("language", "system")
    earlier_turns: bool = False
    possible: bool = False
    kinds: str | None = None
    check_pack: str | None = None
    played: str | None = None
    unread: str | None = None
    labels: str | None = None
    judging: str | None = None
    plants: str | None = None
    rules: str | None = None
    locale: Path | None = None
    examples: tuple[str, ...] = ()
    help: Mapping[str, str] = {}

    def detect_name(self, detect: str | None) -> str:
        """The detector set that is meant. Raises: UsageError when the suite has no such set."""
        detect = detect and current_set(detect)
        if detect not in {None, *self.detect}:
            message = f"--detect: expected one of {sorted(self.detect)}, found {detect!r}"
            raise UsageError(message)
        return detect or self.detect[0]

    def make(self, settings: SuiteSettings) -> Suite:
        """The suite with its detectors and the user's packs.

        Raises: UsageError for a detector set that there is not; PackError when a pack is wrong.
        """
        self.detect_name(settings.detect)
        made: Suite = self.part("suite")(settings)
        return made

    def completed(self, row: Row, outcomes: Mapping[str, Outcomes] | None = None) -> Row:
        """The row with its marks, also where its file holds none; ``outcomes`` are what it counts for, where known."""
        if row.unmarked:
            self.part("complete")(row, outcomes)
        return row

    def file_kinds(self) -> tuple[FileKind, ...]:
        """The suite's own kinds of files; none where it reads traces only."""
        return self.part("kinds") or ()

    def pack_check(self) -> Callable[[Path, bytes, set[str]], list[Problem] | None] | None:
        """What says whether a pack is the suite's and what is wrong with it; None where it has no packs."""
        check: Callable[[Path, bytes, set[str]], list[Problem] | None] | None = self.part("check_pack")
        return check

    def unread_constraint(self) -> Callable[[tuple[Path, ...], str], str | None] | None:
        """What says of a constraint that no rule reads it; None where the suite holds replies to none."""
        read: Callable[[tuple[Path, ...], str], str | None] | None = self.part("unread")
        return read

    def played_kind(self) -> Kind:
        """What of this suite is played to an agent: dialogues of trace v1, where it says nothing else."""
        from turnmark.replay.inputs import DIALOGS  # noqa: PLC0415 - loads only when something is played

        return self.part("played") or DIALOGS

    def labelled(self) -> Labels:
        """What labels say of this suite. Raises: UsageError where it reads none."""
        labels: Labels = self._wanted("labels", "has no labels that turnmark agree could compare with")
        return labels

    def judged(self) -> Judging:
        """What a model is asked. Raises: UsageError where it is asked nothing."""
        judging: Judging = self._wanted("judging", "asks no model: there is nothing for turnmark judge")
        return judging

    def planted(self) -> Plants:
        """The errors of the self-test. Raises: UsageError where it plants none."""
        plants: Plants = self._wanted("plants", "plants no errors: turnmark selftest says nothing about it")
        return plants

    def rule_tables(self) -> Rules | None:
        """Where the rules of the suite come from; None where they have no source to show."""
        rules: Rules | None = self.part("rules")
        return rules

    def part(self, name: str) -> Any:
        """What a field of the form ``module:attribute`` names; None for an empty one.

        Raises: UsageError when there is no such module or attribute.
        """
        reference: str | None = getattr(self, name)
        if reference is None:
            return None
        try:
            return _resolved(reference)
        except (ImportError, AttributeError, ValueError) as error:
            message = f"suite {self.name}: its {name}, {reference!r}, cannot be loaded: {error}"
            raise UsageError(message) from error

    def _wanted(self, name: str, lack: str) -> Any:
        part = self.part(name)
        if part is None:
            message = f"--suite: suite {self.name} {lack}"
            raise UsageError(message)
        return part
