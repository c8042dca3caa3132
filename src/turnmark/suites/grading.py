"""What a model is asked to grade by a rubric, whatever the suite: answers with all that the rubric may show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from turnmark.errors import UsageError
from turnmark.judges.llm.config import JudgeConfig, make_client
from turnmark.judges.llm.estimate import EstimatingJudge
from turnmark.judges.llm.rubric import Rubric, RubricJudge
from turnmark.judges.recorded import Judgement, key_of, shown_item
from turnmark.llm.client import ChatClient
from turnmark.packs.loading import read
from turnmark.suites.judging import JudgedItem, JudgeRequest


class GradeItem(NamedTuple):
    """One answer to be graded, with everything that a rubric may show."""

    name: str
    fields: dict[str, Any]


class GradeTask:
    """Answers graded by a rubric. ``items`` lists them; ``shipped`` is the rubric where the request names none.

    ``lacking`` says what an input without any would have had to hold.
    """

    def __init__(
        self,
        request: JudgeRequest,
        config: JudgeConfig,
        items: Callable[[JudgeRequest, list[str]], Iterator[GradeItem]],
        shipped: Callable[[], Rubric] | None = None,
        lacking: str = "",
    ) -> None:
        if request.metrics:
            message = "--metric: a rubric gives one grade; leave --metric out"
            raise UsageError(message)
        self._request = request
        self._items = items
        self._lacking = lacking
        if request.rubric is None and shipped is not None:
            self.rubric = shipped()
        elif request.rubric is not None:
            self.rubric = read(request.rubric, Rubric)[0]
        else:
            message = f"--rubric: expected the rubric that answers of suite {request.suite} are graded by, found none"
            raise UsageError(message)
        self._judge = RubricJudge(self.rubric, make_client(config), repeat=config.repeat)
        self.client: ChatClient | None = self._judge.client

    def signature(self) -> dict[str, Any]:
        """See `JudgeTask`."""
        return {**self._judge.signature(), "suite": self._request.suite}

    def items(self, problems: list[str]) -> Iterator[GradeItem]:
        """See `JudgeTask`."""
        return self._items(self._request, problems)

    async def judge(self, item: GradeItem) -> JudgedItem:
        """See `JudgeTask`."""
        grade = await self._judge.grade(item.fields)
        key = key_of(shown_item(item.fields, self.rubric.fields))
        return JudgedItem([Judgement(key=key, case=item.name, grade=grade)])

    def estimate(self, item: GradeItem, counting: EstimatingJudge) -> None:
        """See `JudgeTask`."""
        for asked in self._judge.requests(item.fields):
            counting.count(asked)

    def lacking(self) -> list[str]:
        """See `JudgeTask`."""
        return [self._lacking] if self._lacking else []
