"""RAG evaluation in Python: cases in, results out.

>>> from turnmark.rag import EvalCase, evaluate
>>> case = EvalCase(
...     question="What is the minimum down payment?",
...     answer="The minimum down payment is 3.5%.",
...     retrieved_contexts=["Loans of this kind allow a minimum down payment of 3.5%."],
... )
>>> evaluated = evaluate([case])
>>> case.results["faithfulness"].score
1.0
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from turnmark.errors import DataError
from turnmark.judges.catalog import make_judge
from turnmark.judges.llm.config import JudgeConfig, make_llm_judge
from turnmark.judges.protocol import AsyncJudge, Judge
from turnmark.schemas.judging.cases import EvalCase, EvalResult, JudgedClaim
from turnmark.schemas.judging.judgement import Claim, Verdict
from turnmark.schemas.problems import Problem
from turnmark.suites.rag import case as rag
from turnmark.suites.rag import read_cases as rag_cases
from turnmark.suites.rag.case import METRICS

__all__ = [
    "METRICS",
    "Claim",
    "EvalCase",
    "EvalResult",
    "JudgeConfig",
    "JudgedClaim",
    "Verdict",
    "evaluate",
    "evaluate_each",
    "load_cases",
    "make_llm_judge",
    "read_cases",
]


def evaluate(
    cases: Iterable[EvalCase],
    metrics: str | Sequence[str] | None = None,
    judge: str | Judge | AsyncJudge = "rules",
    *,
    weights: Path | None = None,
) -> list[EvalCase]:
    """Fill ``case.results`` of every case and return the cases in order.

    Args:
        cases: The cases; fields that a metric needs and a case lacks make its result ``not_applicable``.
        metrics: One name or code, or several (``faithfulness``, ``context_recall`` …); all of them when left out.
        judge: ``"rules"``, ``"embedding"``, ``"embedding:FOLDER"``, ``"nli:FOLDER"`` (FOLDER holds a model as ONNX), or
            an object that offers `turnmark.judges.protocol.Judge` or ``AsyncJudge``.
        weights: For rules and embedding: weights that ``turnmark calibrate`` wrote; the shipped ones when left out.

    Raises: UsageError for an unknown metric or judge, MissingExtraError naming the install line of a judge that is
    not installed, DataError for a model that is not what it should be.

    """
    return list(evaluate_each(cases, metrics, judge, weights=weights))


def evaluate_each(
    cases: Iterable[EvalCase],
    metrics: str | Sequence[str] | None = None,
    judge: str | Judge | AsyncJudge = "rules",
    *,
    weights: Path | None = None,
) -> Iterator[EvalCase]:
    """As `evaluate`, one case at a time: each is evaluated when it is asked for, so that memory stays flat."""
    names = rag.chosen_metrics([metrics] if isinstance(metrics, str) else metrics)
    chosen = make_judge(judge, weights) if isinstance(judge, str) else judge
    return _each(cases, names, chosen)


def _each(cases: Iterable[EvalCase], metrics: Sequence[str], judge: Judge | AsyncJudge) -> Iterator[EvalCase]:
    if inspect.iscoroutinefunction(judge.verdicts):
        from turnmark.suites.rag.judging import evaluate_by_model  # noqa: PLC0415 - only judges that wait need it

        yield from evaluate_by_model(cases, judge, metrics)  # type: ignore[arg-type]
        return
    for case in cases:
        result = rag.evaluate_case(case, judge, metrics)  # type: ignore[arg-type]
        case.results.update(result.results)
        yield case


def read_cases(path: str | Path) -> Iterator[EvalCase | Problem]:
    """The cases of a JSON Lines, CSV or Parquet file, and a `Problem` for each line that is none; see `load_cases`."""
    return rag_cases.read_cases(Path(path))


def load_cases(path: str | Path) -> list[EvalCase]:
    """All cases of a file.

    Raises: DataError naming every line that is no case (20 at most); `read_cases` goes on past them.
    """
    cases: list[EvalCase] = []
    problems: list[Problem] = []
    for read_case in read_cases(path):
        if isinstance(read_case, Problem):
            if read_case.severity == "error":
                problems.append(read_case)
        else:
            cases.append(read_case)
    if problems:
        shown = problems[:20]
        raise DataError("\n".join([*map(str, shown), *([f"… and {len(problems) - 20} more"] * (len(problems) > 20))]))
    return cases
