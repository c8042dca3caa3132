"""What a model is asked about finance dialogues: a grade of each explanation (M5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnmark.errors import UsageError
from turnmark.judges.llm.config import JudgeConfig
from turnmark.judges.llm.rubric import m5_rubric
from turnmark.suites.finance.dialogue import graded_item
from turnmark.suites.grading import GradeItem, GradeTask
from turnmark.suites.ground_truth import GroundTruth
from turnmark.suites.judging import JudgeRequest, JudgeTask, Judging, dialogs, refuse
from turnmark.suites.traces import trace_lines


def _task(request: JudgeRequest, config: JudgeConfig) -> JudgeTask[Any]:
    if request.only_undecided:
        message = (
            "--only-undecided: the rules of suite finance decide every turn (M5 counts the elements that are there): "
            "nothing is left to ask a model; leave it out to have explanations graded"
        )
        raise UsageError(message)
    refuse(request, "packs", "earlier_turns")
    return GradeTask(request, config, _graded_turns, m5_rubric, LACKING)


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


LACKING = (
    "a turn is graded when it was answered and its ground truth names what an explanation must hold "
    "(gt_turn_tags.explainability_rubric_gt): found none"
)

JUDGING = Judging(_task, "reply that explains")
