"""The summary of a run (``metrics_summary.json``): every figure that a page shows.

Source: metrics contract v1, section 2 (``MetricResult``, ``EvalSummary``) and 9. Beyond the contract a result carries
intervals, denominators, the same figures over turns in the state "normal" only, and strata. Undefined figures are 0.0
with a zero denominator beside them, as the contract says; people are shown "n/a".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import msgspec

from turnmark.schemas.turn_eval import SUITE

Interval = tuple[float, float] | None
IntervalMethod = Literal["percentile", "bca", "analytic"]
INTERVAL_METHODS: tuple[IntervalMethod, ...] = get_args(IntervalMethod)
"""``percentile`` (the default) and ``bca`` resample dialogues; ``analytic`` takes Wilson's formula or Student's t."""


class Signature(msgspec.Struct, kw_only=True):
    """Everything that shapes the numbers; its hash is the manifest's ``config_fingerprint``."""

    suite: str
    detect: str
    metrics: dict[str, str]
    detectors: dict[str, str]
    packs: dict[str, str]
    language_tools: dict[str, str]
    settings: dict[str, str]
    seed: int
    data_sha256: str


class InputCounts(msgspec.Struct, kw_only=True):
    """What was read: files, lines with content, lines left out because they could not be read."""

    files: int = 0
    lines: int = 0
    rejected_lines: int = 0
    warnings: int = 0


class Figures(msgspec.Struct, kw_only=True):
    """One metric over one set of rows.

    ``coverage`` is the share of rows that have a value, None without rows. ``missing_bounds`` are what a figure would
    be if every failed row stood at the lowest or at the highest end of the scale; equal where no row failed.
    ``interval_methods`` names how each interval was made: the method of the run, or ``rare`` where an exact limit took
    the place of a bound.

    A measure of which something was not decided stands in ``undecided`` (how many things were not; ``denominators``
    count those that were), ``decided_share`` (decided things of all) and ``bounds``: what the figure would be if all
    that is not decided counted as no hit, and if it counted as hits. Where everything was decided the fields are left
    out.
    """

    micro: dict[str, float]
    counts: dict[str, int]
    denominators: dict[str, float]
    intervals: dict[str, Interval]
    standard_errors: dict[str, float | None] = {}
    interval_methods: dict[str, str | None] = {}
    coverage: float | None = None
    missing_bounds: dict[str, Interval] = {}
    decided_share: dict[str, float] | msgspec.UnsetType = msgspec.UNSET
    bounds: dict[str, tuple[float, float]] | msgspec.UnsetType = msgspec.UNSET
    undecided: dict[str, float] | msgspec.UnsetType = msgspec.UNSET


class MetricResult(msgspec.Struct, kw_only=True):
    """One metric: pooled over all rows (micro), mean over dialogues (macro), counts, and each dialogue.

    ``standard_errors``, ``interval_methods``, ``coverage``, ``missing_bounds``, ``undecided``, ``decided_share`` and
    ``bounds`` are those of `Figures`; ``macro_bounds`` are the means over dialogues.
    """

    metric_name: str
    micro: dict[str, float]
    macro: dict[str, float]
    counts: dict[str, int]
    by_dialog: Mapping[str, Mapping[str, float]]
    denominators: dict[str, float] = {}
    intervals: dict[str, Interval] = {}
    macro_intervals: dict[str, Interval] = {}
    standard_errors: dict[str, float | None] = {}
    macro_standard_errors: dict[str, float | None] = {}
    interval_methods: dict[str, str | None] = {}
    macro_interval_methods: dict[str, str | None] = {}
    coverage: float | None = None
    missing_bounds: dict[str, Interval] = {}
    normal_only: Figures | None = None
    strata: dict[str, dict[str, Figures]] = {}
    decided_share: dict[str, float] | msgspec.UnsetType = msgspec.UNSET
    bounds: dict[str, tuple[float, float]] | msgspec.UnsetType = msgspec.UNSET
    macro_bounds: dict[str, tuple[float, float]] | msgspec.UnsetType = msgspec.UNSET
    undecided: dict[str, float] | msgspec.UnsetType = msgspec.UNSET


def as_builtin(value: object) -> dict[object, object]:
    """What msgspec is to encode where it meets a mapping that is no dict, as ``by_dialog`` of a run just scored is.

    Raises: NotImplementedError for anything else.
    """
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError


def decided_share(figures: Figures | MetricResult, measure: str) -> float:
    """The share of things that were decided; 1 where the figures name none that was not."""
    return figures.decided_share.get(measure, 1.0) if figures.decided_share else 1.0


def undecided_of(figures: Figures | MetricResult, measure: str) -> float | None:
    """How many things were not decided; None where a summary of earlier days names only the share that was."""
    if figures.undecided:
        return figures.undecided.get(measure, 0.0)
    return None if decided_share(figures, measure) < 1 else 0.0


def bounds_of(figures: Figures | MetricResult, measure: str) -> Interval:
    """What a figure could be had everything been decided; None where everything was."""
    return figures.bounds.get(measure) if figures.bounds else None


class Deciders(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Who decided the verdicts of one metric, where several judges shared the work.

    ``decided`` counts verdicts by judge (``rules``, ``nli:FOLDER``, ``llm:MODEL``), ``open`` those that nobody could
    decide. Of those that a judge had decided ``audited`` were asked of the model as well, and ``contradicted`` it
    answered otherwise.
    """

    decided: dict[str, int] = {}
    open: int = 0
    audited: int = 0
    contradicted: int = 0

    def add(self, other: Deciders) -> None:
        """Count what another dialogue gave."""
        for name, count in other.decided.items():
            self.decided[name] = self.decided.get(name, 0) + count
        self.open += other.open
        self.audited += other.audited
        self.contradicted += other.contradicted


class UnreadConstraint(msgspec.Struct, kw_only=True):
    """A constraint of users that no rule reads: replies are not checked against it.

    ``understood`` says what is known of it all the same ("" for nothing), ``dialogs`` how many dialogues ask for it.
    """

    text: str
    understood: str
    dialogs: int


class Resampling(msgspec.Struct, kw_only=True):
    """How the intervals were made."""

    method: str
    level: float
    resamples: int
    seed: int
    minimum_clusters: int


DEFAULT_SUITE = SUITE
"""The suite of a command, summary or row that names none: the first there was."""


class EvalSummary(msgspec.Struct, kw_only=True, omit_defaults=True):
    """All metrics of one run.

    ``deciders`` says by metric who decided, where several judges shared the work; ``unread_constraints`` are what users
    asked for and no rule holds replies to, in the order in which they came.
    """

    run_id: str
    trace_version: str
    dataset_path: str
    metrics: dict[str, MetricResult]
    counters: dict[str, int]
    model_name: str | None = None
    suite: str | None = None
    detect: str | None = None
    turnmark_version: str | None = None
    config_fingerprint: str | None = None
    signature: Signature | None = None
    turn_status: dict[str, int] = {}
    reply_states: dict[str, int] = {}
    flags: list[str] = []
    input: InputCounts | None = None
    resampling: Resampling | None = None
    deciders: dict[str, Deciders] = {}
    unread_constraints: list[UnreadConstraint] = []

    @property
    def suite_name(self) -> str:
        """The suite of the run, of one from before suites were named too."""
        return self.suite or DEFAULT_SUITE
