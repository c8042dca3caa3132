"""A run against rules: pass, fail, or not enough data to say, each rule with its reason."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec import UNSET

from turnmark.errors import PackError, UsageError
from turnmark.packs import loading
from turnmark.pipeline.comparing.compare import compare
from turnmark.pipeline.comparing.request import CompareRequest
from turnmark.pipeline.comparing.run_table import STRATA, Column, Floats, RunTable, run_table
from turnmark.schemas.problems import Problem, readable
from turnmark.schemas.results.comparison import ComparedMeasure, Comparison
from turnmark.schemas.results.gate import GateFinding, GateOutcome, GateResult, GateRule, GateRules
from turnmark.schemas.results.summary import EvalSummary, Interval
from turnmark.stats.intervals import cluster_bootstrap

_ORDER: tuple[GateOutcome, ...] = ("fail", "not_enough_data", "pass")
_BOUNDS = ("at_least", "at_most", "no_worse_than_baseline")
_GROUPS = ("turn_status", "reply_states")
_ENDS = "the ends count what was not decided at its worst and at its best"


class GateRequest(NamedTuple):
    """The run that must pass, the rules, and the run it must not be worse than."""

    run: str | Path
    rules: Path
    baseline: str | Path | None = None


def gate(request: GateRequest) -> GateResult:
    """Hold a run against every rule; one that fails does not stop the others.

    Raises: PackError when the file of rules is wrong, with line and field of every fault; UsageError when a rule needs
    a baseline that is not given, and as `run_table`; DataError as `run_table`.
    """
    rules, _ = loading.read(request.rules, GateRules)
    raw = request.rules.read_bytes()
    return hold(rules, request.run, request.baseline, where=_Where(str(request.rules), raw))


class _Where(NamedTuple):
    """The file that rules come from, so that a fault is named by line."""

    name: str = "rules"
    raw: bytes = b""

    def line(self, path: str) -> int:
        """The line of a field; 0 for rules that come from no file."""
        return loading.line_of(self.raw, path) if self.raw else 0


def hold(
    rules: GateRules, run: str | Path, baseline: str | Path | None = None, *, where: _Where | None = None
) -> GateResult:
    """Hold a run against rules at hand. Raises: as `gate`."""
    table = run_table(run)
    faults = _faults(rules, table, has_baseline=baseline is not None, where=where or _Where())
    if faults:
        raise PackError("\n".join(map(str, faults)))
    compared = _compared(rules, run, baseline)
    findings = [_finding(rule, table, compared, rules.level) for rule in rules.rules]
    worst = min((finding.outcome for finding in findings), key=_ORDER.index)
    against = None if baseline is None else readable(baseline)
    return GateResult(run=readable(run), baseline=against, outcome=worst, findings=findings)


def said(rule: GateRule) -> str:
    """A rule in one line: its own name, else what it asks for."""
    if rule.name:
        return rule.name
    where = "".join(f" [{field} {value}]" for field, value in rule.stratum.items())
    bounds = [f"≥ {rule.at_least:g}"] if rule.at_least is not None else []
    bounds += [f"≤ {rule.at_most:g}"] if rule.at_most is not None else []
    if rule.no_worse_than_baseline is not None:
        bounds.append(f"no worse than the baseline by more than {rule.no_worse_than_baseline:g}")
    return f"{rule.metric or rule.count}{where} {' and '.join(bounds)}"


def _faults(rules: GateRules, table: RunTable, *, has_baseline: bool, where: _Where) -> Sequence[Problem]:
    """What a schema cannot say: names that there are not, bounds that are missing, a baseline that is needed."""
    problems: list[Problem] = []

    def fault(index: int, field: str, expected: str, value: object) -> None:
        path = f"$.rules[{index}]" + (f".{field}" if field else "")
        problems.append(
            Problem(
                file=where.name, line=where.line(path), field=path, expected=expected, found=str(value),
            )
        )  # fmt: skip

    names = [_names(column) for column in table.columns]
    for index, rule in enumerate(rules.rules):
        if (rule.metric is None) == (rule.count is None):
            fault(index, "", "one of metric and count", "both" if rule.metric else "neither")
            continue
        if rule.metric is not None and not any(rule.metric in both for both in names):
            known = ", ".join(both[0] for both in names)
            fault(index, "metric", f"a metric and measure of the suite ({known})", rule.metric)
        if rule.count is not None and _counter(table.summary, rule.count) is None:
            fault(index, "count", "a counter of the summary, turn_status.NAME or reply_states.NAME", rule.count)
        if not _bounds(rule):
            fault(index, "", "at_least, at_most or no_worse_than_baseline", "none of them")
        if rule.no_worse_than_baseline is not None and (rule.metric is None or not has_baseline):
            expected = "a metric" if rule.metric is None else "a baseline (--baseline RUN)"
            fault(index, "no_worse_than_baseline", expected, "none")
        for field, expected, value in _wrong_fields(rule):
            fault(index, field, expected, value)
    return problems


def _bounds(rule: GateRule) -> dict[str, float]:
    return {name: bound for name in _BOUNDS if (bound := getattr(rule, name)) is not None}


def _wrong_fields(rule: GateRule) -> Iterator[tuple[str, str, object]]:
    """Fields whose value no run could meet, what is expected there, and what was found."""
    for name, bound in _bounds(rule).items():
        if not math.isfinite(bound):
            yield name, "a finite number", bound
    for field in rule.stratum:
        if field not in STRATA:
            yield f"stratum.{field}", f"one of {', '.join(STRATA)}", field


def _names(column: Column) -> tuple[str, str]:
    return f"{column.metric.code}.{column.measure.name}", f"{column.metric.name}.{column.measure.name}"


def _counter(summary: EvalSummary, name: str) -> int | None:
    group, _, key = name.partition(".")
    if group in _GROUPS:
        counted: dict[str, int] = getattr(summary, group)
        return counted.get(key)
    return summary.counters.get(name)


def _compared(rules: GateRules, run: str | Path, baseline: str | Path | None) -> Comparison | None:
    wanted = [rule for rule in rules.rules if rule.no_worse_than_baseline is not None]
    if not wanted or baseline is None:
        return None
    fields = tuple(field for field in STRATA if any(field in rule.stratum for rule in wanted))
    return compare(CompareRequest((baseline, run), level=rules.level, by=fields))


def _finding(rule: GateRule, table: RunTable, compared: Comparison | None, level: float) -> GateFinding:
    if rule.count is not None:
        value = float(_counter(table.summary, rule.count) or 0)
        outcome, reason = _bounded(rule, value, (value, value))
        return GateFinding(rule=said(rule), outcome=outcome, reason=reason, value=value)
    position = next(at for at, column in enumerate(table.columns) if rule.metric in _names(column))
    estimate = _estimate(table, position, rule.stratum, level)
    if estimate.value is None or estimate.rows < rule.fewest_rows:
        reason = f"rests on {estimate.rows} rows, at least {rule.fewest_rows} are needed"
        return GateFinding(rule=said(rule), outcome="not_enough_data", reason=reason, value=estimate.value,
                           rows=estimate.rows, bounds=estimate.bounds or UNSET)  # fmt: skip
    outcome, reason = _bounded(rule, estimate.value, estimate.interval, estimate)
    if rule.no_worse_than_baseline is not None and compared is not None:
        against, why = _regression(rule, table.columns[position], compared)
        reason = f"{reason}; {why}" if reason else why
        outcome = min(outcome, against, key=_ORDER.index)
    return GateFinding(
        rule=said(rule),
        outcome=outcome,
        reason=reason,
        value=estimate.value,
        interval=estimate.interval,
        rows=estimate.rows,
        bounds=estimate.bounds or UNSET,
    )


class _Estimate(NamedTuple):
    """A measure of the run with its interval, and the rows it rests on.

    Where something was not decided: ``bounds`` of the value, and ``widest``, which runs from the lower limit of the
    interval with all of that at no hit to the upper limit with all of it at hits.
    """

    value: float | None = None
    interval: Interval = None
    rows: int = 0
    bounds: Interval = None
    widest: Interval = None


def _estimate(table: RunTable, column: int, stratum: dict[str, str], level: float) -> _Estimate:
    """A measure of the run; only dialogues of the stratum count."""
    sums: dict[str, tuple[float, float, float]] = {}
    rows = 0
    numbers = (table.hits[:, column], table.totals[:, column], table.undecided[:, column])
    for (dialog_id, _), hits, total, rest in zip(table.keys, *numbers, strict=True):
        own = table.strata.get(dialog_id, {})
        if total + rest <= 0 or any(own.get(field, "(none)") != value for field, value in stratum.items()):
            continue
        before = sums.get(dialog_id, (0.0, 0.0, 0.0))
        sums[dialog_id] = (before[0] + hits, before[1] + total, before[2] + rest)
        rows += bool(total > 0)
    if not sums:
        return _Estimate()
    measure = table.columns[column].measure

    def figure(hits: Floats, totals: Floats) -> tuple[float | None, Interval]:
        result = cluster_bootstrap(
            hits[totals > 0, None], totals[totals > 0, None],
            level=level, ranges=[(measure.low, measure.high)], macro=False,
        )  # fmt: skip
        low, high = result.micro_low[0], result.micro_high[0]
        return result.micro[0], None if low is None or high is None else (low, high)

    hits, totals, rest = np.array([sums[dialog_id] for dialog_id in sorted(sums)]).T
    value, interval = figure(hits, totals) if rows else (None, None)
    if not rest.any():
        return _Estimate(value, interval, rows)
    (least, worst), (most, best) = figure(hits, totals + rest), figure(hits + rest, totals + rest)
    bounds = None if least is None or most is None else (least, most)
    return _Estimate(value, interval, rows, bounds, (worst[0], best[1]) if worst and best else None)


def _bounded(
    rule: GateRule, value: float, interval: Interval, found: _Estimate | None = None
) -> tuple[GateOutcome, str]:
    """Whether a value keeps its bounds: by its whole interval, or by itself where the rule says so.

    Where something was not decided, the value with it at its worst must keep them too.
    """
    by_value = rule.judge_by == "value" or rule.count is not None
    ends = (value, value) if by_value else interval
    undecided = found is not None and found.bounds is not None
    if undecided and found is not None:
        ends = found.bounds if by_value else found.widest
    low, high = ends or (None, None)
    checks: list[tuple[GateOutcome, str]] = []
    for bound, sign, keeps in (
        (rule.at_least, "≥", lambda at, bound: at >= bound),
        (rule.at_most, "≤", lambda at, bound: at <= bound),
    ):
        if bound is not None:
            checks.append(_check(value, (low, high), f"{sign} {bound:g}", bound, keeps))
    if not checks:
        return "pass", ""
    outcome, reason = min(checks, key=lambda check: _ORDER.index(check[0]))
    return (
        outcome,
        f"{reason}; {_ENDS}" if undecided else reason,
    )


def _check(
    value: float,
    ends: tuple[float | None, float | None],
    wanted: str,
    bound: float,
    keeps: Callable[[float, float], bool],
) -> tuple[GateOutcome, str]:
    low, high = ends
    if low is None or high is None:
        return "not_enough_data", f"{value:.4g}, wanted {wanted}; too few dialogues for an interval"
    shown = f"{value:.4g}" if low == high else f"{value:.4g} [{low:.4g}, {high:.4g}]"
    kept = [keeps(end, bound) for end in (low, high)]
    if all(kept):
        return "pass", f"{shown}, wanted {wanted}"
    if any(kept):
        return "not_enough_data", f"{shown} holds both sides of the bound, wanted {wanted}"
    return "fail", f"{shown}, wanted {wanted}"


def _regression(  # noqa: PLR0911 - one return a reason
    rule: GateRule, column: Column, compared: Comparison
) -> tuple[GateOutcome, str]:
    """Whether the run is no worse than the baseline by more than the margin."""
    margin = rule.no_worse_than_baseline or 0.0
    compared_measure = _compared_measure(rule, column, compared)
    if compared_measure is None or compared_measure.difference is None:
        return "not_enough_data", "no turn pairs with the baseline"
    shown = f"difference to the baseline {compared_measure.difference:+.4g}"
    if rule.judge_by == "value":
        return _by_value(compared_measure, compared_measure.difference, margin, shown)
    interval = compared_measure.interval
    if interval is None:
        if compared_measure.wins or compared_measure.losses:
            return "not_enough_data", f"{shown}; too few dialogues for an interval"
        if not compared_measure.undecided_bounds:
            return "pass", f"{shown}: no pair differs"
        interval = compared_measure.difference, compared_measure.difference
    least, most = compared_measure.undecided_bounds or (compared_measure.difference, compared_measure.difference)
    # The interval, moved out by as much as what was not decided could move the difference.
    reach = interval[0] + least - compared_measure.difference, interval[1] + most - compared_measure.difference
    low, high = reach if compared_measure.upward else (-reach[1], -reach[0])
    shown += f" [{reach[0]:+.4g}, {reach[1]:+.4g}], margin {margin:g}"
    if compared_measure.undecided_bounds:
        shown += f"; {_ENDS}"
    if low >= -margin:
        return "pass", shown
    if high < -margin:
        return "fail", shown
    if compared_measure.detectable is not None:
        shown += f"; only a difference of {compared_measure.detectable:.3g} would have been found"
    return "not_enough_data", shown


def _by_value(one: ComparedMeasure, difference: float, margin: float, shown: str) -> tuple[GateOutcome, str]:
    """Whether the difference alone keeps the margin: at its worst to pass, at its best to fail."""
    least, most = one.undecided_bounds or (difference, difference)
    worst, best = (least, most) if one.upward else (-most, -least)
    if worst < -margin <= best:
        why = f"{shown}, could be {least:+.4g} to {most:+.4g} had everything been decided, margin {margin:g}"
        return "not_enough_data", why
    return ("pass" if worst >= -margin else "fail"), f"{shown}, margin {margin:g}"


def _compared_measure(rule: GateRule, column: Column, compared: Comparison) -> ComparedMeasure | None:
    """The comparison of a measure, within the stratum where the rule names one.

    Raises: UsageError for a stratum of more than one field, which a comparison is not broken down by.
    """
    pair = compared.pairs[0]
    measures = pair.measures
    if len(rule.stratum) > 1:
        message = f"{said(rule)}: a comparison with the baseline can be narrowed by one field, found {rule.stratum}"
        raise UsageError(message)
    for field, value in rule.stratum.items():
        measures = pair.strata.get(field, {}).get(value, [])
    return next(
        (
            measure
            for measure in measures
            if (measure.code, measure.measure) == (column.metric.code, column.measure.name)
        ),
        None,
    )
