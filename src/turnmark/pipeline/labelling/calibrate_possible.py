"""Chooses on a user's labels from which score on each class is shown as possible, and measures how right that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.detectors.finance.possible.choice import Scored, Tally, chosen_threshold, tally
from turnmark.detectors.finance.possible.finder import METRIC_OF
from turnmark.detectors.finance.possible.model import (
    PossibleClass,
    PossibleModel,
    encoded,
    measured_as,
    read_model,
    shipped_model,
)
from turnmark.detectors.finance.possible.near import Key, Near, near_rules
from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors
from turnmark.errors import DataError
from turnmark.language.analysis import Analysis
from turnmark.metrics.catalog import current_name
from turnmark.pipeline.labelling.folds import FEWEST, FEWEST_OF_A_KIND, FOLDS, folds
from turnmark.pipeline.publishing.overrides import read_overrides
from turnmark.pipeline.publishing.run_turns import turns_of
from turnmark.schemas.labels.finance import FinanceLabels, MemoryLabels, read_labels
from turnmark.schemas.problems import Problem
from turnmark.suites.finance.cells import cluster_of
from turnmark.suites.finance.possible import asserted
from turnmark.suites.labelling.figures import read_all

SUITE = "finance"
"""The suite that has such a model."""
AIMS = (0.5, 0.6, 0.7)
"""What thresholds are chosen for: the first that holds on dialogues that did not choose; a choice looks a little better
on its own labels than it is."""
_OWN = "+own"


class ClassFigures(NamedTuple):
    """Of a class and language: labels of what no rule asserts, how many say that it is there, and what came of them.

    ``shown`` and ``right`` are of dialogues that chose no threshold, None with too few labels; ``offered`` is whether
    the file offers the class.
    """

    judgement: str
    label: str
    language: str
    labels: int
    there: int
    shown: int | None
    right: int | None
    offered: bool


class PossibleCalibration(NamedTuple):
    """What the labels say of each class, the model with their thresholds, and lines that could not be used."""

    figures: dict[str, Any]
    classes: list[ClassFigures]
    model: bytes
    problems: list[Problem]


class _Labelled(NamedTuple):
    """A class that no rule asserts of a labelled reply."""

    cluster: str
    language: str
    key: Key
    scored: Scored


def calibrate_possible(path: Path, weights: Path | None = None) -> PossibleCalibration:
    """Choose thresholds on the labels of ``path``: a file as ``turnmark agree`` reads it, or a run with overrides.

    The weights of the shipped model (or of ``weights``) stay. Five folds of dialogues, by the order of their names: a
    threshold chosen on four is tried on the fifth. A class and language with enough labels is offered where at least
    half of ten that are shown in that way are right, and no longer offered where not; one with too few stays as it was.

    Raises: DataError when there are labels enough of no class (40 of replies of which no rule asserts it, from ten
    dialogues, ten that say it is there and ten that it is not); PackError when ``weights`` is no model.
    """
    model = shipped_model() if weights is None else read_model(weights)
    problems: list[Problem] = []
    labelled = list((_of_run if path.is_dir() else _of_file)(path, model, problems))
    classes: list[PossibleClass] = []
    figures: list[ClassFigures] = []
    measured = dict(model.measured)
    for item in model.classes:
        offered = dict(item.offered)
        mine = [one for one in labelled if one.key == item.key]
        for language in dict.fromkeys(one.language for one in mine):
            given = [one for one in mine if one.language == language]
            there = sum(one.scored.gold for one in given)
            shown, right = None, None
            if _enough(given):
                threshold, (shown, right) = _chosen(given)
                offered.pop(language, None)
                measured.pop(measured_as(item, language), None)
                if threshold is not None:
                    offered[language] = threshold
                    measured[measured_as(item, language)] = (shown, right)
            figures.append(ClassFigures(*item.key, language, len(given), there, shown, right, language in offered))
        classes.append(msgspec.structs.replace(item, offered=offered))
    if all(one.shown is None for one in figures):
        raise DataError(_too_few(path, figures, problems))
    version = model.version.removesuffix(_OWN) + _OWN
    made = msgspec.structs.replace(model, version=version, classes=classes, measured=measured)
    total = {
        "labels": len(labelled),
        "dialogues": len({one.cluster for one in labelled}),
        "classes": [one._asdict() for one in figures],
    }
    return PossibleCalibration(total, figures, encoded(made), problems)


def _too_few(path: Path, figures: Sequence[ClassFigures], problems: Sequence[Problem]) -> str:
    expected = (
        f"{path}: expected, of at least one class in one language, {FEWEST} labels of replies of which no rule asserts "
        f"it, from {2 * FOLDS} dialogues, {FEWEST_OF_A_KIND} that say it is there and {FEWEST_OF_A_KIND} that it is not"
    )
    most = max(figures, key=lambda one: (min(one.there, one.labels - one.there), one.labels), default=None)
    found = "none" if most is None else f"at most {most.labels}, {most.there} of them there ({most.label})"
    return "\n".join([f"{expected}; found {found}; label more replies", *map(str, problems[:5])])


def _enough(given: Sequence[_Labelled]) -> bool:
    there = sum(one.scored.gold for one in given)
    fewest = min(there, len(given) - there)
    dialogues = len({one.cluster for one in given})
    return len(given) >= FEWEST and fewest >= FEWEST_OF_A_KIND and dialogues >= 2 * FOLDS


def _chosen(given: Sequence[_Labelled]) -> tuple[float | None, Tally]:
    """The threshold by the first of `AIMS` that holds, with what is shown of folds that did not choose; else None."""
    first = None
    for aim in AIMS:
        crossed = _crossed(given, aim)
        first = first or crossed
        threshold = chosen_threshold([one.scored for one in given], aim)
        if crossed.holds and threshold is not None:
            return threshold, crossed
    return None, first or Tally()


def _crossed(given: Sequence[_Labelled], aim: float) -> Tally:
    """What is shown of each fold at the threshold of the others."""
    result = Tally()
    for held in folds([one.cluster for one in given]):
        kept = set(held)
        rest = [one.scored for index, one in enumerate(given) if index not in kept]
        result = result.with_more(tally([given[index].scored for index in held], chosen_threshold(rest, aim)))
    return result


def _of_file(path: Path, model: PossibleModel, problems: list[Problem]) -> Iterator[_Labelled]:
    labels: list[FinanceLabels | MemoryLabels] = read_all(path, read_labels, problems, "labels")
    detectors = finance_detectors()
    for label in labels:
        if isinstance(label, MemoryLabels):
            continue
        given: dict[str, dict[str, bool | None]] = {name: getattr(label, name) for name in METRIC_OF}
        said = {(name, about): gold for name, golds in given.items() for about, gold in golds.items()
                if gold is not None}  # fmt: skip
        if said:
            reading = Reading(label.reply, label.user_text, label.profile)
            told = asserted(reading, detectors)
            left = {key: gold for key, gold in said.items() if key[1] not in told[key[0]]}
            yield from _scored(cluster_of(label.id), reading.analysis, left, model)


def _of_run(path: Path, model: PossibleModel, problems: list[Problem]) -> Iterator[_Labelled]:
    """What reviewers said of marks that the run did not make; of several of one mark the last counts."""
    overrides = read_overrides(path)
    problems += overrides.problems
    judgements = {metric: judgement for judgement, metric in METRIC_OF.items()}
    for view in turns_of(path, overrides.by_turn.keys()):
        said: dict[Key, bool] = {}
        for item in overrides.by_turn[view.dialog_id, view.turn_pair_id]:
            judgement = judgements.get(current_name(item.override.metric))
            if judgement is not None and isinstance(item.override.marked, bool) and item.raw is not True:
                said[judgement, item.override.label] = item.override.marked
        yield from _scored(view.dialog_id, Analysis(view.reply), said, model)


def _scored(cluster: str, analysis: Analysis, said: dict[Key, bool], model: PossibleModel) -> Iterator[_Labelled]:
    wanted = [item for item in model.classes if item.key in said]
    near: dict[Key, Near] = near_rules(analysis.language).read(analysis, [item.key for item in wanted])
    for item in wanted if near else ():
        score = model.score(item, near[item.key].features)
        yield _Labelled(cluster, analysis.language, item.key, Scored(score, said[item.key]))
