"""What a model is asked to grade by a rubric: cases, or the explanations of finance dialogues (M5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from turnmark.errors import UsageError
from turnmark.judges.llm.config import JudgeConfig, make_client
from turnmark.judges.llm.estimate import EstimatingJudge
from turnmark.judges.llm.rubric import Rubric, RubricJudge, m5_rubric
from turnmark.judges.recorded import Judgement, key_of, shown_item
from turnmark.packs.loading import read
from turnmark.pipeline.judging.work import Judged, JudgeRequest, dialogs, recorded_cases, refuse
from turnmark.schemas.jsonl import read_lines
from turnmark.suites.finance.dialogue import graded_item
from turnmark.suites.ground_truth import GroundTruth


class GradeItem(NamedTuple):
    """One answer to be graded, with everything that a rubric may show."""

    name: str
    fields: dict[str, Any]


class GradeDocket:
    """Answers graded by a rubric: cases, or turns of finance dialogues that ask for an explanation (M5)."""

    def __init__(self, request: JudgeRequest, config: JudgeConfig) -> None:
        if request.metrics:
            message = "--metric: a rubric gives one grade; leave --metric out"
            raise UsageError(message)
        refuse(request, "packs", "earlier_turns", *(() if request.suite == "finance" else ("dataset",)))
        if request.suite == "clinical":
            message = (
                "--rubric: expected --suite rag or finance; events are judged by --suite clinical without a rubric"
            )
            raise UsageError(message)
        self._request = request
        rubric = m5_rubric() if request.rubric is None else read(request.rubric, Rubric)[0]
        self.rubric = rubric
        self._judge = RubricJudge(rubric, make_client(config), repeat=config.repeat)
        self.client = self._judge.client

    def signature(self) -> dict[str, Any]:
        """See `Docket`."""
        return {**self._judge.signature(), "suite": self._request.suite}

    def items(self, problems: list[str]) -> Iterator[GradeItem]:
        """See `Docket`."""
        if self._request.suite == "finance":
            return _graded_turns(self._request, problems)
        cases = recorded_cases(self._request.cases, problems, earlier=True)
        return (GradeItem(case.id or "", msgspec.to_builtins(case)) for case in cases)

    async def judge(self, item: GradeItem) -> Judged:
        """See `Docket`."""
        grade = await self._judge.grade(item.fields)
        key = key_of(shown_item(item.fields, self.rubric.fields))
        return Judged([Judgement(key=key, case=item.name, grade=grade)])

    def estimate(self, item: GradeItem, counting: EstimatingJudge) -> None:
        """See `Docket`."""
        for asked in self._judge.requests(item.fields):
            counting.count(asked)


def _graded_turns(request: JudgeRequest, problems: list[str]) -> Iterator[GradeItem]:
    truth = GroundTruth(request.dataset) if request.dataset else None
    for path in request.cases:
        for dialog in dialogs(read_lines(path), problems):
            if truth is not None:
                truth.complete(dialog)
            for turn in dialog.turns or () if dialog.valid_dialog else ():
                fields = graded_item(dialog, turn)
                if fields is not None:
                    yield GradeItem(f"{dialog.dialog_id}:{turn.turn_pair_id}", fields)
