"""Ground truth from a dataset file for traces that do not carry their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from turnmark.schemas.dataset import DatasetDialog
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import DialogTrace


def dataset_problems(path: Path) -> Iterator[Problem]:
    """What is wrong with the lines of a dataset file; a dialogue that cannot be read leaves its trace without it."""
    for item in Reader(DatasetDialog).read(path):
        problem = item if isinstance(item, Problem) else item.warning
        if problem is not None:
            yield problem


def unmatched(path: Path, dialogs: int, matched: int) -> Problem | None:
    """What to say when a dataset gives nothing to some of the dialogues that were read; None when it knows them all."""
    if matched == dialogs:
        return None
    return Problem(
        file=str(path),
        field="$.dialog_id",
        expected=f"the ids of the {dialogs} dialogues read",
        found=f"{matched} of them" if matched else "none of them",
        advice="the others keep the ground truth of their trace; name the dataset that the traces were made from",
        severity="warning",
    )


class GroundTruth:
    """The dialogues of a dataset by id, kept as bytes so that a large dataset stays small in memory."""

    def __init__(self, path: Path) -> None:
        self._dialogs: dict[str, bytes] = {}
        self._decoder = msgspec.json.Decoder(DatasetDialog)
        encoder = msgspec.json.Encoder()
        for item in Reader(DatasetDialog).read(path):
            if not isinstance(item, Problem):
                self._dialogs[item.value.dialog_id] = encoder.encode(item.value)

    def complete(self, dialog: DialogTrace) -> bool:
        """Fill what the trace leaves open: profile, blueprint, raw turns, strata, language, tags. Its own stay.

        False when the dataset does not know the dialogue.
        """
        raw = self._dialogs.get(dialog.dialog_id)
        if raw is None:
            return False
        source = self._decoder.decode(raw)
        for field in ("profile_gt", "blueprint", "scenario_type", "difficulty", "language"):
            if getattr(dialog, field) is None:
                setattr(dialog, field, getattr(source, field))
        if dialog.raw_turns is None:
            dialog.raw_turns = source.turns
        for turn in dialog.turns or ():
            if turn.gt_turn_tags is None and 0 <= turn.gt_assistant_abs_idx < len(source.turns):
                turn.gt_turn_tags = source.turns[turn.gt_assistant_abs_idx].turn_tags
        return True
