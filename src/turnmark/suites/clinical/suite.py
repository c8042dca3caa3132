"""The suite ``clinical``: recorded answers to patients, held against their records and the rules of safety."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from turnmark.detectors.clinical.conversation.history import History
from turnmark.detectors.reply_state import ReplyStates
from turnmark.errors import PackError
from turnmark.judges.protocol import signature_parts
from turnmark.judges.recorded import RecordedJudge
from turnmark.metrics.clinical import METRICS
from turnmark.schemas.clinical.contexts import contexts_problems
from turnmark.schemas.clinical.events import (
    EVENT_VERSION,
    EventRecord,
    events_to_traces,
    read_event,
    with_metrics,
)
from turnmark.schemas.jsonl import Line, Reader
from turnmark.schemas.problems import Problem
from turnmark.schemas.reasons import Reason
from turnmark.schemas.results.summary import Deciders
from turnmark.schemas.trace import DialogTrace, TurnTrace
from turnmark.stats.tally import Failed
from turnmark.suites.clinical.answer import ClinicalConfig, EventResult, evaluate_event, load_config
from turnmark.suites.clinical.definition import SUITE
from turnmark.suites.clinical.retrieval import evaluate_retrieval, judges_of
from turnmark.suites.clinical.review import reviewed
from turnmark.suites.protocol import JUDGED, Evaluated, SuiteSettings
from turnmark.suites.rag.deciders import count_deciders
from turnmark.suites.rag.read_cases import EarlierFacts
from turnmark.suites.recorded import recorded, refuse_other_support
from turnmark.suites.traces import holds_dialogues, line_of, trace_lines
from turnmark.suites.turns import MarkedDialog

RECORDS = "events.jsonl"
VERSION = "1.8.0"

_Key = tuple[str, str, str, int]
"""Run, mode, patient and turn of an event; no two events share it."""


class ClinicalSuite:
    """Slot factuality, safety, context use and consistency of answers to patients.

    Reads events (``events_record.v1``) or traces of them; ``events.jsonl`` of the run folder holds them again with
    their metrics. A pack is the folder of the user's rules and slots, with ``judged`` also the judgements of
    ``turnmark judge``. Where a turn has retrieved contexts, the metrics of the suite ``rag`` join.
    """

    records: str | None = RECORDS

    def __init__(self, settings: SuiteSettings) -> None:
        self._recorded: RecordedJudge | None = None
        packs = settings.packs
        if settings.detect == JUDGED:
            self._recorded, packs = recorded(packs, "clinical")
            refuse_other_support(self._recorded, earlier_turns=settings.earlier_turns)
        self._config = user_config(packs)
        self._judges = judges_of(self._recorded)
        self._earlier_turns = settings.earlier_turns
        self._form = settings.source_format
        self._metrics = SUITE.metrics
        versions, hashes = {f"clinical.{settings.detect}": VERSION}, dict(self._config.packs)
        named = {
            "judge": self._recorded,
            "rag": next((item for item, _ in self._judges if item is not self._recorded), None),
        }
        for prefix, judge in named.items():
            if judge is not None:
                more = signature_parts(judge, prefix)
                versions, hashes = versions | more[0], hashes | more[1]
        self.versions: Mapping[str, str] = versions
        self.packs: Mapping[str, str] = hashes

    def lines(self, path: Path) -> Iterator[Line | Problem]:
        """Events as lines of trace v1, one a system and patient; a trace as it is.

        A file is a trace when its first line holds turns. With several systems in one file, dialogues are called by
        system and patient.
        """
        return event_lines(path, self._form)

    def evaluate(self, dialog: DialogTrace) -> Evaluated:
        """Every answer of a conversation, each with those before it."""
        marked = MarkedDialog("clinical", self._metrics, dialog)
        records: list[bytes] = []
        earlier: list[EventRecord] = []
        states = ReplyStates(dialog.language)
        facts = EarlierFacts()
        history = History()
        deciders: dict[str, Deciders] = {}
        for turn, raw, event in conversation(dialog):
            judged = states.judge(turn.user_text, turn.pred_assistant_text, cut_off=turn.cut_off)
            result = self._evaluated(event, earlier, history)
            retrieval = evaluate_retrieval(dialog, turn, self._judges, facts.texts)
            outcomes = result.outcomes | retrieval.outcomes
            state = [judged.evidence] if judged.evidence else []
            marked.add(turn, judged.state, outcomes, [*state, *result.evidence, *retrieval.evidence])
            earlier.append(event)
            if self._earlier_turns:
                facts.add(turn)
            records.append(msgspec.json.encode(with_metrics(raw, _numbers(raw, result, retrieval.numbers))))
            count_deciders(retrieval.shared, deciders)
        return marked.evaluated(records, deciders)

    def _evaluated(self, event: EventRecord, earlier: list[EventRecord], history: History) -> EventResult:
        try:
            result = evaluate_event(event, history, self._config)
            return reviewed(result, event, earlier, self._config, self._recorded) if self._recorded else result
        except Exception as error:  # noqa: BLE001 - the row boundary: one turn fails, nothing else
            lost = Failed(Reason.error(error))
            return EventResult({}, [], {metric.name: lost for metric in METRICS})


def user_config(packs: Sequence[Path]) -> ClinicalConfig:
    """The shipped rules and slots, or those of the user's one folder.

    Raises: PackError for several folders, or for faults in one.
    """
    if len(packs) > 1:
        message = f"--pack: expected one folder of rules and slots for suite clinical, found {len(packs)}"
        raise PackError(message)
    config, problems = load_config(packs[0] if packs else None)
    faults = [problem for problem in problems if problem.severity == "error"]
    if faults:
        raise PackError("\n".join(map(str, faults)))
    return config


def event_lines(path: Path, form: str | None = None) -> Iterator[Line | Problem]:
    """Events as lines of trace v1; a trace as it is. See `ClinicalSuite.lines`."""
    if form is not None or holds_dialogues(path):
        yield from trace_lines(path, form)
        return
    events: dict[_Key, dict[str, Any]] = {}
    numbers: dict[_Key, int] = {}
    for item in Reader(dict).read(path):
        if isinstance(item, Problem):
            yield item
            continue
        if item.warning is not None:
            yield item.warning
        event = read_event(item.value, str(path), item.line.number)
        if isinstance(event, Problem):
            yield event
            continue
        key = (event.run_id, event.mode, event.patient_id, event.turn_id)
        earlier = numbers.setdefault(key, item.line.number)
        if earlier != item.line.number:
            yield _repeated(key, item.line, earlier)
            continue
        events[key] = item.value
        yield from contexts_problems(item.value, str(path), item.line.number)
    several = len({mode for _, mode, *_ in events}) > 1
    for trace in events_to_traces(events.values()):
        mode, patient = trace["session_id"].split("/", 1)
        keys = [(trace["run_id"], mode, patient, turn["turn_pair_id"]) for turn in trace["turns"]]
        own = [events[key] for key in keys]
        first = min(numbers[key] for key in keys)
        yield line_of(_conversation_trace(trace, mode, own, several=several), str(path), first, len(keys))


def _numbers(event: Mapping[str, Any], result: EventResult, retrieval: Mapping[str, float]) -> dict[str, float | None]:
    """What ``metrics`` of an event says: a number for each metric of the guide, null where there is none.

    A figure of retrieval is added where it is there and the event does not bring one of its own.
    """
    brought = event.get("metrics") or {}
    own = {name: (result.results.get(name) or {}).get("score") for name in ("SFS", "CSP", "CUS_improved", "MCS", "ASS")}
    return own | {name: value for name, value in retrieval.items() if name not in brought}


def _repeated(key: _Key, line: Line, earlier: int) -> Problem:
    run_id, mode, patient, turn = key
    return Problem(
        file=line.file,
        line=line.number,
        field="$.turn_id",
        expected="one answer to each turn of a run, mode and patient",
        found=f"turn {turn} of {patient!r} ({mode}, run {run_id!r}) again, first in line {earlier}",
        advice="the first one is scored; remove one of the two",
    )


def _conversation_trace(
    trace: dict[str, Any], mode: str, own: Sequence[dict[str, Any]], *, several: bool
) -> dict[str, Any]:
    patient = trace["dialog_id"]
    for turn, event in zip(trace["turns"], own, strict=True):
        turn["source_record"] = event
        turn.pop("clinical_event", None)
    slots = next((event["slots_truth"] for event in own if event.get("slots_truth")), None)
    name = f"{mode}/{patient}" if several else patient
    # A conversation in which nothing was answered is still one: its turns are failed, none is skipped.
    return {**trace, "dialog_id": name, "valid_dialog": True, "system": mode, "slots_truth": slots}


def conversation(dialog: DialogTrace) -> Iterator[tuple[TurnTrace, dict[str, Any], EventRecord]]:
    """Each turn of a conversation, with the event that it was made from or makes, as it was and typed."""
    for turn in dialog.turns or ():
        raw, event = _event_of(dialog, turn)
        yield turn, raw, event


def _event_of(dialog: DialogTrace, turn: TurnTrace) -> tuple[dict[str, Any], EventRecord]:
    """The event that a turn was made from, as it was and typed; of another trace, one made of the turn."""
    if isinstance(turn.source_record, dict):
        raw: dict[str, Any] = turn.source_record
    else:
        raw = {
            "schema_version": EVENT_VERSION,
            "run_id": dialog.run_id,
            "mode": "llm" if dialog.system == "llm" else "agent",
            "patient_id": dialog.dialog_id,
            "turn_id": turn.turn_pair_id,
            "question": {"text": turn.user_text},
            "answer": turn.pred_assistant_text,
            "timestamp_utc": "",
            "slots_truth": dialog.slots_truth or None,
        }
        if turn.recall is not None and turn.recall.items:
            raw["metadata"] = {"retrieved_contexts": [item.content for item in turn.recall.items]}
    return raw, msgspec.convert(raw, EventRecord)
