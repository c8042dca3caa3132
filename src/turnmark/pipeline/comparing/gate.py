"""A run against rules: pass, fail, or not enough data to say, each rule with its reason."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import UNSET

from turnmark.errors import PackError, UsageError
from turnmark.locale.texts import ENGLISH, Texts, filled
from turnmark.metrics import catalog
from turnmark.packs import loading
from turnmark.pipeline.comparing.compare import compare, unpaired
from turnmark.pipeline.comparing.request import CompareRequest
from turnmark.pipeline.comparing.run_table import STRATA, Column, RunTable, run_table
from turnmark.pipeline.comparing.worst_case import Estimate, estimate, joined, missing_difference, with_missing
from turnmark.schemas.problems import Problem, readable
from turnmark.schemas.results.comparison import ComparedMeasure, Comparison
from turnmark.schemas.results.gate import GateFinding, GateOutcome, GateResult, GateRule, GateRules
from turnmark.schemas.results.summary import EvalSummary, Interval

_ORDER: tuple[GateOutcome, ...] = ("fail", "not_enough_data", "pass")
_BOUNDS = ("at_least", "at_most", "no_worse_than_baseline")
_GROUPS = ("turn_status", "reply_states")


class GateRequest(NamedTuple):
    """The run that must pass, the rules, and the run it must not be worse than."""

    run: str | Path
    rules: Path
    baseline: str | Path | None = None


def gate(request: GateRequest, texts: Texts = ENGLISH) -> GateResult:
    """Hold a run against every rule; one that fails does not stop the others. ``texts`` word the reasons.

    Raises: PackError when the file of rules is wrong, with line and field of every fault; UsageError when a rule needs
    a baseline that is not given, and as `run_table`; DataError as `run_table`.
    """
    rules, _ = loading.read(request.rules, GateRules)
    raw = request.rules.read_bytes()
    return hold(rules, request.run, request.baseline, where=_Where(str(request.rules), raw), texts=texts)


class _Where(NamedTuple):
    """The file that rules come from, so that a fault is named by line."""

    name: str = "rules"
    raw: bytes = b""

    def line(self, path: str) -> int:
        """The line of a field; 0 for rules that come from no file."""
        return loading.line_of(self.raw, path) if self.raw else 0


def hold(
    rules: GateRules, run: str | Path, baseline: str | Path | None = None, *, where: _Where | None = None,
    texts: Texts = ENGLISH,
) -> GateResult:  # fmt: skip
    """Hold a run against rules at hand. Raises: as `gate`."""
    table = run_table(run)
    faults = _faults(rules, table, has_baseline=baseline is not None, where=where or _Where())
    if faults:
        raise PackError("\n".join(map(str, faults)))
    other = None if baseline is None else run_table(baseline)
    if other is not None and other.summary.suite_name != table.summary.suite_name:
        message = f"--baseline: expected a run of suite {table.summary.suite_name}, found {other.summary.suite_name}"
        raise UsageError(message)
    against = None if other is None else unpaired(other, table, set(other.keys) & set(table.keys))
    held = _Held(
        table if other is None else with_missing(table, other), len(table.keys), other,
        _compared(rules, run, baseline), rules.level, against.only_first if against else 0, texts,
    )  # fmt: skip
    findings = [_finding(rule, held) for rule in rules.rules]
    worst = min((finding.outcome for finding in findings), key=_ORDER.index)
    return GateResult(
        run=readable(run), baseline=None if baseline is None else readable(baseline), outcome=worst, findings=findings,
        unpaired=against if against and (against.only_first or against.only_second) else UNSET,
    )  # fmt: skip


class _Held(NamedTuple):
    """A run, with the rows that only the baseline has behind its own ``rows``, and what it is held against."""

    table: RunTable
    rows: int
    baseline: RunTable | None
    compared: Comparison | None
    level: float
    missing_turns: int
    texts: Texts


def said(rule: GateRule, texts: Texts = ENGLISH) -> str:
    """A rule in one line: its own name, else what it asks for."""
    if rule.name:
        return rule.name
    where = "".join(f" [{field} {value}]" for field, value in rule.stratum.items())
    bounds = [f"≥ {rule.at_least:g}"] if rule.at_least is not None else []
    bounds += [f"≤ {rule.at_most:g}"] if rule.at_most is not None else []
    if rule.no_worse_than_baseline is not None:
        bounds.append(filled(texts, "gate_no_worse", margin=f"{rule.no_worse_than_baseline:g}"))
    return f"{rule.metric or rule.count}{where} {joined(bounds, texts)}"


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
            fault(index, "metric", _expected_metric(rule.metric, names, table.summary.suite_name), rule.metric)
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


def _expected_metric(found: str, names: Sequence[tuple[str, str]], suite: str) -> str:
    """What a rule can name: the measures of the metric that it means, else all of the suite and whose its metric is."""
    head = found.partition(".")[0]
    own = [short for short, long in names if head in (short.partition(".")[0], long.partition(".")[0])]
    if own:
        return f"a metric and measure: {' or '.join(own)}"
    listed = f"a metric and measure of the suite {suite} ({', '.join(short for short, _ in names)})"
    other = catalog.known(head)
    return listed if other is None else f"{listed}; {head} is one of the suite {other.suite}"


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


def _finding(rule: GateRule, held: _Held) -> GateFinding:
    if rule.count is not None:
        return _of_count(rule, held)
    position = next(at for at, column in enumerate(held.table.columns) if rule.metric in _names(column))
    found = estimate(held.table, position, rule.stratum, held.level, held.rows)
    if found.value is None or found.rows < rule.fewest_rows:
        reason = filled(held.texts, "gate_rests", rows=found.rows, least=rule.fewest_rows)
        return GateFinding(rule=said(rule, held.texts), outcome="not_enough_data", reason=reason, value=found.value,
                           rows=found.rows, bounds=found.bounds or UNSET)  # fmt: skip
    outcome, reason = _bounded(rule, found.value, found.interval, held.texts, found)
    if rule.no_worse_than_baseline is not None and held.compared is not None:
        against, why = _regression(rule, position, held)
        reason = f"{reason}; {why}" if reason else why
        outcome = min(outcome, against, key=_ORDER.index)
    return GateFinding(
        rule=said(rule, held.texts),
        outcome=outcome,
        reason=reason,
        value=found.value,
        interval=found.interval,
        rows=found.rows,
        bounds=found.bounds or UNSET,
    )


def _of_count(rule: GateRule, held: _Held) -> GateFinding:
    """A counter; a turn that only the baseline has could be one more of every kind of turns."""
    value = float(_counter(held.table.summary, rule.count or "") or 0)
    missing = held.missing_turns if (rule.count or "").partition(".")[0] in _GROUPS else 0
    found = Estimate(value, bounds=(value, value + missing), missing=missing) if missing else None
    outcome, reason = _bounded(rule, value, (value, value), held.texts, found)
    return GateFinding(rule=said(rule, held.texts), outcome=outcome, reason=reason, value=value,
                       bounds=(value, value + missing) if missing else UNSET)  # fmt: skip


def _bounded(
    rule: GateRule, value: float, interval: Interval, texts: Texts, found: Estimate | None = None
) -> tuple[GateOutcome, str]:
    """Whether a value keeps its bounds: by its whole interval, or by itself where the rule says so.

    Where something was not decided, or rows failed or are missing, the value must keep them with that at its worst too.
    """
    by_value = rule.judge_by == "value" or rule.count is not None
    ends = (value, value) if by_value else interval
    said_of_ends = found.ends(texts) if found is not None else ""
    if found is not None and found.bounds is not None:
        ends = found.bounds if by_value else found.widest
    low, high = ends or (None, None)
    checks: list[tuple[GateOutcome, str]] = []
    for bound, sign, keeps in (
        (rule.at_least, "≥", lambda at, bound: at >= bound),
        (rule.at_most, "≤", lambda at, bound: at <= bound),
    ):
        if bound is not None:
            checks.append(_check(value, (low, high), f"{sign} {bound:g}", bound, keeps, texts))
    if not checks:
        return "pass", ""
    outcome, reason = min(checks, key=lambda check: _ORDER.index(check[0]))
    return (
        outcome,
        f"{reason}; {said_of_ends}" if said_of_ends else reason,
    )


def _check(
    value: float,
    ends: tuple[float | None, float | None],
    wanted: str,
    bound: float,
    keeps: Callable[[float, float], bool],
    texts: Texts,
) -> tuple[GateOutcome, str]:
    low, high = ends
    if low is None or high is None:
        asked = filled(texts, "gate_wanted", shown=f"{value:.4g}", wanted=wanted)
        return "not_enough_data", filled(texts, "gate_few", shown=asked)
    shown = f"{value:.4g}" if low == high else f"{value:.4g} [{low:.4g}, {high:.4g}]"
    kept = [keeps(end, bound) for end in (low, high)]
    if all(kept):
        return "pass", filled(texts, "gate_wanted", shown=shown, wanted=wanted)
    if any(kept):
        return "not_enough_data", filled(texts, "gate_both", shown=shown, wanted=wanted)
    return "fail", filled(texts, "gate_wanted", shown=shown, wanted=wanted)


def _regression(  # noqa: PLR0911 - one return a reason
    rule: GateRule, place: int, held: _Held
) -> tuple[GateOutcome, str]:
    """Whether the run is no worse than the baseline by more than the margin."""
    margin, texts = rule.no_worse_than_baseline or 0.0, held.texts
    one = _compared_measure(rule, held.table.columns[place], held.compared) if held.compared else None
    if one is None or one.difference is None or held.baseline is None:
        return "not_enough_data", texts["gate_no_pair"]
    shown = filled(texts, "gate_difference", difference=f"{one.difference:+.4g}")
    without = missing_difference(held.baseline, held.table, place, rule.stratum)
    reach = _reach(one.difference, one.undecided_bounds or None, without)
    ends = [texts["gate_ends_undecided"]] * bool(one.undecided_bounds) + [texts["gate_ends_missing"]] * bool(without)
    if rule.judge_by == "value":
        return _by_value(one, reach, margin, shown, ends, texts)
    interval = one.interval
    if interval is None:
        if one.wins or one.losses:
            return "not_enough_data", filled(texts, "gate_few", shown=shown)
        if not ends:
            return "pass", filled(texts, "gate_no_difference", shown=shown)
        interval = one.difference, one.difference
    # The interval, moved out by as much as what has no value could move the difference.
    reach = interval[0] + reach[0] - one.difference, interval[1] + reach[1] - one.difference
    low, high = reach if one.upward else (-reach[1], -reach[0])
    shown = f"{shown} [{reach[0]:+.4g}, {reach[1]:+.4g}]"
    shown = "; ".join([filled(texts, "gate_margin", shown=shown, margin=f"{margin:g}"), *ends])
    if low >= -margin:
        return "pass", shown
    if high < -margin:
        return "fail", shown
    if one.detectable is not None:
        shown += "; " + filled(texts, "gate_detectable", difference=f"{one.detectable:.3g}")
    return "not_enough_data", shown


def _reach(difference: float, *bounds: Interval) -> tuple[float, float]:
    """The least and the greatest difference, moved out by what each of the bounds allows."""
    known = [each for each in bounds if each]
    return (
        difference + sum(min(0.0, least - difference) for least, _ in known),
        difference + sum(max(0.0, most - difference) for _, most in known),
    )


def _by_value(
    one: ComparedMeasure, reach: tuple[float, float], margin: float, shown: str, ends: Sequence[str], texts: Texts
) -> tuple[GateOutcome, str]:
    """Whether the difference alone keeps the margin: at its worst to pass, at its best to fail."""
    least, most = reach
    worst, best = (least, most) if one.upward else (-most, -least)
    if worst < -margin <= best:
        why = filled(texts, "gate_could", shown=shown, least=f"{least:+.4g}", most=f"{most:+.4g}")
        why = filled(texts, "gate_margin", shown=why, margin=f"{margin:g}")
        return "not_enough_data", "; ".join([why, *ends[1 if one.undecided_bounds else 0 :]])
    return ("pass" if worst >= -margin else "fail"), filled(texts, "gate_margin", shown=shown, margin=f"{margin:g}")


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
