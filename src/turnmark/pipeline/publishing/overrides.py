"""Reviewers' overrides of a run folder, joined with what the run itself says of their turns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from turnmark.pipeline.publishing.run_turns import Key, fingerprints, turns_of
from turnmark.report.view.data import OverrideView, TurnView
from turnmark.report.view.overrides import with_raw
from turnmark.runs.folder import OVERRIDES
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.labels.overrides import Override
from turnmark.schemas.problems import Problem


class Overrides(NamedTuple):
    """The overrides in the order of the file, and the lines that could not be used."""

    views: list[OverrideView]
    problems: list[Problem]
    by_turn: dict[Key, list[OverrideView]]

    def beside(self, views: Sequence[TurnView]) -> list[TurnView]:
        """The turns with their overrides."""
        if not self.views:
            return list(views)
        return [
            view._replace(overrides=tuple(self.by_turn.get((view.dialog_id, view.turn_pair_id), ()))) for view in views
        ]


def read_overrides(folder: Path) -> Overrides:
    """The overrides of a run; none when nobody wrote any.

    A line that is no override, names a turn that the run does not have, or was said of the turn when it was another
    one is a problem and is not used.
    """
    path = folder / OVERRIDES
    if not path.is_file():
        return Overrides([], [], {})
    results: list[tuple[Override, int]] = []
    problems: list[Problem] = []
    for record in Reader(Override).read(path):
        if isinstance(record, Problem):
            problems.append(msgspec.structs.replace(record, file=OVERRIDES))  # the page holds no path of a machine
        else:
            results.append((record.value, record.line.number))
    wanted = {(item.dialog_id, item.turn_pair_id) for item, _ in results}
    turns = {(view.dialog_id, view.turn_pair_id): view for view in turns_of(folder, wanted)}
    bound = {(item.dialog_id, item.turn_pair_id) for item, _ in results if item.fingerprint}
    now = fingerprints(folder, bound)
    views = []
    for item, line in results:
        turn = turns.get((item.dialog_id, item.turn_pair_id))
        if turn is None:
            problems.append(_no_turn(item, line))
            continue
        if item.fingerprint and now.get((item.dialog_id, item.turn_pair_id)) != item.fingerprint:
            problems.append(_another_turn(item, line))
            continue
        views.append(with_raw(item, turn.row, turn.evidence))
    by_turn: dict[Key, list[OverrideView]] = {}
    for view in views:
        by_turn.setdefault((view.override.dialog_id, view.override.turn_pair_id), []).append(view)
    return Overrides(views, problems, by_turn)


def _no_turn(override: Override, line: int) -> Problem:
    return Problem(
        file=OVERRIDES,
        line=line,
        field="$.turn_pair_id",
        expected="a turn of this run",
        found=f"turn {override.turn_pair_id} of {override.dialog_id!r}",
    )


def _another_turn(override: Override, line: int) -> Problem:
    return Problem(
        file=OVERRIDES,
        line=line,
        field="$.fingerprint",
        expected=f"turn {override.turn_pair_id} of {override.dialog_id!r} as it was when the override was written",
        found="another text",
        advice="look at the turn again",
    )
