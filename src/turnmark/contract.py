"""The metrics contract v1 as functions on plain dicts: the same engine that the commands use, seen through one door.

Names, positional arguments and results are those of the contract; everything beyond it is keyword-only. Iterables are
accepted where the contract says lists, so that long runs need not be held in memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from turnmark.detectors.finance.memory_keys import KeyResolver
from turnmark.detectors.finance.protocol import FinanceDetectors
from turnmark.detectors.finance.sets import DEFAULT, finance_detectors
from turnmark.metrics import catalog
from turnmark.metrics.definition import Metric
from turnmark.metrics.finance import METRICS, context_continuity, profile_accuracy
from turnmark.pipeline.playing.contract_v1 import (
    build_turn_trace,
    evaluate_dialog_task,
    run_dialog_replay,
    run_eval_parallel,
)
from turnmark.report.pages.markdown import render_markdown
from turnmark.runs.folder import SUMMARY, TRACE, TURN_EVAL, RunWriter, pretty_json
from turnmark.schemas import contract as types
from turnmark.schemas import trace as typed
from turnmark.schemas.contract import (  # noqa: F401 - what `types.__all__` adds to the names of this face
    ComplianceLabel,
    ComplianceTrace,
    DialogStatus,
    DialogTrace,
    EvalSummary,
    MetricResult,
    RecallItem,
    RecallTrace,
    ToolTrace,
    TurnEvalRow,
    TurnStatus,
    TurnTrace,
)
from turnmark.schemas.dialog import normalized, turn_pairs, validity
from turnmark.schemas.jsonl import without_surrogates
from turnmark.schemas.reasons import Reason
from turnmark.schemas.results import summary as results
from turnmark.schemas.trace import TRACE_VERSION
from turnmark.schemas.trace_dicts import dialog_of_keys, readable_dialog, turn_with_defaults, with_ground_truth
from turnmark.schemas.turn_eval import ResolvedKey
from turnmark.schemas.turn_eval import TurnEvalRow as Row
from turnmark.stats.tally import Failed, Outcomes, Tally
from turnmark.suites.finance.dialogue import Settings, evaluate_dialog, memory_sources, profile_outcomes

__all__ = [
    "aggregate_all_metrics",
    "align_turn_pairs",
    "build_turn_eval_rows",
    "build_turn_trace",
    "classify_dialog_validity",
    "compute_m1_context_continuity",
    "compute_m2_profile_accuracy",
    "compute_m3_risk_coverage",
    "compute_m4_compliance",
    "compute_m5_explainability",
    "detect_key_hits_from_memory_sources",
    "evaluate_dialog_task",
    "load_dataset_jsonl",
    "normalize_dialog",
    "render_markdown_report",
    "resolve_memory_required_key",
    "run_dialog_replay",
    "run_eval_parallel",
    "write_eval_outputs",
]
__all__ += types.__all__


_UNREADABLE = (msgspec.ValidationError, AttributeError, TypeError, ValueError, RecursionError)
"""What reading a dialogue of the wrong shape may raise."""


def load_dataset_jsonl(dataset_path: str) -> list[dict[str, Any]]:
    """The dialogues of a dataset file, one JSON object a line.

    Raises: OSError when the file cannot be read; json.JSONDecodeError at the first line that is not a JSON object, with
    file and line in its message.
    """
    dialogs = []
    with Path(dataset_path).open("rb") as lines:
        for number, raw in enumerate(lines, 1):
            line = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
            if not line.strip():
                continue
            text = line.decode("utf-8", "replace")
            try:
                value = json.loads(line.decode("utf-8"))
            except (ValueError, RecursionError) as error:
                message = f"{dataset_path}:{number}: {getattr(error, 'msg', error)}"
                raise json.JSONDecodeError(message, text, getattr(error, "pos", 0)) from error
            if not isinstance(value, dict):
                message = f"{dataset_path}:{number}: expected an object, found {type(value).__name__}"
                raise json.JSONDecodeError(message, text, 0)
            dialogs.append(value)
    return dialogs


def classify_dialog_validity(dialog_obj: dict[str, Any]) -> tuple[bool, str | None]:
    """Whether a dialogue can be evaluated, and the reason when it cannot.

    Reasons: missing_turns, missing_profile_gt, invalid_turn_sequence, missing_gt_tags.
    """
    return validity(dialog_obj)


def normalize_dialog(dialog_obj: dict[str, Any]) -> dict[str, Any]:
    """A copy with roles, labels, tag lists and line ends in canonical form (`turnmark.schemas.dialog.normalized`)."""
    return normalized(dialog_obj)


def align_turn_pairs(dialog_obj: dict[str, Any]) -> list[dict[str, Any]]:
    """User turns paired with the assistant turns that answer them; pairs count from 1, absolute indexes from 0."""
    return turn_pairs(dialog_obj)


def detect_key_hits_from_memory_sources(
    target_text: str, turn_trace: dict[str, Any], *, detect: str = DEFAULT, key: str | None = None
) -> list[str]:
    """The memory sources that hold a text: a subset of short_term, long_term, profile, in this order.

    The same detectors answer as in `build_turn_eval_rows`. ``key`` is the required key that the text stands for, where
    there is one (``profile_gt.risk_level_gt``): a grade or a horizon is then sought as such, as rows do. A turn that
    cannot be read holds nothing.
    """
    try:
        turn = msgspec.convert(turn_with_defaults(turn_trace, 0), typed.TurnTrace)
    except _UNREADABLE:
        return []
    sought = ResolvedKey(key=key or target_text, resolvable=True, target_text=target_text, resolver="text")
    return context_continuity.sources_of(finance_detectors(detect).memory(sought, memory_sources(turn)))


def resolve_memory_required_key(key: str, dialog_obj: dict[str, Any], turn_pair_id: int) -> dict[str, Any]:  # noqa: ARG001 - the contract's signature; no rule of it depends on the turn
    """The text that a required key stands for.

    ``resolver`` is profile_field, constraints_gt, preferences_gt, history_user_turn, history_abs_turn or unresolved.
    ``dialog_obj`` is a dataset dialogue or a dialogue trace; in one that cannot be read every key is unresolved.
    """
    try:
        dialog = dialog_of_keys(dialog_obj)
    except _UNREADABLE:
        dialog = dialog_of_keys({})
    return dict(msgspec.to_builtins(KeyResolver(dialog).resolve(key)))


def build_turn_eval_rows(
    dialog_traces: Iterable[dict[str, Any]],
    risk_tag_mapper: Mapping[str, str] | None = None,
    forbidden_patterns: Sequence[str] | None = None,
    *,
    detect: str = DEFAULT,
    dialog_objs: Mapping[str, dict[str, Any]] | None = None,
    packs: Sequence[str | Path] = (),
) -> list[dict[str, Any]]:
    """The rows of all turns of all valid dialogues.

    ``risk_tag_mapper`` adds aliases (required tag -> canonical tag), ``forbidden_patterns`` adds literal phrases,
    ``dialog_objs`` (dialog_id -> dataset dialogue) fills ground truth that a trace does not carry, ``packs`` are files
    laid over the shipped ones. A turn that cannot be read becomes a row of status error with the reason in
    ``failures``, and so does a dialogue, under its id and the number 0 (``#3`` is the fourth of the list where it has
    none); nothing is raised for them.
    """
    detectors = _with_aliases(finance_detectors(detect, tuple(map(Path, packs))), risk_tag_mapper or {})
    settings = Settings(forbidden_phrases=tuple(forbidden_patterns or ()))
    rows: list[dict[str, Any]] = []
    for place, trace in enumerate(dialog_traces or ()):
        try:
            dialog, unreadable = readable_dialog(with_ground_truth(trace, dialog_objs or {}))
        except _UNREADABLE as error:
            rows.append(_unreadable_dialog(trace, place, error))
            continue
        for index, row in enumerate(evaluate_dialog(dialog, detectors, settings).rows):
            reason = unreadable.get(index)
            if reason is not None:
                row.failures = _of_every_metric(reason)
            rows.append(msgspec.to_builtins(row))
    return rows


def _of_every_metric(reason: str) -> dict[str, str]:
    return {metric.code: reason for metric in METRICS if metric.unit == "turn"}


def _unreadable_dialog(trace: Any, place: int, error: Exception) -> dict[str, Any]:
    """The row of a dialogue that cannot be read: it names it, and every metric counts it as failed."""
    own = trace.get("dialog_id") if isinstance(trace, dict) else None
    run_id = trace.get("run_id") if isinstance(trace, dict) else None
    head = {
        "run_id": run_id if isinstance(run_id, str) else "",
        "dialog_id": own if isinstance(own, str) else f"#{place}",
    }
    row = msgspec.convert(_row_defaults({**head, "turn_status": "error"}), Row)
    row.failures = _of_every_metric(f"the dialogue cannot be read: {error}")
    return dict(msgspec.to_builtins(row))


def compute_m1_context_continuity(turn_rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """M1 over rows; see `turnmark.metrics.finance.context_continuity`."""
    return _over_rows("M1", turn_rows)


def compute_m2_profile_accuracy(
    dialog_traces: Iterable[dict[str, Any]],
    dialog_objs: Mapping[str, dict[str, Any]] | None = None,
    *,
    detect: str = DEFAULT,
    packs: Sequence[str | Path] = (),
) -> dict[str, Any]:
    """M2 over dialogues; see `turnmark.metrics.finance.profile_accuracy`."""
    detectors = finance_detectors(detect, tuple(map(Path, packs)))
    metric = profile_accuracy.METRIC
    tally = Tally([len(metric.measures)])
    traces, reason = _items(dialog_traces, "dialog_traces")
    for trace in traces:
        dialog_id = str(trace.get("dialog_id", "")) if isinstance(trace, dict) else ""
        outcome: Outcomes
        try:
            outcome = profile_outcomes(readable_dialog(with_ground_truth(trace, dialog_objs or {}))[0], detectors)[0]
        except _UNREADABLE as error:
            outcome = Failed(Reason.error(error))
        tally.add(tally.open(dialog_id), 0, outcome)
    return _result(tally, metric, reason)


def compute_m3_risk_coverage(turn_rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """M3 over rows; see `turnmark.metrics.finance.risk_coverage`."""
    return _over_rows("M3", turn_rows)


def compute_m4_compliance(turn_rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """M4 over rows; see `turnmark.metrics.finance.compliance`."""
    return _over_rows("M4", turn_rows)


def compute_m5_explainability(turn_rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """M5 over rows; see `turnmark.metrics.finance.explainability`."""
    return _over_rows("M5", turn_rows)


def aggregate_all_metrics(
    run_id: str, dataset_path: str, metrics: dict[str, dict[str, Any]], counters: dict[str, int]
) -> dict[str, Any]:
    """The summary of a run from its metric results."""
    return {
        "run_id": run_id,
        "trace_version": TRACE_VERSION,
        "dataset_path": dataset_path,
        "metrics": dict(metrics),
        "counters": dict(counters),
    }


def write_eval_outputs(
    output_dir: str,
    manifest: dict[str, Any],
    dialog_traces: Iterable[dict[str, Any]],
    turn_rows: Iterable[dict[str, Any]],
    summary: dict[str, Any],
) -> None:
    """Write run_manifest.json, dialog_trace.jsonl, turn_eval.jsonl and metrics_summary.json; all of them or none.

    Raises: UsageError when the folder cannot be made.
    """
    with RunWriter(Path(output_dir)) as writer:
        for name, records in ((TRACE, dialog_traces), (TURN_EVAL, turn_rows)):
            artifact = writer.open(name)
            for record in records:
                artifact.write(msgspec.json.encode(without_surrogates(record, [0])) + b"\n")
        writer.open(SUMMARY).write(pretty_json(without_surrogates(summary, [0])))
        writer.finish(without_surrogates(manifest, [0]))


def render_markdown_report(summary: dict[str, Any]) -> str:
    """The report of a summary as Markdown."""
    return render_markdown(msgspec.convert(summary, results.EvalSummary))


def _over_rows(code: str, turn_rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    metric = catalog.metric(code)
    tally = Tally([len(metric.measures)])
    rows, reason = _items(turn_rows, "turn_rows")
    for row in rows:
        outcome: Outcomes
        try:
            record = msgspec.convert(_row_defaults(row), Row)
            outcome = metric.score(record)
        except msgspec.ValidationError as error:
            outcome = Failed(str(error))
        dialog_id = str(row.get("dialog_id", "")) if isinstance(row, dict) else ""
        tally.add(tally.open(dialog_id), 0, outcome)
    return _result(tally, metric, reason)


def _items(given: Any, name: str) -> tuple[Iterable[Any], str]:
    """What is to be counted, and why there is nothing where that is no list."""
    if isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping):
        return given, ""
    return (), f"{name}: expected a list of objects, found {type(given).__name__}"


def _result(tally: Tally, metric: Metric, reason: str = "") -> dict[str, Any]:
    from turnmark.pipeline.scoring.summarise import summarise  # noqa: PLC0415 - numpy loads only here
    from turnmark.stats.dialog_table import DialogTable  # noqa: PLC0415 - see above

    table = DialogTable(tally.widths)
    table.add(tally.dialogs.values())
    result = summarise(table, [metric], method=None)[metric.name]
    names = ("metric_name", "micro", "macro", "counts", "by_dialog", "denominators")
    given = {name: msgspec.to_builtins(getattr(result, name), enc_hook=results.as_builtin) for name in names}
    return given | {"reason": reason} if reason else given


class _WithAliases:
    """Detectors under which more names of required tags are known."""

    def __init__(self, detectors: FinanceDetectors, aliases: Mapping[str, str]) -> None:
        self._detectors = detectors
        self._aliases = aliases

    def canonical_tag(self, required: str) -> str:
        return self._aliases.get(required) or self._detectors.canonical_tag(required)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._detectors, name)


def _with_aliases(detectors: FinanceDetectors, aliases: Mapping[str, str]) -> FinanceDetectors:
    wrapped: Any = _WithAliases(detectors, aliases) if aliases else detectors
    return wrapped  # type: ignore[no-any-return]


def _row_defaults(row: Any) -> dict[str, Any]:
    """A row of the contract may leave any field out; what it has is kept.

    Raises: msgspec.ValidationError when it is no object.
    """
    if not isinstance(row, dict):
        message = f"Expected `object`, got `{type(row).__name__}`"
        raise msgspec.ValidationError(message)
    required = {"trace_version": TRACE_VERSION, "run_id": "", "dialog_id": "", "turn_pair_id": 0}
    flags = {f"eligible_m{number}": False for number in range(1, 6)}
    return {**required, **flags, **row}
