"""What a suite says of what ``turnmark judge`` asks a model: the things to be judged, each a line of the input's.

A task lists the things, asks about one of them, and says what asking would take; it knows its suite, and nothing of
files that are written, limits or reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from turnmark.errors import UsageError
from turnmark.judges.cascade import Contradiction
from turnmark.judges.llm.config import JudgeConfig
from turnmark.judges.llm.estimate import EstimatingJudge
from turnmark.judges.recorded import UNNAMED, Judgement
from turnmark.llm.client import ChatClient
from turnmark.schemas.jsonl import Line
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import DialogTrace
from turnmark.schemas.trace_reader import TraceReader

T = TypeVar("T")

JUDGED_UNASKED = UNNAMED
"""The suite that ``turnmark judge`` means when none is named."""


class JudgeRequest(NamedTuple):
    """Which cases, by which judge, into which file. ``metrics`` None: all that the cases allow.

    ``packs`` are those of the scoring that shape what is asked (clinical), ``dataset`` holds ground truth that traces
    do not carry (finance). With ``earlier_turns`` what earlier turns were told supports an answer too (rag, clinical);
    scoring must be asked the same. With a ``rubric``, answers are graded by it instead.

    With ``only_undecided`` the model is asked just what rules leave undecided, and before it the inference model in the
    folder ``entailment``, where one is named (``limits`` is what ``turnmark calibrate`` wrote for it); ``audit`` is the
    share of decided verdicts that the model is asked all the same. ``weights`` are those of the rules.
    """

    cases: tuple[Path, ...]
    config: JudgeConfig
    out: Path
    metrics: tuple[str, ...] | None = None
    suite: str = JUDGED_UNASKED
    rubric: Path | None = None
    packs: tuple[Path, ...] = ()
    dataset: Path | None = None
    earlier_turns: bool = False
    only_undecided: bool = False
    audit: float = 0.0
    entailment: Path | None = None
    limits: Path | None = None
    weights: Path | None = None


class JudgedItem(NamedTuple):
    """One thing with what the judge said as lines of the file, and why it broke ("" when it did not).

    Several cases that share a request are one thing: ``cases`` is how many, ``failed`` names those of which something
    got no answer, with the reason. ``audited`` decided verdicts were asked again, with ``contradictions``.
    """

    lines: Sequence[Judgement]
    reason: str = ""
    cases: int = 1
    failed: Sequence[tuple[str, str]] = ()
    audited: int = 0
    contradictions: Sequence[Contradiction] = ()


class JudgeTask(Protocol[T]):
    """The things of one input that are to be judged, and how. ``client`` None: no language model is asked."""

    @property
    def client(self) -> ChatClient | None:
        """Who asks the model."""
        ...

    def signature(self) -> dict[str, Any]:
        """Everything that shapes the answers; the first line of the file."""
        ...

    def items(self, problems: list[str]) -> Iterator[T]:
        """Everything to be judged, in order; what is wrong with lines goes to ``problems``."""
        ...

    async def judge(self, item: T) -> JudgedItem:
        """Ask about one thing. Nothing that a text or a model says raises."""
        ...

    def estimate(self, item: T, counting: EstimatingJudge) -> None:
        """Count what asking about it would take."""
        ...

    def lacking(self) -> list[str]:
        """When `items` gave nothing though the lines were fine: what they would have had to hold."""
        ...


class Judging(NamedTuple):
    """What a suite asks a model. ``thing`` is what there is to judge in its files, in the singular.

    ``task`` raises UsageError for metrics, rubrics or settings that cannot be.
    """

    task: Callable[[JudgeRequest, JudgeConfig], JudgeTask[Any]]
    thing: str


def told_earlier(request: JudgeRequest) -> dict[str, bool]:
    """What a signature says of earlier turns: nothing where they did not count."""
    return {"earlier_turns": True} if request.earlier_turns else {}


def refuse(request: JudgeRequest, *names: str) -> None:
    """Raises: UsageError for settings that this suite does not know."""
    options = {"packs": "--pack", "dataset": "--dataset", "earlier_turns": "--earlier-turns"}
    options["only_undecided"] = "--only-undecided"
    given = [options[name] for name in names if getattr(request, name)]
    if given:
        message = f"{', '.join(given)}: not used when judging suite {request.suite}; leave it out"
        raise UsageError(message)


def check_cascade(request: JudgeRequest) -> None:
    """Raises: UsageError for settings that go with ``--only-undecided`` and stand alone, or that cannot be."""
    given = [f"--{name}" for name in ("audit", "entailment", "limits", "weights") if getattr(request, name)]
    if given and not request.only_undecided:
        message = f"{', '.join(given)}: expected together with --only-undecided, found alone"
        raise UsageError(message)
    if not 0.0 <= request.audit <= 1.0:
        message = f"--audit: expected a share from 0 to 1, found {request.audit:g}"
        raise UsageError(message)
    if request.limits is not None and request.entailment is None:
        message = "--limits: expected together with --entailment FOLDER, whose model they are of; found alone"
        raise UsageError(message)


def dialogs(lines: Iterable[Line | Problem], problems: list[str]) -> Iterator[DialogTrace]:
    """The dialogues of lines; what is wrong with the others goes to ``problems``."""
    reader = TraceReader()
    for line in lines:
        decoded = line if isinstance(line, Problem) else reader.decode(line)
        if isinstance(decoded, Problem | list):
            result = decoded if isinstance(decoded, list) else [decoded]
            problems += [str(problem) for problem in result if problem.severity == "error"]
            continue
        yield decoded.value


def failures(lines: Iterable[Judgement]) -> tuple[int, list[str]]:
    """How many things were judged in some lines, and why some could not be."""
    answers = [reason for line in lines for reason in line.answers()]
    return len(answers), [reason for reason in answers if reason]
