"""Fixtures and a marker for pytest: assert on a metric, a case, a comparison.

::

    @pytest.mark.turnmark(run="runs/candidate", baseline="runs/main")
    def test_no_severe_violation(turnmark_run):
        turnmark_run.expect("M4.severe_violation_rate", at_most=0.01)
        turnmark_run.expect("M3.risk_coverage", no_worse_than_baseline=0.02)


    def test_a_case(turnmark_case):
        results = turnmark_case(question="…", answer="…", retrieved_contexts=["…"])
        assert results["faithfulness"].score == 1.0

What the data cannot decide skips the test with the reason; ``--turnmark-undecided=fail`` makes it fail. Nothing heavy
is imported before a fixture is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from turnmark.errors import TurnmarkError, UsageError

if TYPE_CHECKING:
    from turnmark.schemas.judging.cases import EvalResult
    from turnmark.schemas.results.comparison import ComparedMeasure

MARKER = "turnmark"


def pytest_addoption(parser: pytest.Parser) -> None:
    """What happens to a test whose data decide nothing."""
    parser.getgroup(MARKER).addoption(
        "--turnmark-undecided", choices=("skip", "fail"), default="skip",
        help="What a test does when there is not enough data to say.",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", f"{MARKER}(run, baseline=None): the scored run that a test is about")


class RunExpectations:
    """A scored run, and the run that it must not be worse than; paths are relative to pytest's root folder."""

    def __init__(self, run: Path, baseline: Path | None, undecided: str) -> None:
        self.run = run
        self.baseline = baseline
        self._undecided = undecided

    def expect(self, metric: str, **rule: Any) -> None:
        """Fail unless a measure keeps its bounds.

        Args:
            metric: Code or name of a metric, a dot, and a measure: ``M3.risk_coverage``.
            rule: The other fields of a rule of ``turnmark gate``: ``at_least``, ``at_most``,
                ``no_worse_than_baseline``, ``stratum``, ``judge_by``, ``fewest_rows``.

        """
        from turnmark.pipeline.comparing.gate import hold  # noqa: PLC0415 - loads when it is used
        from turnmark.schemas.results.gate import GateRule, GateRules  # noqa: PLC0415

        with _plainly():
            _known("expect", GateRule, rule)
            rules = GateRules(rules=[GateRule(metric=metric, **rule)])
            finding = hold(rules, self.run, self.baseline).findings[0]
        if finding.outcome == "fail":
            pytest.fail(f"{finding.rule}: {finding.reason}", pytrace=False)
        if finding.outcome == "not_enough_data":
            _undecided(f"{finding.rule}: not enough data: {finding.reason}", self._undecided)

    def value(self, metric: str) -> float | None:
        """The value of a measure over all rows; None when it applies to none."""
        from turnmark.metrics import catalog  # noqa: PLC0415
        from turnmark.runs.folder import read_summary  # noqa: PLC0415

        name, _, measure = metric.partition(".")
        with _plainly():
            result = read_summary(self.run).metrics.get(catalog.metric(name).name)
            if result is None or measure not in result.micro:
                found = [] if result is None else [f"{name}.{each}" for each in result.micro]
                message = f"{metric}: expected one of {', '.join(found) or 'the metrics of this run'}"
                raise UsageError(message)
        return result.micro[measure] if result.denominators.get(measure, 1) else None

    def against_baseline(self, metric: str) -> ComparedMeasure:
        """The comparison of a measure with the baseline: difference, interval, p-values, power."""
        from turnmark.pipeline.comparing.compare import compare  # noqa: PLC0415
        from turnmark.pipeline.comparing.request import CompareRequest  # noqa: PLC0415

        if self.baseline is None:
            pytest.fail("this test compares with a baseline: name one in the marker", pytrace=False)
        name, _, measure = metric.partition(".")
        with _plainly():
            pair = compare(CompareRequest((self.baseline, self.run))).pairs[0]
            for item in pair.measures:
                if name in (item.code, item.metric) and item.measure == measure:
                    return item
            known = ", ".join(f"{item.code}.{item.measure}" for item in pair.measures)
            message = f"{metric}: expected one of {known}"
            raise UsageError(message)


@contextmanager
def _plainly() -> Iterator[None]:
    """What turnmark raises fails the test with its message alone: its source tells the reader of a test nothing."""
    try:
        yield
    except TurnmarkError as error:
        pytest.fail(str(error), pytrace=False)


def _known(caller: str, record: type[Any], given: Mapping[str, object]) -> None:
    """Raises: UsageError for names that no field of a record has."""
    known = record.__struct_fields__
    unknown = [name for name in given if name not in known]
    if unknown:
        message = f"{caller}: expected some of {', '.join(known)}, found {', '.join(unknown)}"
        raise UsageError(message)


def _undecided(reason: str, what: str) -> None:
    if what == "fail":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture
def turnmark_run(request: pytest.FixtureRequest) -> RunExpectations:
    """The run that the marker names."""
    marker = request.node.get_closest_marker(MARKER)
    if marker is None or not (marker.args or "run" in marker.kwargs):
        pytest.fail("mark the test with @pytest.mark.turnmark(run=FOLDER)", pytrace=False)
    root = request.config.rootpath
    run = root / (marker.args[0] if marker.args else marker.kwargs["run"])
    baseline = marker.kwargs.get("baseline")
    undecided = request.config.getoption("--turnmark-undecided")
    return RunExpectations(run, None if baseline is None else root / baseline, undecided)


@pytest.fixture
def turnmark_case() -> Callable[..., Mapping[str, EvalResult]]:
    """Evaluates one RAG case from its fields (``question``, ``answer`` …): results by metric."""
    from turnmark.rag import EvalCase, evaluate  # noqa: PLC0415 - its judge loads when it is used

    def evaluated(**fields: Any) -> Mapping[str, EvalResult]:
        with _plainly():
            _known("turnmark_case", EvalCase, fields)
            if "question" not in fields:
                message = "turnmark_case: expected a question, found none"
                raise UsageError(message)
            case = EvalCase(**fields)
            evaluate([case])
        return case.results

    return evaluated
