"""Self-test of a suite on recorded turns: planted errors in, and whether the marks notice them.

Every turn is marked as it is, and again with each perturbation that applies to it, at the end of its own dialogue. What
a perturbation is and what it must move stands in `turnmark.synth.perturb`; nothing here knows a suite.
"""

from __future__ import annotations

import difflib
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from turnmark.errors import DataError, UsageError
from turnmark.metrics import catalog
from turnmark.pipeline.suites import Suite, SuiteSettings, detect_name, make_suite
from turnmark.runs.folder import TRACE, read_summary
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.problems import Problem
from turnmark.schemas.selftest import ControlTest, MeasureTest, PerturbationTest, SelfTest, Share, Surprise, Verdict
from turnmark.schemas.trace import DialogTrace, TurnTrace
from turnmark.stats.intervals import cluster_bootstrap
from turnmark.stats.tally import Failed, NotApplicable, Ratio
from turnmark.synth.edits import words_signature
from turnmark.synth.perturb import PERTURBATIONS, Material, Perturbation

DEFAULT_TURNS = 100
DEFAULT_AT_LEAST = 0.8
SAME = 1e-9
"""Marks that differ by less are the same."""
EXCERPT = 160
"""Characters of changed words that are shown."""

Marks = Mapping[str, float | None]


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


class _Place(NamedTuple):
    dialog: DialogTrace
    turn: int


class _Found(NamedTuple):
    """One perturbed turn: which dialogue, and of each measure what it was and what it became."""

    place: _Place
    changed: TurnTrace
    before: Marks
    after: Marks


def selftest(request: SelfTestRequest) -> SelfTest:
    """Perturb turns of a run and mark them.

    Raises: UsageError for a suite or run that there is not; DataError when it holds no turn that was answered.
    """
    path, suite_name, detect = _input(request)
    suite = make_suite(suite_name, SuiteSettings(detect, request.packs))
    if suite_name not in PERTURBATIONS:
        message = f"--suite: expected a suite with perturbations ({', '.join(PERTURBATIONS)}), found {suite_name!r}"
        raise UsageError(message)
    dialogs = list(_dialogs(suite, path))
    places = _sample(dialogs, request.max_turns, request.seed)
    if not places:
        message = f"{path}: expected at least one dialogue with an answered turn, found none"
        raise DataError(message)
    marker = _Marker(suite, suite_name)
    found = _perturbed(marker, suite_name, dialogs, places, request.seed)
    names = [one.name for one in PERTURBATIONS[suite_name]]
    return _result(request, (suite_name, detect), places, {name: found[name] for name in names})


def _input(request: SelfTestRequest) -> tuple[Path, str, str]:
    """Where the dialogues are, and by which suite and detectors they are marked."""
    if request.run.is_dir():
        summary = read_summary(request.run)
        suite = request.suite or summary.suite or "finance"
        recorded = summary.detect if suite == summary.suite else None
        return request.run / TRACE, suite, detect_name(suite, request.detect or recorded)
    if not request.run.is_file():
        message = f"RUN: expected the folder of a scored run or a file of dialogues, found no {str(request.run)!r}"
        raise UsageError(message)
    suite = request.suite or "finance"
    return request.run, suite, detect_name(suite, request.detect)


def _dialogs(suite: Suite, path: Path) -> Iterable[DialogTrace]:
    """The dialogues that can be read; ``score`` and ``check`` report those that cannot."""
    reader = Reader(DialogTrace)
    for line in suite.lines(path):
        decoded = [] if isinstance(line, Problem) else reader.decode(line)
        if not isinstance(decoded, list) and decoded.value.valid_dialog:
            yield decoded.value


def _sample(dialogs: list[DialogTrace], most: int, seed: int) -> list[_Place]:
    """Up to ``most`` answered turns in the order of the run, drawn without replacement."""
    places = [
        _Place(dialog, at)
        for dialog in dialogs
        for at, turn in enumerate(dialog.turns or ())
        if turn.turn_status == "ok" and (turn.pred_assistant_text or "").strip()
    ]
    if len(places) <= most:
        return places
    chosen = sorted(random.Random(seed).sample(range(len(places)), most))  # noqa: S311 - a sample, no secret
    return [places[at] for at in chosen]


