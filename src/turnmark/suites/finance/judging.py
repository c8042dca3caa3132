"""What a model is asked about finance dialogues: a grade of each explanation (M5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnmark.judges.llm.config import JudgeConfig
from turnmark.judges.llm.rubric import m5_rubric
from turnmark.suites.finance.dialogue import graded_item
from turnmark.suites.grading import GradeDocket, GradeItem
from turnmark.suites.ground_truth import GroundTruth
from turnmark.suites.judging import JudgeRequest, JudgeTask, Judging, dialogs, refuse
from turnmark.suites.traces import trace_lines


def _docket(request: JudgeRequest, config: JudgeConfig) -> JudgeTask[Any]:
    refuse(request, "packs", "earlier_turns")
    return GradeDocket(request, config, _graded_turns, m5_rubric)


def _graded_turns(request: JudgeRequest, problems: list[str]) -> Iterator[GradeItem]:
    truth = GroundTruth(request.dataset) if request.dataset else None
    for path in request.cases:
        for dialog in dialogs(trace_lines(path), problems):
            if truth is not None:
                truth.complete(dialog)
            for turn in dialog.turns or () if dialog.valid_dialog else ():
                fields = graded_item(dialog, turn)
                if fields is not None:
                    yield GradeItem(f"{dialog.dialog_id}:{turn.turn_pair_id}", fields)


JUDGING = Judging(_docket, "reply that explains")
