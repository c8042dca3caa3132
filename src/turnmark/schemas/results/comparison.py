"""What a comparison of runs says (``turnmark compare --format json``)."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnmark.schemas.marks import FaultKind
from turnmark.schemas.results.summary import Interval, Resampling

NOT_DECIDED = "not decided"
"""In the changes of a turn, in place of a value that could not be decided."""


class ComparedMeasure(msgspec.Struct, kw_only=True):
    """One measure of two systems over the turns that both have.

    ``difference`` is second minus first. ``p_holm`` and ``p_bh`` are adjusted over all measures of the comparison.
    ``wins`` counts the pairs in which the second system is better, ``losses`` those in which it is worse. ``better`` is
    the system that is better after Holm's correction, ``undecided`` else. Figures that the data do not give are null.

    ``coverage`` is the share of the common turns (or dialogues) in which both systems have a value. ``missing`` counts
    the pairs in which the metric failed on a side, ``missing_bounds`` are the least and the greatest difference that
    these could have made. ``interval_method`` names how the interval was made.

    ``undecided_bounds`` are the least and the greatest difference that there could be had everything been decided, in
    the pairs with anything to decide on both sides; left out where everything was. A significant difference whose sign
    they could turn or undo is not called: ``better`` stays ``undecided`` and ``undecided_could_undo`` is true.
    ``to_decide`` counts these pairs; of them ``pairs`` were decided in both runs, and figures are of those.
    """

    metric: str
    code: str
    measure: str
    upward: bool
    first: float | None
    second: float | None
    difference: float | None
    interval: Interval
    standard_error: float | None
    p_value: float | None
    p_holm: float | None
    p_bh: float | None
    effect: float | None
    detectable: float | None
    dialogs: int
    pairs: int
    wins: int
    ties: int
    losses: int
    dialogs_needed: int | None = None
    better: Literal["first", "second", "undecided"] = "undecided"
    coverage: float | None = None
    missing: int = 0
    missing_bounds: Interval = None
    interval_method: str | None = None
    undecided_bounds: tuple[float, float] | msgspec.UnsetType = msgspec.UNSET
    undecided_could_undo: bool | msgspec.UnsetType = msgspec.UNSET
    to_decide: int | msgspec.UnsetType = msgspec.UNSET


class Unpaired(msgspec.Struct, kw_only=True):
    """Turns that only one of the two runs has: how many, and the first of them."""

    only_first: int
    only_second: int
    examples: list[str]


class ChangedTurn(msgspec.Struct, kw_only=True):
    """A turn that the two systems answered with different marks: what changed, both replies, what was found in them.

    ``first_fault`` and ``second_fault`` are the gravest kinds of fault of either reply, None where it has none;
    ``first_open`` and ``second_open`` say whether something in it was not decided.
    """

    dialog_id: str
    turn_pair_id: int
    changes: list[str]
    user_text: str = ""
    first_reply: str = ""
    second_reply: str = ""
    first_evidence: list[str] = []
    second_evidence: list[str] = []
    first_fault: FaultKind | None = None
    second_fault: FaultKind | None = None
    first_open: bool = False
    second_open: bool = False


class PairComparison(msgspec.Struct, kw_only=True):
    """Two runs compared."""

    first: str
    second: str
    measures: list[ComparedMeasure]
    strata: dict[str, dict[str, list[ComparedMeasure]]]
    unpaired: Unpaired
    signature_differences: list[str]
    changed: list[ChangedTurn]
    changed_total: int


class TableCell(msgspec.Struct, kw_only=True):
    """One system's value of a measure, with its own interval (None below the minimum of dialogues).

    ``best`` of its group; ``close``: not significantly worse than the best of its group (p at least 1 - level), or by
    what things that were not decided could undo. ``rows`` counts the turns (or dialogues) that the value rests on.
    """

    value: float | None
    best: bool = False
    close: bool = False
    interval: Interval = None
    standard_error: float | None = None
    interval_method: str | None = None
    rows: int = 0


class TurnPoint(msgspec.Struct, kw_only=True):
    """A measure of one system at one turn number, pooled over ``rows`` turns."""

    turn: int
    value: float
    rows: int


class TableRow(msgspec.Struct, kw_only=True):
    """One measure of every system; ``low`` and ``high`` are the ends of its scale.

    ``trend`` holds for each system its figures by turn number, over all of its turns; it is empty where the measure is
    one of dialogues, or nothing has two turn numbers. ``to_decide`` counts the turns in which all systems have
    something to decide, where they are one group and not all of it was; figures are of the ``rows`` decided in all.
    """

    code: str
    metric: str
    measure: str
    upward: bool
    cells: list[TableCell]
    low: float = 0.0
    high: float = 1.0
    trend: list[list[TurnPoint]] = []
    to_decide: int | msgspec.UnsetType = msgspec.UNSET


class SystemGroup(msgspec.Struct, kw_only=True):
    """Systems that share turns; their figures in the table rest on the turns that all of them have, counted here."""

    systems: list[str]
    turns: int
    dialogs: int


class Comparison(msgspec.Struct, kw_only=True):
    """Several runs compared: every one with the first of its group, and all of them in one table.

    There is one group where all systems share turns, and the table rests on these. Else a system belongs to the first
    group that it shares turns with; figures and marks of the table are those of the groups. ``shared_turns`` says how
    many turns each two systems share, its diagonal how many each has; ``paired_turns`` how many all share.
    """

    systems: list[str]
    suite: str
    pairs: list[PairComparison]
    table: list[TableRow]
    paired_turns: int
    resampling: Resampling
    groups: list[SystemGroup] = []
    shared_turns: list[list[int]] = []
