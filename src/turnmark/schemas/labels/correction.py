"""What people's labels say of the marks of a run (``turnmark correct --format json``)."""

from __future__ import annotations

import msgspec

from turnmark.schemas.results.summary import Interval


class CorrectedMeasure(msgspec.Struct, kw_only=True):
    """One measure: its raw value, what it is after correction, how far marks and people agree.

    ``raw`` is the mean of the marks over all turns to which the measure applies. ``powered`` is the
    prediction-powered mean, ``rogan_gladen`` the corrected share (measures that are yes or no only). ``missed`` are the
    unmarked turns that people marked, of ``unmarked_checked``; ``missed_in_run`` is the number that follows for the
    whole run, with its bounds. ``alpha`` is Krippendorff's, where several people labelled the same turns.

    ``not_decided`` counts the turns, among ``rows``, in which something was not decided; left out where there are none.
    ``raw`` is then that of what was decided, while ``powered`` speaks of all rows: the open part of a turn stands in
    the middle of what it could be, and labels correct it. Agreement counts wholly decided turns only.
    """

    measure: str
    rows: int
    labelled: int
    annotators: int
    raw: float
    powered: float | None
    powered_interval: Interval
    rogan_gladen: float | None = None
    rogan_gladen_interval: Interval = None
    kappa: float | None = None
    accuracy: float | None = None
    sensitivity: float | None = None
    specificity: float | None = None
    alpha: float | None = None
    unmarked_checked: int | None = None
    missed: int | None = None
    miss_rate: float | None = None
    miss_rate_interval: Interval = None
    missed_in_run: float | None = None
    missed_in_run_interval: Interval = None
    disagreements: list[str] = []
    label_next: list[str] = []
    not_decided: int | msgspec.UnsetType = msgspec.UNSET


class Correction(msgspec.Struct, kw_only=True):
    """All measures that were labelled, and what could not be used of the labels."""

    run: str
    labels: int
    unused: list[str]
    measures: list[CorrectedMeasure]
