"""Scoring, comparing and gating in Python; `turnmark.score`, `turnmark.compare` and the others here are these.

>>> import turnmark
>>> result = turnmark.score(
...     [{
...         "question": "What is the minimum down payment?",
...         "answer": "The minimum down payment is 3.5%.",
...         "contexts": ["Loans of this kind allow a minimum down payment of 3.5%."],
...     }],
...     metrics="faithfulness",
... )
>>> result["faithfulness"].value, result["faithfulness"].hits, result["faithfulness"].total
(1.0, 1.0, 1.0)

The same code runs behind ``turnmark score``, ``compare`` and ``gate``, so that the figures are the same.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.errors import UsageError
from turnmark.judges.llm.config import JudgeConfig, judge_config
from turnmark.locale.texts import texts_of
from turnmark.metrics.definition import Metric
from turnmark.pipeline.comparing.compare import compare as compare_runs
from turnmark.pipeline.comparing.gate import GateRequest, hold
from turnmark.pipeline.comparing.gate import gate as gate_run
from turnmark.pipeline.comparing.request import CompareRequest
from turnmark.pipeline.judging.judge import JudgeReport
from turnmark.pipeline.publishing.frames import Table, TableName, pandas_frame, polars_frame, table_of
from turnmark.pipeline.publishing.report import ReportOptions, write_report
from turnmark.pipeline.publishing.run_turns import turn_sums
from turnmark.pipeline.scoring.given import data_file
from turnmark.pipeline.scoring.judge_first import JudgeFirst, judged_first
from turnmark.pipeline.scoring.score import score as score_files
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.report.pages.notebook import render_notebook
from turnmark.report.view.number_format import number
from turnmark.runs.folder import EVIDENCE, PROBLEMS, TURN_EVAL, read_summary
from turnmark.schemas.results.comparison import Comparison
from turnmark.schemas.results.gate import GateResult, GateRule, GateRules
from turnmark.schemas.results.summary import (
    EvalSummary,
    IntervalMethod,
    MetricResult,
    Signature,
    bounds_of,
    decided_share,
)
from turnmark.suites.file_kinds import suite_of
from turnmark.suites.registry import suite_definition, suite_names

__all__ = ["Figure", "Result", "compare", "gate", "load", "score"]

Judge = str | JudgeConfig | Mapping[str, Any]
Rules = str | Path | GateRules | Mapping[str, Any] | Sequence[Mapping[str, Any]]


class Figure(NamedTuple):
    """One measure of a metric over a run.

    ``value`` is pooled over all rows (micro), ``macro`` the mean over dialogues; both are None where nothing was
    eligible. ``interval`` is that of ``value``, None with too few dialogues. ``hits`` of ``total`` are the counts
    behind a share; of a mean, ``hits`` is the sum of the values and ``total`` their number. ``upward`` says whether
    more is better. ``decided_share`` is how much of what there was to judge was decided; ``bounds`` are what ``value``
    could be had the rest been decided too, equal to it at both ends where nothing is open.
    """

    metric: str
    measure: str
    value: float | None
    interval: tuple[float, float] | None
    hits: float
    total: float
    macro: float | None
    upward: bool
    decided_share: float = 1.0
    bounds: tuple[float, float] | None = None


class Result(Mapping[str, Figure]):
    """A scored run: figures by metric, rows, evidence, and the folder in which they lie.

    A figure is named as in a gate: metric (name or code) alone for its first measure, or ``metric.measure``
    (``result["M4.severe_violation_rate"]``). Iterating gives ``name.measure`` of every figure.

    Raises (from ``[]``): KeyError naming the figures that there are.
    """

    def __init__(
        self,
        folder: Path,
        metrics: Sequence[str] | None = None,
        temporary: Path | None = None,
        judged: JudgeReport | None = None,
    ) -> None:
        self.folder = folder
        self.judged = judged
        self.summary: EvalSummary = read_summary(folder)
        if temporary is not None:
            weakref.finalize(self, shutil.rmtree, temporary, ignore_errors=True)
        known = suite_definition(self.summary.suite).metrics
        wanted = None if metrics is None else {_chosen(name, known).name for name in metrics}
        self._metrics = [metric for metric in known if wanted is None or metric.name in wanted]
        self._left_out = {metric.name for metric in known} - {metric.name for metric in self._metrics}

    def __getitem__(self, name: str) -> Figure:
        head, _, measure = name.partition(".")
        for metric in self._metrics:
            if head in {metric.name, metric.code}:
                figures = {figure.measure: figure for figure in self._figures(metric)}
                if not measure:
                    return figures[metric.measures[0].name]
                if measure in figures:
                    return figures[measure]
        message = f"expected a metric or METRIC.MEASURE of this run ({', '.join(self)}), found {name!r}"
        raise KeyError(message)

    def __iter__(self) -> Iterator[str]:
        for metric in self._metrics:
            for measure in metric.measures:
                yield f"{metric.name}.{measure.name}"

    def __len__(self) -> int:
        return sum(len(metric.measures) for metric in self._metrics)

    def to_pandas(self, table: TableName = "turns") -> Any:
        """A pandas DataFrame of the ``turns``, the ``evidence``, the ``problems`` or the ``figures``.

        Turns have a column ``METRIC.measure`` for each measure.

        Raises: MissingExtraError without pandas; UsageError for a table that there is not.
        """
        return pandas_frame(self._table(table))

    def to_polars(self, table: TableName = "turns") -> Any:
        """The same as a polars DataFrame. Raises: as `to_pandas`."""
        return polars_frame(self._table(table))

    def _table(self, name: str) -> Table:
        if name != "figures":
            return table_of(self.folder, name, [metric.name for metric in self._metrics])
        figures = [figure for metric in self._metrics for figure in self._figures(metric)]
        columns = {field: [getattr(figure, field) for figure in figures] for field in Figure._fields}
        for field in ("interval", "bounds"):
            ends = [pair or (None, None) for pair in columns.pop(field)]
            columns |= {f"{field}_low": [low for low, _ in ends], f"{field}_high": [high for _, high in ends]}
        return Table(columns, frozenset(columns.keys() - {"metric", "measure", "upward"}))

    def _repr_html_(self) -> str:
        """What a notebook shows: what was found, then the main figures."""
        turns = turn_sums(self.folder, self.summary.suite_name)
        faults = turns.faults if turns else {}
        return render_notebook(self.summary, faults, texts_of("en", self.summary.suite_name))

    def __repr__(self) -> str:
        figures = [f"{name}={number(self[name].value)}" for name in self]
        return f"Result({self.summary.run_id!r}, suite={self.summary.suite!r}, {', '.join(figures)})"

    def _figures(self, metric: Metric) -> Iterator[Figure]:
        result = self.summary.metrics.get(metric.name)
        for measure in metric.measures:
            yield _figure(metric, measure.name, result, upward=measure.upward)

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """One record a turn, as in ``turn_eval.jsonl``."""
        return _records(self.folder / TURN_EVAL)

    @cached_property
    def evidence(self) -> list[dict[str, Any]]:
        """The words that earned the marks of the metrics that were asked for, as in ``evidence.jsonl``."""
        records = _records(self.folder / EVIDENCE)
        if self._left_out:
            return [record for record in records if record["metric"] not in self._left_out]
        return records

    @cached_property
    def problems(self) -> list[dict[str, Any]]:
        """What was wrong with the input, line by line; empty when all of it was read."""
        return _records(self.folder / PROBLEMS)

    @property
    def signature(self) -> Signature | None:
        """Everything that shaped the figures: versions, packs, settings, seed, hash of the data."""
        return self.summary.signature

    def save(self, folder: str | Path, *, language: str = "en") -> Path:
        """Copy the run folder, its pages included, and return the path of ``report.html``.

        Raises: UsageError when the folder holds something already, or for a language that there is not.
        """
        target = Path(folder)
        if target.exists() and any(target.iterdir()):
            message = f"{target}: expected a new or empty folder, found files in it; choose another"
            raise UsageError(message)
        shutil.copytree(self.folder, target, dirs_exist_ok=True)
        return write_report(target, options=ReportOptions(language=language))[1]


def score(  # noqa: PLR0913 - what may be asked of scoring, all but two by name
    data: str | Path | Iterable[Any],
    suite: str | None = None,
    *,
    metrics: str | Iterable[str] | None = None,
    judge: Judge | None = None,
    detect: str | None = None,
    packs: Iterable[str | Path] = (),
    out: str | Path | None = None,
    by: Iterable[str] | None = None,
    intervals: IntervalMethod = "percentile",
    run_id: str | None = None,
    workers: int = 1,
    columns: Mapping[str, str] | None = None,
    only_undecided: bool = False,
    audit: float = 0.0,
    entailment: str | Path | None = None,
    limits: str | Path | None = None,
) -> Result:
    """Score records or files.

    Args:
        data: A path (trace, events, cases; a run folder for its trace), or records: dicts or structs as they stand in
            such a file, under their own names or those of other tools; a pandas or polars DataFrame is read.
        suite: ``finance``, ``clinical``, ``rag`` or one that is installed; told from the data when left out.
        metrics: Names or codes of the metrics to keep; all of them when left out. One name may stand alone.
        judge: ``"rules"``, ``"embedding"``, ``"nli:FOLDER"`` (rag); or a model over HTTP: a `JudgeConfig` or a mapping
            with its fields (``model``, ``base_url``, …), which is asked first; ``result.judged`` says what came of it.
        detect: The detector set, as ``--detect`` names it.
        packs: Rule files laid over the shipped ones.
        out: The run folder; a temporary one, gone with the result, when left out.
        by: Fields of a dialogue to break the figures down by.
        intervals: ``percentile``, ``bca`` or ``analytic``.
        run_id: Written into the rows; that of the data when left out.
        workers: Processes.
        columns: What the data calls the fields of a case, where names do not tell: ``{"question": "질문"}`` (rag).
        only_undecided: Ask the model just what rules leave undecided (rag, clinical).
        audit: With ``only_undecided``, the share of decided verdicts that the model is asked all the same.
        entailment: With ``only_undecided``, the folder of an inference model that is asked between rules and model;
            ``judge="nli:FOLDER"`` asks that one alone.
        limits: What ``turnmark calibrate --judge nli:FOLDER`` wrote for it.

    Raises:
        UsageError: A wrong argument, or data whose suite cannot be told.
        DataError: Nothing in the data could be read; single bad records are in ``result.problems``.

    """
    temporary = Path(tempfile.mkdtemp(prefix="turnmark-"))
    done = False
    try:
        source = data_file(data, temporary)
        name = suite or suite_of(source)
        if name is None:
            message = f"suite: expected one that can be told from the data; name it: {', '.join(suite_names())}"
            raise UsageError(message)
        wanted = _names(metrics, name)
        request = ScoreRequest(
            (source,),
            Path(out) if out is not None else temporary / "run",
            name,
            detect,
            packs=tuple(Path(pack) for pack in packs),
            by=None if by is None else tuple(by),
            intervals=intervals,
            run_id=run_id,
            workers=workers,
            columns=tuple((columns or {}).items()),
        )
        folder, file = (None if path is None else Path(path) for path in (entailment, limits))
        in_turn = {"only_undecided": only_undecided, "audit": audit, "entailment": folder, "limits": file}
        request, first = _judge_of(judge, request, in_turn)
        judged = None
        if first is not None:
            request, judged = judged_first(request, first._replace(metrics=wanted))
        scored = score_files(request)
        result = Result(scored.folder, wanted, None if out is not None else temporary, judged)
        done = out is None
        return result
    finally:
        if not done:
            shutil.rmtree(temporary, ignore_errors=True)


def load(folder: str | Path) -> Result:
    """A run that was scored before. Raises: DataError when the folder holds none."""
    return Result(Path(folder))


def compare(first: Result | str | Path, second: Result | str | Path, *others: Result | str | Path) -> Comparison:
    """Compare runs turn by turn with the first: differences, intervals, tests, changed turns.

    Raises: UsageError for runs of different suites; DataError when one cannot be read.
    """
    return compare_runs(CompareRequest(tuple(_folder(run) for run in (first, second, *others))))


def gate(run: Result | str | Path, rules: Rules, baseline: Result | str | Path | None = None) -> GateResult:
    """Hold a run against rules: a YAML file, or the same as a list of mappings.

    >>> from turnmark.evaluation import gate
    >>> gate(run, [{"metric": "M4.severe_violation_rate", "at_most": 0.01}]).outcome  # doctest: +SKIP
    'pass'

    Raises: PackError when a rule is wrong; UsageError when a rule needs a baseline that is not given.
    """
    against = None if baseline is None else _folder(baseline)
    if isinstance(rules, str | Path):
        return gate_run(GateRequest(_folder(run), Path(rules), against))
    if not isinstance(rules, GateRules):
        try:
            rules = msgspec.convert(rules if isinstance(rules, Mapping) else {"rules": list(rules)}, GateRules)
        except msgspec.ValidationError as error:
            message = f"rules: {error}; fields of a rule: {', '.join(GateRule.__struct_fields__)}"
            raise UsageError(message) from error
    return hold(rules, _folder(run), against)


def _judge_of(
    judge: Judge | None, request: ScoreRequest, in_turn: Mapping[str, Any]
) -> tuple[ScoreRequest, JudgeFirst | None]:
    """The request with the detector set and packs that a judge comes to, and the model that is asked first."""
    if judge is not None and request.detect is not None:
        message = f"judge and detect: expected one of them, found {judge!r} and {request.detect!r}"
        raise UsageError(message)
    if isinstance(judge, str) and not in_turn["only_undecided"]:
        name, _, folder = judge.partition(":")
        request = request._replace(detect=name, packs=(*request.packs, *([Path(folder)] if folder else [])))
        judge = None
    if judge is None:
        given = [name for name, value in in_turn.items() if value]
        if given:
            message = f"{', '.join(given)}: expected together with a judge that is a model, found none"
            raise UsageError(message)
        return request, None
    if isinstance(judge, str):
        kind, _, folder = judge.partition(":")
        if kind != "nli" or not folder or in_turn["entailment"] is not None:
            message = f"judge: expected the settings of a model or nli:FOLDER to ask what is undecided, found {judge!r}"
            raise UsageError(message)
        return request, JudgeFirst(JudgeConfig(), **{**in_turn, "entailment": Path(folder)})
    return request, JudgeFirst(judge if isinstance(judge, JudgeConfig) else judge_config(judge), **in_turn)


def _names(metrics: str | Iterable[str] | None, suite: str) -> tuple[str, ...] | None:
    """The metrics by name. Raises: UsageError for one that the suite does not have."""
    if metrics is None:
        return None
    known = suite_definition(suite).metrics
    return tuple(_chosen(name, known).name for name in ([metrics] if isinstance(metrics, str) else metrics))


def _chosen(name: str, known: Sequence[Metric]) -> Metric:
    for metric in known:
        if name in {metric.name, metric.code}:
            return metric
    message = f"metrics: expected some of {', '.join(metric.name for metric in known)}, found {name!r}"
    raise UsageError(message)


def _figure(metric: Metric, measure: str, found: MetricResult | None, *, upward: bool) -> Figure:
    total = found.denominators.get(measure, 0.0) if found else 0.0
    decided = decided_share(found, measure) if found else 1.0
    open_bounds = bounds_of(found, measure) if found else None
    if found is None or not total:
        return Figure(metric.name, measure, None, None, 0.0, 0.0, None, upward, decided, open_bounds)
    value = found.micro[measure]
    return Figure(
        metric.name,
        measure,
        value,
        found.intervals.get(measure),
        round(value * total, 9),
        total,
        found.macro.get(measure),
        upward,
        decided,
        open_bounds or (value, value),
    )


def _folder(run: Result | str | Path) -> Path:
    return run.folder if isinstance(run, Result) else Path(run)


def _records(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    with path.open("rb") as file:
        return [msgspec.json.decode(line) for line in file if line.strip()]
