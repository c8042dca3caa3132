"""The replay functions of the metrics contract v1 (sections 4 and 8), over the same scheduler as the commands."""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from turnmark.replay.agents.loading import FactorySource
from turnmark.replay.inputs import DIALOGS, Script
from turnmark.replay.protocol import AgentSource
from turnmark.replay.run.scheduler import ReplaySettings, Scheduler
from turnmark.replay.run.trace_writer import dialog_trace, turn_trace
from turnmark.schemas.jsonl import without_surrogates
from turnmark.schemas.plain import Plain
from turnmark.schemas.results.summary import as_builtin
from turnmark.schemas.trace import TurnStatus
from turnmark.suites.file_kinds import played_kind_of

DEFAULT_TIMEOUT = 120


def run_dialog_replay(
    dialog_obj: dict[str, Any],
    run_id: str,
    dataset_index: int,
    agent_factory: Any,
    observer_factory: Any,
    timeout_sec: float = DEFAULT_TIMEOUT,
) -> dict[str, Any]:
    """Play one dialogue, turn after turn, and return its trace (trace schema v1, section 4.2).

    ``agent_factory`` makes the agent (see `turnmark.replay.protocol`); ``observer_factory``, None or a function that
    makes an observer told of every event. Nothing is raised: what goes wrong stands in the turn's ``error`` or in
    ``dialog_error``.
    """
    head = {"dialog_id": str(_of(dialog_obj, "dialog_id") or f"dialog-{dataset_index}"), "dataset_index": dataset_index}
    try:
        script = _script(dialog_obj, head, dataset_index)
        source = agent_factory if isinstance(agent_factory, AgentSource) else _source(agent_factory)
        return _played(
            script, source, ReplaySettings(run_id=run_id, timeout_sec=timeout_sec, workers=1), observer_factory
        )
    except Exception as error:  # noqa: BLE001 - the contract: written, not raised
        return dialog_trace(head, [], run_id=run_id, error=f"{type(error).__name__}: {error}")


def build_turn_trace(
    turn_pair: dict[str, Any],
    pred_text: str,
    observer_payload: dict[str, Any],
    latency_ms: float,
    turn_status: TurnStatus = "ok",
    error: str | None = None,
) -> dict[str, Any]:
    """One turn of a trace from its parts (`turnmark.replay.run.trace_writer.turn_trace`)."""
    plain = Plain()
    return turn_trace(
        plain(turn_pair), plain(pred_text), plain(observer_payload), plain(latency_ms), turn_status, plain(error)
    )


def evaluate_dialog_task(
    dialog_obj: dict[str, Any], dataset_index: int, run_id: str, agent_factory: Any, observer_factory: Any
) -> dict[str, Any]:
    """`run_dialog_replay` in the form of a task for a pool of threads, with the default time limit."""
    return run_dialog_replay(dialog_obj, run_id, dataset_index, agent_factory, observer_factory)


def run_eval_parallel(  # noqa: PLR0913 - the contract's signature
    dataset_path: str,
    run_id: str,
    max_workers_dialog: int,
    max_workers_judge: int,
    agent_factory: Any,
    observer_factory: Any,
    *,
    out: str | Path | None = None,
    timeout_sec: float = DEFAULT_TIMEOUT,
    detect: str | None = None,
    judge: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Play and score a dataset: serial within a dialogue, concurrent between dialogues; returns the summary.

    ``judge`` are the settings of a model (those of ``turnmark judge --config``) that is asked about what was said
    before it is scored, with ``max_workers_judge`` calls at once. The run folder (``out``, else ``runs/{run_id}``)
    holds trace, rows, evidence, summary, report and manifest; an
    earlier run in it is replaced. Raises: UsageError and DataError for a dataset or settings that make the whole call
    meaningless; what single dialogues do wrong is written, not raised.
    """
    from turnmark.judges.llm.config import judge_config  # noqa: PLC0415
    from turnmark.pipeline.playing.request import ReplayRequest  # noqa: PLC0415 - reports and scoring load with them, only here
    from turnmark.pipeline.playing.run import run  # noqa: PLC0415
    from turnmark.pipeline.scoring.judge_first import JudgeFirst  # noqa: PLC0415
    from turnmark.pipeline.scoring.worker import ScoreRequest  # noqa: PLC0415

    source: AgentSource = agent_factory if isinstance(agent_factory, AgentSource) else _source(agent_factory)
    request = ReplayRequest(
        dataset=Path(dataset_path),
        agent=source,
        out=Path(out) if out is not None else None,
        run_id=run_id,
        workers=max_workers_dialog,
        judge_workers=max_workers_judge,
        timeout_sec=timeout_sec,
        overwrite=True,
        listeners=observer_factory,
    )
    first = None if judge is None else JudgeFirst(judge_config(judge))
    scoring = ScoreRequest(traces=(), detect=detect, judge_workers=None if first is None else max_workers_judge)
    result = _apart(lambda: run(request, scoring, judge=first))
    summary: dict[str, Any] = msgspec.to_builtins(result.scored.summary, enc_hook=as_builtin)
    return summary


def _source(factory: Callable[..., Any]) -> FactorySource:
    if not callable(factory):
        message = f"agent_factory: expected a function or class that makes agents, found {type(factory).__name__}"
        raise TypeError(message)
    name = getattr(factory, "__qualname__", type(factory).__name__)
    return FactorySource(factory, f"{getattr(factory, '__module__', '')}:{name}")


def _of(dialog: Any, field: str) -> Any:
    return dialog.get(field) if isinstance(dialog, Mapping) else None


def _script(dialog: Any, head: dict[str, Any], index: int) -> Script:
    """Raises: UnfitError, TypeError."""
    if not isinstance(dialog, Mapping):
        message = f"dialog_obj: expected an object, found {type(dialog).__name__}"
        raise TypeError(message)
    clean = without_surrogates(Plain()(dialog), [0])
    kind = played_kind_of(clean) or DIALOGS
    return kind.read(clean if kind is not DIALOGS else head | clean | {"dialog_id": head["dialog_id"]}, index)


class _InMemory:
    """A record of one dialogue in memory."""

    def __init__(self) -> None:
        self.turns: list[Mapping[str, Any]] = []
        self.dialog: dict[str, Any] = {}

    async def started(self, index: int) -> None:
        """Nothing to note."""

    async def turn(self, index: int, turn: Mapping[str, Any]) -> None:  # noqa: ARG002 - there is only one dialogue
        """Note a turn."""
        self.turns.append(turn)

    async def finished(self, index: int, dialog: Mapping[str, Any], turns: int) -> None:  # noqa: ARG002 - as above
        """Note the dialogue."""
        self.dialog = dict(dialog)


def _played(script: Script, source: AgentSource, settings: ReplaySettings, listeners: Any) -> dict[str, Any]:
    record = _InMemory()
    with tempfile.TemporaryDirectory(prefix="turnmark-", ignore_cleanup_errors=True) as folder:
        scheduler = Scheduler(source, settings, record, memory=Path(folder), listeners=listeners)
        _apart(lambda: asyncio.run(scheduler.play(iter([script]))))
    return record.dialog | {"turns": record.turns}


def _apart(work: Callable[[], Any]) -> Any:
    """Do it, in a thread of its own when this one already runs an event loop (as notebooks do)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    outcome: list[Any] = []
    failure: list[BaseException] = []

    def carry() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            failure.append(error)

    thread = threading.Thread(target=carry, name="replay")
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return outcome[0]
