"""A dataset line: one authored dialogue with its ground truth."""

from __future__ import annotations

import msgspec

from turnmark.schemas.trace import Blueprint, ProfileGroundTruth, RawTurn


class DatasetEvent(msgspec.Struct, kw_only=True):
    """Something the author planned at a turn, such as a hard limit or a change of topic."""

    turn_index: int | None = None
    key: str | None = None
    description: str | None = None


class DatasetDialog(msgspec.Struct, kw_only=True):
    """One authored dialogue: who the user is, what is said, what a good reply must do."""

    dialog_id: str
    turns: list[RawTurn]
    profile_gt: ProfileGroundTruth | None = None
    scenario_type: str | None = None
    difficulty: str | None = None
    language: str | None = None
    events: list[DatasetEvent] | None = None
    blueprint: Blueprint | None = None
