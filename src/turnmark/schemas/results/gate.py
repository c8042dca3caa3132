"""Rules of a gate (``gate.yaml``) and what came of them (``turnmark gate --format json``)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from turnmark.schemas.results.comparison import Unpaired
from turnmark.schemas.results.summary import Interval

GateOutcome = Literal["pass", "fail", "not_enough_data"]
Level = Annotated[float, msgspec.Meta(gt=0.0, lt=1.0)]


class GateRule(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One thing that a run must meet.

    Either ``metric`` (``M4.severe_violation_rate``: code or name of a metric, a dot, a measure) or ``count`` (a counter
    of the summary, ``turn_status.error`` or ``reply_states.echo``) says what is looked at; ``stratum`` narrows a metric
    to dialogues with these values. ``at_least`` and ``at_most`` bound a value. ``no_worse_than_baseline`` compares with
    the baseline run and allows a loss of that much. ``judge_by`` says whether the whole interval must keep the bound
    (the default) or the value alone; ``fewest_rows`` is how many rows the value must rest on. Where things were not
    decided, or rows failed or are missing (the baseline has them), a rule passes only if it does with all of them at
    their worst, and fails only if it does with all of them at their best; else there is not enough data.
    """

    metric: str | None = None
    count: str | None = None
    name: str | None = None
    stratum: dict[str, str] = {}
    at_least: float | None = None
    at_most: float | None = None
    no_worse_than_baseline: Annotated[float, msgspec.Meta(ge=0.0)] | None = None
    judge_by: Literal["interval", "value"] = "interval"
    fewest_rows: Annotated[int, msgspec.Meta(ge=1)] = 1


class GateRules(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A file of rules. ``level`` is that of every interval."""

    rules: Annotated[list[GateRule], msgspec.Meta(min_length=1)]
    level: Level = 0.95


class GateFinding(msgspec.Struct, kw_only=True):
    """What one rule found: the outcome, and in one line why.

    ``bounds`` are what the value could be had everything been decided and every row a value; left out where it is so.
    """

    rule: str
    outcome: GateOutcome
    reason: str
    value: float | None = None
    interval: Interval = None
    rows: int | None = None
    bounds: tuple[float, float] | msgspec.UnsetType = msgspec.UNSET


class GateResult(msgspec.Struct, kw_only=True):
    """All findings; the outcome of the gate is the worst of them: fail, then not enough data, then pass.

    ``unpaired`` are the turns that only the baseline (first) or only the run has; left out where there are none.
    """

    run: str
    baseline: str | None
    outcome: GateOutcome
    findings: list[GateFinding]
    unpaired: Unpaired | msgspec.UnsetType = msgspec.UNSET
