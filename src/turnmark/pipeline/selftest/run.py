"""Self-test of a suite on recorded turns: planted errors in, and whether the marks notice them.

Every turn is marked as it is, and again with each perturbation that applies to it, at the end of its own dialogue. What
a perturbation is and what it must move is what its suite says (`SuiteDefinition.plants`); nothing here knows one.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from turnmark.errors import DataError, UsageError
from turnmark.metrics.marked import readers
from turnmark.pipeline.selftest.figures import DetectionCounts, Marks, figures
from turnmark.runs.folder import SUMMARY, TRACE, read_summary
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.problems import Problem, readable
from turnmark.schemas.results.selftest import SelfTest
from turnmark.schemas.results.summary import DEFAULT_SUITE
from turnmark.schemas.trace import DialogTrace
from turnmark.stats.tally import Failed, NotApplicable, Outcomes, Ratio
from turnmark.suites.planting.edits import words_signature
from turnmark.suites.planting.material import Material, last
from turnmark.suites.protocol import Plants, Suite, SuiteSettings
from turnmark.suites.registry import suite_definition

DEFAULT_TURNS = 100
DEFAULT_AT_LEAST = 0.8
DONORS = 200
"""Most other dialogues that lend a turn their facts, passages and answers."""

NOWHERE = "no turn here holds what it changes"


class SelfTestRequest(NamedTuple):
    """Everything that `selftest` can be asked for; see ``turnmark selftest --help``.

    ``run`` is a scored run or a file of dialogues; ``suite`` and ``detect`` are None where those of the run are meant.
    """

    run: Path
    suite: str | None = None
    detect: str | None = None
    packs: tuple[Path, ...] = ()
    seed: int = 0
    max_turns: int = DEFAULT_TURNS
    at_least: float = DEFAULT_AT_LEAST


def selftest(request: SelfTestRequest) -> SelfTest:
    """Perturb turns of a run and mark them.

    Raises: UsageError for a suite or run that there is not, or a bound that is no share; DataError when it
    holds no turn that was answered.
    """
    if not 0 <= request.at_least <= 1:
        message = f"--at-least: expected a number from 0 to 1, found {request.at_least:g}"
        raise UsageError(message)
    path, suite_name, detect = _input(request)
    definition = suite_definition(suite_name)
    plants = definition.planted()
    suite = definition.make(SuiteSettings(detect, request.packs))
    dialogs = list(_dialogs(suite, path))
    ended = _sample(dialogs, request.max_turns, request.seed)
    if not ended:
        message = f"{path}: expected at least one dialogue with an answered turn, found none"
        raise DataError(message)
    result = _perturbed(_Marker(suite, suite_name), plants, dialogs, ended, request.seed)
    tested = figures(suite_name, plants, result, request.at_least)
    return SelfTest(
        run=readable(request.run.name), suite=suite_name, detect=detect, seed=request.seed, at_least=request.at_least,
        turns=len(ended), dialogs=len({dialog.dialog_id for dialog in ended}), words=dict(words_signature()),
        measures=tested.measures, perturbations=tested.perturbations, controls=tested.controls,
        surprises=tested.surprises, not_planted=_not_planted(plants, result),
    )  # fmt: skip


def _not_planted(plants: Plants, result: Mapping[str, list[DetectionCounts]]) -> dict[str, str]:
    """Errors that were planted in no turn, and why."""
    nowhere = {
        perturbation.meaning: NOWHERE
        for perturbation in plants.perturbations
        if perturbation.expects and not result.get(perturbation.name)
    }
    return {**plants.not_planted, **nowhere}


def _input(request: SelfTestRequest) -> tuple[Path, str, str]:
    """Where the dialogues are, and by which suite and detectors they are marked."""
    if request.run.is_dir():
        summary = read_summary(request.run)
        suite = request.suite or summary.suite_name
        recorded = summary.detect if suite == summary.suite else None
        if not (request.run / TRACE).is_file():
            message = f"{request.run / TRACE}: expected the dialogues of the run, found no file; score the run again"
            raise DataError(message)
        try:
            return request.run / TRACE, suite, suite_definition(suite).detect_name(request.detect or recorded)
        except UsageError as error:
            raise error if request.suite else UsageError(f"{request.run / SUMMARY}: {error}") from error
    if not request.run.is_file():
        message = f"RUN: expected the folder of a scored run or a file of dialogues, found no {str(request.run)!r}"
        raise UsageError(message)
    suite = request.suite or DEFAULT_SUITE
    return request.run, suite, suite_definition(suite).detect_name(request.detect)


def _dialogs(suite: Suite, path: Path) -> Iterable[DialogTrace]:
    """The dialogues that can be read; ``score`` and ``check`` report those that cannot."""
    reader = Reader(DialogTrace)
    for line in suite.lines(path):
        decoded = [] if isinstance(line, Problem) else reader.decode(line)
        if not isinstance(decoded, list) and decoded.value.valid_dialog:
            yield decoded.value


def _sample(dialogs: list[DialogTrace], most: int, seed: int) -> list[DialogTrace]:
    """Up to ``most`` answered turns in the order of the run, drawn without replacement.

    Each is a dialogue that ends with the turn: no turn after it can shape its marks.
    """
    ended = [
        msgspec.structs.replace(dialog, turns=list(dialog.turns or ())[: at + 1])
        for dialog in dialogs
        for at, turn in enumerate(dialog.turns or ())
        if turn.turn_status == "ok" and (turn.pred_assistant_text or "").strip()
    ]
    if len(ended) <= most:
        return ended
    chosen = sorted(random.Random(seed).sample(range(len(ended)), most))  # noqa: S311 - a sample, no secret
    return [ended[at] for at in chosen]


class _Marker:
    """Marks the last turn of a dialogue, and the dialogue up to it."""

    def __init__(self, suite: Suite, name: str) -> None:
        self._suite = suite
        self._metrics = suite_definition(name).metrics
        self._readers = {self._metrics[index].name: read for index, read in readers(self._metrics)}

    def marks(self, dialog: DialogTrace) -> tuple[Marks, Mapping[str, float]]:
        """Of every measure its value, None where it has none; and of how many things nothing could be decided."""
        evaluated = self._suite.evaluate(dialog)
        marks: dict[str, float | None] = {}
        undecided: dict[str, float] = {}
        for metric in self._metrics:
            if metric.unit == "turn":
                given = evaluated.outcomes[-1] if evaluated.outcomes else None
                outcomes: Outcomes = given[metric.name] if given else self._readers[metric.name](evaluated.rows[-1])
            else:
                outcomes = evaluated.dialog[metric.name]
            for at, measure in enumerate(metric.measures):
                value = None
                if not isinstance(outcomes, NotApplicable | Failed):
                    outcome = outcomes[at]
                    value = (
                        outcome.value
                        if not isinstance(outcome, Ratio)
                        else outcome.hits / outcome.total
                        if outcome.total
                        else None
                    )
                    if isinstance(outcome, Ratio) and outcome.undecided:
                        undecided[f"{metric.code}.{measure.name}"] = outcome.undecided
                marks[f"{metric.code}.{measure.name}"] = value
        return marks, undecided


def _donors(dialog: DialogTrace, dialogs: list[DialogTrace], seed: int) -> list[DialogTrace]:
    """Up to `DONORS` other dialogues in the order of the run."""
    others = [at for at, other in enumerate(dialogs) if other.dialog_id != dialog.dialog_id]
    if len(others) > DONORS:
        chance = random.Random(f"{seed}/{dialog.dialog_id}")  # noqa: S311 - a sample, no secret
        others = sorted(chance.sample(others, DONORS))
    return [dialogs[at] for at in others]


def _perturbed(
    marker: _Marker, plants: Plants, dialogs: list[DialogTrace], ended: list[DialogTrace], seed: int
) -> dict[str, list[DetectionCounts]]:
    """Of every perturbation the turns to which it applied."""
    results: dict[str, list[DetectionCounts]] = defaultdict(list)
    for dialog in ended:
        others = _donors(dialog, dialogs, seed)
        recorded = marker.marks(dialog)
        for perturbation in plants.perturbations:
            # A string seeds by its characters: the same change whatever else is in the sample.
            position = f"{seed}/{dialog.dialog_id}/{last(dialog).turn_pair_id}/{perturbation.name}"
            changed = perturbation.change(Material(dialog, others, random.Random(position)))  # noqa: S311 - no secret
            if changed is None:
                continue
            was, was_open = recorded if changed.before is None else marker.marks(changed.before)
            became, still_open = marker.marks(changed.after)
            results[perturbation.name].append(
                DetectionCounts(
                    changed.before or dialog, changed.after, was, became,
                    not_decided=frozenset(name for name in still_open if became[name] is None),
                    left_open=frozenset(name for name, count in still_open.items() if count > was_open.get(name, 0)),
                )
            )  # fmt: skip
    return results