class _Marker:
    """Marks the last turn of a dialogue that ends there: no turn after it can shape its marks."""

    def __init__(self, suite: Suite, name: str) -> None:
        self._suite = suite
        self._metrics = catalog.suite(name)
        self._readers = [(self._metrics[place], read) for place, read in catalog.readers(self._metrics)]

    def marks(self, place: _Place, turn: TurnTrace | None = None) -> Marks:
        """Of every measure of a turn its value, None where it has none."""
        turns = list((place.dialog.turns or [])[: place.turn + 1])
        if turn is not None:
            turns[-1] = turn
        row = self._suite.evaluate(msgspec.structs.replace(place.dialog, turns=turns)).rows[-1]
        marks: dict[str, float | None] = {}
        for metric, read in self._readers:
            outcomes = read(row)
            for at, measure in enumerate(metric.measures):
                value = None
                if not isinstance(outcomes, NotApplicable | Failed):
                    one = outcomes[at]
                    value = one.value if not isinstance(one, Ratio) else one.hits / one.total if one.total else None
                marks[f"{metric.code}.{measure.name}"] = value
        return marks


def _perturbed(
    marker: _Marker, suite: str, dialogs: list[DialogTrace], places: list[_Place], seed: int
) -> dict[str, list[_Found]]:
    """Of every perturbation the turns to which it applied."""
    found: dict[str, list[_Found]] = defaultdict(list)
    for place in places:
        turn = (place.dialog.turns or [])[place.turn]
        others = [other for other in dialogs if other.dialog_id != place.dialog.dialog_id]
        before = marker.marks(place)
        for one in PERTURBATIONS[suite]:
            # A string seeds by its characters: the same change whatever else is in the sample.
            chance = random.Random(f"{seed}/{place.dialog.dialog_id}/{turn.turn_pair_id}/{one.name}")  # noqa: S311
            changed = one.change(Material(place.dialog, turn, others, chance))
            if changed is not None:
                found[one.name].append(_Found(place, changed, before, marker.marks(place, changed)))
    return found


def _result(
    request: SelfTestRequest, marked_by: tuple[str, str], places: list[_Place], found: Mapping[str, list[_Found]]
) -> SelfTest:
    suite, detect = marked_by
    metrics = catalog.suite(suite)
    ends = {f"{one.code}.{measure.name}": (measure.low, measure.high) for one in metrics for measure in one.measures}
    surprises: list[Surprise] = []
    caught: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    stayed: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    perturbations: list[PerturbationTest] = []
    controls: list[ControlTest] = []
    for one in PERTURBATIONS[suite]:
        for expected in one.expects:
            end = ends[expected.measure][expected.direction == "up"]
            checked = [case for case in found[one.name] if _has_room(case.before[expected.measure], end)]
            moved = [(_id(case), _moved(case, expected.measure) == expected.direction) for case in checked]
            caught[expected.measure] += moved
            surprises += [
                _surprise(one, expected.measure, expected.direction, case)
                for case, (_, right) in zip(checked, moved, strict=True)
                if not right
            ]
            applied = len(found[one.name])
            perturbations.append(
                PerturbationTest(
                    perturbation=one.name, meaning=one.meaning, measure=expected.measure,
                    direction=expected.direction, applied=applied, no_room=applied - len(checked), moved=_share(moved),
                )
            )  # fmt: skip
        if not one.expects:
            any_moved: list[tuple[str, bool]] = []
            for case in found[one.name]:
                movers = [name for name in ends if name in case.before and _moved(case, name) != "same"]
                any_moved.append((_id(case), bool(movers)))
                surprises += [_surprise(one, name, "same", case) for name in movers]
                for name in case.before:
                    if case.before[name] is not None or name in movers:
                        stayed[name].append((_id(case), name not in movers))
            controls.append(
                ControlTest(control=one.name, meaning=one.meaning, applied=len(any_moved), moved=_share(any_moved))
            )
    measures = []
    for name in ends:
        if caught[name] or stayed[name]:
            sensitivity, specificity = _share(caught[name]), _share(stayed[name])
            verdict = _verdict(sensitivity, specificity, request.at_least)
            measures.append(
                MeasureTest(measure=name, sensitivity=sensitivity, specificity=specificity, verdict=verdict)
            )
    return SelfTest(
        run=request.run.name, suite=suite, detect=detect, seed=request.seed, at_least=request.at_least,
        turns=len(places), dialogs=len({place.dialog.dialog_id for place in places}), words=dict(words_signature()),
        measures=measures, perturbations=perturbations, controls=controls, surprises=surprises,
    )  # fmt: skip


