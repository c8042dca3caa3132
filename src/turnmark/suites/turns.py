"""A suite that marks each turn by itself: what it shares with every other such suite, so that it needs no more code."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from turnmark.detectors.reply_state import ReplyStates
from turnmark.metrics.definition import Metric
from turnmark.metrics.marked import counted, marks_of
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.jsonl import Line
from turnmark.schemas.marked_turn import MarkedTurn
from turnmark.schemas.marks import FaultKind
from turnmark.schemas.problems import Problem
from turnmark.schemas.reasons import Reason
from turnmark.schemas.results.summary import Deciders
from turnmark.schemas.trace import TRACE_VERSION, DialogTrace, TurnTrace
from turnmark.schemas.turn_eval import ReplyState
from turnmark.stats.tally import Failed, Outcomes
from turnmark.suites.protocol import Evaluated
from turnmark.suites.traces import trace_lines


class TurnMarks(NamedTuple):
    """What a turn gives for each metric of the suite, and the words behind it (evidence without ids)."""

    outcomes: Mapping[str, Outcomes]
    evidence: Sequence[Evidence] = ()


class MarkedDialog:
    """The turns of one dialogue as they are marked: of each the row that is kept and the outcomes that are counted."""

    def __init__(self, suite: str, metrics: Sequence[Metric], dialog: DialogTrace) -> None:
        self._suite = suite
        self._metrics = metrics
        self._dialog = dialog
        self._rows: list[MarkedTurn] = []
        self._evidence: list[Evidence] = []
        self._outcomes: list[Mapping[str, Outcomes]] = []

    def add(
        self,
        turn: TurnTrace,
        state: ReplyState,
        outcomes: Mapping[str, Outcomes],
        evidence: Iterable[Evidence],
        flags: Sequence[FaultKind] = (),
    ) -> None:
        """Take what a turn gives for each metric, and the words behind it, to which the ids are added.

        ``flags`` are faults that no mark counts.
        """
        dialog = self._dialog
        self._rows.append(
            MarkedTurn(
                trace_version=TRACE_VERSION,
                suite=self._suite,
                run_id=dialog.run_id,
                dialog_id=dialog.dialog_id,
                turn_pair_id=turn.turn_pair_id,
                system=dialog.system or "",
                turn_status=turn.turn_status,
                reply_state=state,
                marks=marks_of(self._metrics, outcomes),
                written_flags=list(flags) or msgspec.UNSET,
            )
        )
        self._outcomes.append({name: counted(outcome, turn.turn_status) for name, outcome in outcomes.items()})
        for piece in evidence:
            piece.run_id, piece.dialog_id, piece.turn_pair_id = dialog.run_id, dialog.dialog_id, turn.turn_pair_id
            self._evidence.append(piece)

    def evaluated(self, records: Sequence[bytes] = (), deciders: Mapping[str, Deciders] | None = None) -> Evaluated:
        """Everything taken so far."""
        return Evaluated(self._rows, self._evidence, records=records, outcomes=self._outcomes, deciders=deciders or {})


class TurnSuite(ABC):
    """Offers `turnmark.suites.protocol.Suite`; a subclass marks one turn, and says which versions shape its marks.

    ``name`` and ``metrics`` are those of its definition. A turn whose marking raises is failed, with the reason; the
    others stand.
    """

    name: str
    metrics: tuple[Metric, ...]
    versions: Mapping[str, str]
    packs: Mapping[str, str] = {}
    records: str | None = None
    source_format: str | None = None
    """The format of the input, where the user said which: that of `SuiteSettings`, which a subclass keeps here."""

    @abstractmethod
    def mark(self, dialog: DialogTrace, turn: TurnTrace) -> TurnMarks:
        """What one turn gives. Turns that did not end ok are marked too, and count as failed whatever comes of it."""

    def lines(self, path: Path) -> Iterator[Line | Problem]:
        """The lines of the trace as they are."""
        return trace_lines(path, self.source_format)

    def evaluate(self, dialog: DialogTrace) -> Evaluated:
        """Rows and evidence of the turns of a valid dialogue."""
        marked = MarkedDialog(self.name, self.metrics, dialog)
        states = ReplyStates(dialog.language)
        for turn in dialog.turns or () if dialog.valid_dialog else ():
            judged = states.judge(turn.user_text, turn.pred_assistant_text, cut_off=turn.cut_off)
            result = self._marked(dialog, turn)
            evidence = [*([judged.evidence] if judged.evidence else []), *result.evidence]
            marked.add(turn, judged.state, result.outcomes, evidence)
        return marked.evaluated()

    def _marked(self, dialog: DialogTrace, turn: TurnTrace) -> TurnMarks:
        try:
            return self.mark(dialog, turn)
        except Exception as error:  # noqa: BLE001 - the row boundary: one turn fails, nothing else
            lost = Failed(Reason.error(error))
            return TurnMarks({metric.name: lost for metric in self.metrics})
