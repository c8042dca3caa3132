"""What ``turnmark judge`` asks a model about, suite by suite: the things to be judged, each a line of the input's.

A docket lists the things, asks about one of them, and says what asking would take; it knows its suite, and nothing of
files that are written, limits or reports.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from turnmark.errors import UsageError
from turnmark.judges.llm.config import JudgeConfig, make_client
from turnmark.judges.llm.estimate import EstimatingJudge
from turnmark.judges.llm.judge import LlmJudge
from turnmark.judges.protocol import AsyncJudge
from turnmark.judges.recorded import Judgement, RecordingJudge
from turnmark.llm.budget import Spent
from turnmark.llm.client import ChatClient, spent_here
from turnmark.schemas.jsonl import Line, Reader
from turnmark.schemas.judging.cases import EvalCase
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import DialogTrace
from turnmark.suites.rag.case import CaseResult, chosen_metrics, evaluate_case, evaluate_case_async
from turnmark.suites.rag.suite import case_lines, dialog_cases

T = TypeVar("T")

SUITES = ("rag", "clinical", "finance")
"""Suites that a model can judge."""


class JudgeRequest(NamedTuple):
    """Which cases, by which judge, into which file. ``metrics`` None: all that the cases allow.

    ``packs`` are those of the scoring that shape what is asked (clinical), ``dataset`` holds ground truth that traces
    do not carry (finance). With ``earlier_turns`` what earlier turns were told supports an answer too (rag, clinical);
    scoring must be asked the same. With a ``rubric``, answers are graded by it instead.
    """

    cases: tuple[Path, ...]
    config: JudgeConfig
    out: Path
    metrics: tuple[str, ...] | None = None
    suite: str = "rag"
    rubric: Path | None = None
    packs: tuple[Path, ...] = ()
    dataset: Path | None = None
    earlier_turns: bool = False


class Judged(NamedTuple):
    """One thing with what the judge said as lines of the file, and why it broke ("" when it did not)."""

    lines: Sequence[Judgement]
    reason: str = ""


class JudgedCase(NamedTuple):
    """One RAG case with what the judge said, or None and the reason."""

    case: EvalCase
    result: CaseResult | None
    reason: str
    lines: Sequence[Judgement]


class Docket(Protocol[T]):
    """The things of one input that are to be judged, and how."""

    client: ChatClient

    def signature(self) -> dict[str, Any]:
        """Everything that shapes the answers; the first line of the file."""
        ...

    def items(self, problems: list[str]) -> Iterator[T]:
        """Everything to be judged, in order; what is wrong with lines goes to ``problems``."""
        ...

    async def judge(self, item: T) -> Judged:
        """Ask about one thing. Nothing that a text or a model says raises."""
        ...

    def estimate(self, item: T, counting: EstimatingJudge) -> None:
        """Count what asking about it would take."""
        ...


class RagDocket:
    """RAG cases, or the turns of recorded dialogues as such."""

    def __init__(self, request: JudgeRequest, config: JudgeConfig) -> None:
        refuse(request, "packs", "dataset")
        self._request = request
        self._metrics = chosen_metrics(request.metrics)
        self._judge = LlmJudge(make_client(config), repeat=config.repeat)
        self.client = self._judge.client

    def signature(self) -> dict[str, Any]:
        """See `Docket`."""
        return {**self._judge.signature(), "suite": "rag", "metrics": self._metrics, **told_earlier(self._request)}

    def items(self, problems: list[str]) -> Iterator[EvalCase]:
        """See `Docket`."""
        return recorded_cases(self._request.cases, problems, facts=self._request.earlier_turns)

    async def judge(self, item: EvalCase) -> Judged:
        """See `Docket`."""
        done = await judged_case(item, self._judge, self._metrics)
        return Judged(done.lines, done.reason)

    def estimate(self, item: EvalCase, counting: EstimatingJudge) -> None:
        """See `Docket`."""
        evaluate_case(item, counting, self._metrics)


def told_earlier(request: JudgeRequest) -> dict[str, bool]:
    """What a signature says of earlier turns: nothing where they did not count."""
    return {"earlier_turns": True} if request.earlier_turns else {}


def refuse(request: JudgeRequest, *names: str) -> None:
    """Raises: UsageError for settings that this suite does not know."""
    options = {"packs": "--pack", "dataset": "--dataset", "earlier_turns": "--earlier-turns"}
    given = [options[name] for name in names if getattr(request, name)]
    if given:
        message = f"{', '.join(given)}: not used when judging suite {request.suite}; leave it out"
        raise UsageError(message)


def dialogs(lines: Iterable[Line | Problem], problems: list[str]) -> Iterator[DialogTrace]:
    """The dialogues of lines; what is wrong with the others goes to ``problems``."""
    reader = Reader(DialogTrace)
    for line in lines:
        decoded = line if isinstance(line, Problem) else reader.decode(line)
        if isinstance(decoded, Problem | list):
            found = decoded if isinstance(decoded, list) else [decoded]
            problems += [str(problem) for problem in found if problem.severity == "error"]
            continue
        yield decoded.value


def recorded_cases(
    paths: Iterable[Path], problems: list[str], *, earlier: bool = False, facts: bool = False
) -> Iterator[EvalCase]:
    """The cases of all files as ``score --suite rag`` sees them; what is wrong with lines goes to ``problems``.

    With ``earlier`` a turn of a dialogue brings all that was said before it, with ``facts`` what earlier turns were
    told.
    """
    for path in paths:
        for dialog in dialogs(case_lines(path), problems):
            said: list[str] = []
            for turn, (case, _) in dialog_cases(dialog, earlier_turns=facts):
                if earlier and said:
                    case.earlier_turns = [*said]
                yield case
                said += (f"user: {turn.user_text}", f"assistant: {turn.pred_assistant_text or ''}")


async def judged_case(case: EvalCase, judge: AsyncJudge, metrics: Sequence[str]) -> JudgedCase:
    """One RAG case judged; what it took stands in its results."""
    spent = Spent()
    spent_here.set(spent)
    recording = RecordingJudge(judge, case.id or "")
    try:
        result = await evaluate_case_async(case, recording, metrics)
    except Exception as error:  # noqa: BLE001 - the row boundary: one case fails, nothing else
        return JudgedCase(case, None, f"{type(error).__name__}: {error}", recording.lines)
    cost = {name: value for name, value in msgspec.structs.asdict(spent).items() if value}
    for found in result.results.values():
        found.cost = cost
    return JudgedCase(case, result, "", recording.lines)


def failures(lines: Iterable[Judgement]) -> tuple[int, list[str]]:
    """How many things were judged in some lines, and why some could not be."""
    answers = [reason for line in lines for reason in line.answers()]
    return len(answers), [reason for reason in answers if reason]