def _id(case: _Found) -> str:
    return case.place.dialog.dialog_id


def _has_room(value: float | None, end: float) -> bool:
    return value is not None and abs(value - end) > SAME


def _moved(case: _Found, measure: str) -> Literal["down", "up", "same", "lost"]:
    before, after = case.before[measure], case.after[measure]
    if before is None and after is None:
        return "same"
    if before is None or after is None:
        return "lost"
    if abs(after - before) <= SAME:
        return "same"
    return "up" if after > before else "down"


def _share(cases: list[tuple[str, bool]]) -> Share:
    """How many of the cases hold, with the interval over dialogues."""
    by_dialog: dict[str, list[int]] = {}
    for dialog, holds in cases:
        sums = by_dialog.setdefault(dialog, [0, 0])
        sums[0] += holds
        sums[1] += 1
    interval = None
    if by_dialog:
        bounds = cluster_bootstrap(
            [[hits] for hits, _ in by_dialog.values()], [[total] for _, total in by_dialog.values()], macro=False
        )
        low, high = bounds.micro_low[0], bounds.micro_high[0]
        interval = None if low is None or high is None else (low, high)
    return Share(hits=sum(holds for _, holds in cases), total=len(cases), dialogs=len(by_dialog), interval=interval)


def _verdict(sensitivity: Share, specificity: Share, at_least: float) -> Verdict:
    """Trusted: both intervals lie above the bar; below: one lies under it; not tested: no error was planted."""
    known = [share.interval for share in (sensitivity, specificity) if share.interval is not None]
    if any(high < at_least for _, high in known):
        return "below"
    if not sensitivity.total:
        return "not_tested"
    return "trusted" if len(known) == 2 and all(low >= at_least for low, _ in known) else "not_enough_data"


def _surprise(one: Perturbation, measure: str, expected: Literal["down", "up", "same"], case: _Found) -> Surprise:
    turn = (case.place.dialog.turns or [])[case.place.turn]
    removed, added = _difference(_text(turn), _text(case.changed))
    return Surprise(
        perturbation=one.name, measure=measure, expected=expected, dialog_id=case.place.dialog.dialog_id,
        turn_pair_id=turn.turn_pair_id, before=case.before[measure], after=case.after[measure],
        removed=removed, added=added,
    )  # fmt: skip


def _text(turn: TurnTrace) -> str:
    """Everything of a turn that a perturbation may change."""
    recall = turn.recall
    parts = [turn.pred_assistant_text or ""]
    if recall is not None:
        parts += [recall.short_term(), recall.profile_context or "", *(item.content for item in recall.items or ())]
    return "\n".join(parts)


def _difference(before: str, after: str) -> tuple[str, str]:
    """The words that are gone and those that are new, shortened."""
    removed: list[str] = []
    added: list[str] = []
    first, second = before.splitlines(), after.splitlines()
    for kind, low, high, start, end in difflib.SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        old, new = "\n".join(first[low:high]), "\n".join(second[start:end])
        for inner, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if inner != "equal":
                removed.append(old[a:b])
                added.append(new[c:d])
    return tuple("…".join(filter(None, parts))[:EXCERPT] for parts in (removed, added))  # type: ignore[return-value]
