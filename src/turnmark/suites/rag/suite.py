"""The suite ``rag``: cases or recorded turns, marked by a judge."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from turnmark.detectors.reply_state import ReplyStates
from turnmark.errors import UsageError
from turnmark.judges.catalog import judge_of_packs
from turnmark.judges.protocol import signature_parts
from turnmark.judges.recorded import RecordedJudge
from turnmark.metrics.rag import METRICS
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.jsonl import Line
from turnmark.schemas.judging.cases import EvalCase
from turnmark.schemas.marks import FaultKind
from turnmark.schemas.problems import Problem, readable
from turnmark.schemas.reasons import Reason
from turnmark.schemas.results.summary import Deciders
from turnmark.schemas.trace import TRACE_VERSION, DialogTrace, TurnTrace
from turnmark.schemas.turn_eval import ReplyState
from turnmark.stats.tally import Failed, Outcomes
from turnmark.suites.protocol import Evaluated, SuiteSettings
from turnmark.suites.rag.case import evaluate_case
from turnmark.suites.rag.deciders import count_deciders
from turnmark.suites.rag.read_cases import EarlierFacts, TurnCase, case_of_turn, numbered_cases
from turnmark.suites.recorded import refuse_other_support
from turnmark.suites.traces import holds_dialogues, line_of, trace_lines
from turnmark.suites.turns import MarkedDialog

RECORDS = "cases.jsonl"
NOT_ASKED = Reason("not_asked")


class RagSuite:
    """Six metrics of retrieval and answer, abstention and ranking, by a judge that needs no network.

    A case becomes a dialogue of one turn; each turn of a recorded dialogue becomes a case. A pack is a file of weights
    that ``turnmark calibrate`` wrote, with ``judged`` the judgements that ``turnmark judge`` wrote, with ``embedding``
    and ``nli`` the folder of a model.
    """

    records: str | None = RECORDS

    def __init__(self, settings: SuiteSettings) -> None:
        self._judge = judge_of_packs(settings.detect, settings.packs)
        if isinstance(self._judge, RecordedJudge) and self._judge.rubric:
            message = f"{settings.packs[0]}: expected verdicts, found grades by a rubric; suite rag does not count them"
            raise UsageError(message)
        if isinstance(self._judge, RecordedJudge):
            refuse_other_support(self._judge, earlier_turns=settings.earlier_turns)
        self._earlier_turns = settings.earlier_turns
        self._columns = settings.columns
        self._form = settings.source_format
        self._metrics = METRICS
        self._names = tuple(metric.name for metric in self._metrics)
        self._in_turn = isinstance(self._judge, RecordedJudge) and self._judge.in_turn
        self._asked = self._judge.metrics if isinstance(self._judge, RecordedJudge) else None
        versions, packs = signature_parts(self._judge, "rag")
        self.versions: Mapping[str, str] = versions
        self.packs: Mapping[str, str] = packs

    def lines(self, path: Path) -> Iterator[Line | Problem]:
        """Cases as lines of trace v1; a trace as it is."""
        return case_lines(path, self._columns, self._form)

    def evaluate(self, dialog: DialogTrace) -> Evaluated:
        """Every turn of a dialogue as a case."""
        marked = MarkedDialog("rag", self._metrics, dialog)
        records: list[bytes] = []
        states = ReplyStates(dialog.language)
        deciders: dict[str, Deciders] = {}
        for turn, made in dialog_cases(dialog, earlier_turns=self._earlier_turns):
            pieces: list[Evidence] = []
            state = self._state(turn, made.case, states, pieces)
            outcomes = self._outcomes(made, pieces)
            marked.add(turn, state, outcomes, pieces, _flags(pieces))
            records.append(msgspec.json.encode(made.case))
            if self._in_turn:
                count_deciders(made.case.results, deciders)
        return marked.evaluated(records, deciders)

    def _outcomes(self, made: TurnCase, found: list[Evidence]) -> dict[str, Outcomes]:
        """What a case gives for each metric; its results go into the case, the evidence into ``found``."""
        try:
            result = evaluate_case(made.case, self._judge, self._asked)
        except Exception as error:  # noqa: BLE001 - the row boundary: one turn fails, nothing else
            return dict.fromkeys(self._names, Failed(Reason.error(error)))
        made.case.results = result.results
        for piece in result.evidence:
            piece.source = made.names.get(piece.source, piece.source)
        found += result.evidence
        return {name: result.outcomes.get(name, Failed(NOT_ASKED)) for name in self._names}

    @staticmethod
    def _state(turn: TurnTrace, case: EvalCase, states: ReplyStates, found: list[Evidence]) -> ReplyState:
        """The state of the answer. Declining to answer is an outcome of its own here, and no answer is no reply."""
        if case.answer is None:
            return "normal"
        judged = states.judge(case.question, case.answer, cut_off=turn.cut_off)
        if judged.state == "refusal":
            return "normal"
        if judged.evidence:
            found.append(judged.evidence)
        return judged.state


def _flags(pieces: Iterable[Evidence]) -> list[FaultKind]:
    """Whether what the answer says is contradicted, by the contexts or by the reference."""
    wrong = any(piece.source == "reply" and piece.polarity == "contradicted" for piece in pieces)
    return ["contradiction"] if wrong else []


def case_lines(
    path: Path, columns: Mapping[str, str] | None = None, form: str | None = None
) -> Iterator[Line | Problem]:
    """Cases as lines of trace v1; a trace as it is. A file is a trace when its first line holds turns."""
    if holds_dialogues(path, form):
        yield from trace_lines(path, form)
        return
    position = 0
    for number, case in numbered_cases(path, columns, form):
        if isinstance(case, Problem):
            position += case.severity == "error"
            yield case
        else:
            position += 1
            yield line_of(_trace_of(case, position, path.stem), readable(path), number)


def dialog_cases(dialog: DialogTrace, *, earlier_turns: bool = False) -> Iterator[tuple[TurnTrace, TurnCase]]:
    """The turns of a dialogue, each with the case that it was made from, else with itself as a case.

    With ``earlier_turns`` what earlier turns were told supports an answer too; see `EarlierFacts`.
    """
    earlier = EarlierFacts()
    for turn in dialog.turns or () if dialog.valid_dialog else ():
        made = case_of_turn(turn, earlier.texts, dialog.language)
        if isinstance(turn.source_record, EvalCase | dict):
            case = msgspec.convert(turn.source_record, EvalCase)
            told = [*case.earlier_turns, *made.case.earlier_turns]
            made = made._replace(case=msgspec.structs.replace(case, earlier_turns=told))
        else:
            made.case.id = f"{dialog.dialog_id}:{turn.turn_pair_id}"
        yield turn, made
        if earlier_turns:
            earlier.add(turn)


def _trace_of(case: EvalCase, number: int, run_id: str) -> dict[str, Any]:
    """The case as a dialogue of one turn; the case itself goes with it as it was."""
    contexts = case.retrieved_contexts
    turn: dict[str, Any] = {
        "turn_pair_id": 1,
        "user_turn_abs_idx": 0,
        "gt_assistant_abs_idx": 1,
        "user_text": case.question,
        "gt_assistant_text": case.ground_truth_answer or "",
        "gt_turn_tags": None,
        "turn_status": "ok",
        "pred_assistant_text": case.answer,
        "recall": None if contexts is None else {
            "items": [{"rank": rank, "content": text} for rank, text in zip(itertools.count(1), contexts)]
        },
        "ground_truth_contexts": case.ground_truth_contexts,
        "source_record": msgspec.structs.replace(case, results={}),
    }  # fmt: skip
    if case.finish_reason is not None:
        turn["replay"] = {"finish_reason": case.finish_reason}
    return {
        "trace_version": TRACE_VERSION,
        "run_id": run_id,
        "dialog_id": case.id or f"case-{number:05d}",
        "dataset_index": number - 1,
        "language": case.lang,
        "dialog_status": "ok",
        "valid_dialog": True,
        "turns": [turn],
    }
