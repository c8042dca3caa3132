"""Figures of a self-test: of marks before and after each change, sensitivity, specificity and what came unexpected."""

from __future__ import annotations

import difflib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET

from turnmark.language.script import detect_language
from turnmark.schemas.results.selftest import (
    ControlTest,
    LanguageTest,
    MeasureTest,
    PerturbationTest,
    Share,
    Surprise,
    TrustLevel,
)
from turnmark.schemas.trace import DialogTrace, TurnTrace
from turnmark.stats.intervals import cluster_bootstrap
from turnmark.suites.planting.material import Perturbation, last
from turnmark.suites.protocol import Plants
from turnmark.suites.registry import suite_definition

SAME = 1e-9
"""Marks that differ by less are the same."""
GRADED = 0.02
"""So much a mark that is a mean may differ and be the same: a judge's probabilities move a little with every word."""
EXCERPT = 160
"""Characters of changed words that are shown."""
_COMPARED = 600
"""Texts of so many lines, and lines of so many characters, are compared whole."""
LANGUAGES = ("zh", "ko", "en")
NO_ROOM = "no turn here gave it a mark that the planted errors could move"

Move = Literal["down", "up", "same", "lost"]
Marks = Mapping[str, float | None]
Run = TypeVar("Run", str, list[str])


class DetectionCounts(NamedTuple):
    """One changed dialogue, what it is held against, and of each measure of the last turn what it was and became.

    ``not_decided`` are the measures of which nothing was decided after the change, though there was something to;
    ``left_open`` those of which more was left open than before.
    """

    before: DialogTrace
    after: DialogTrace
    was: Marks
    became: Marks
    not_decided: frozenset[str] = frozenset()
    left_open: frozenset[str] = frozenset()


class _Case(NamedTuple):
    """One turn that was tried: of which dialogue and language, and whether the measure did as it should."""

    dialog: str
    language: str
    holds: bool


class Figures(NamedTuple):
    """Everything that is counted."""

    measures: list[MeasureTest]
    perturbations: list[PerturbationTest]
    controls: list[ControlTest]
    surprises: list[Surprise]


def figures(suite: str, plants: Plants, found: Mapping[str, Sequence[DetectionCounts]], at_least: float) -> Figures:
    """What the changes of a suite's dialogues tell of its measures; ``found`` maps perturbations to changed turns."""
    counted = _Counted(suite, plants.untested)
    for perturbation in plants.perturbations:
        cases = found.get(perturbation.name, ())
        if perturbation.expects:
            counted.error(perturbation, cases)
        else:
            counted.control(perturbation, cases)
    return Figures(
        [counted.measure(name, at_least) for name in counted.ends],
        counted.perturbations, counted.controls, counted.surprises,
    )  # fmt: skip


class _Counted:
    def __init__(self, suite: str, untested: Mapping[str, str]) -> None:
        metrics = suite_definition(suite).metrics
        self.ends = {
            f"{metric.code}.{measure.name}": (measure.low, measure.high)
            for metric in metrics
            for measure in metric.measures
        }
        self._graded = {
            f"{metric.code}.{measure.name}"
            for metric in metrics
            for measure in metric.measures
            if measure.kind == "mean"
        }
        self._untested = untested
        self._caught: dict[str, list[_Case]] = defaultdict(list)
        self._not_decided: Counter[str] = Counter()
        self._stayed: dict[str, list[_Case]] = defaultdict(list)
        self.perturbations: list[PerturbationTest] = []
        self.controls: list[ControlTest] = []
        self.surprises: list[Surprise] = []

    def error(self, one: Perturbation, cases: Sequence[DetectionCounts]) -> None:
        """Turns with a planted error: which measures that must move did."""
        for expected in one.expects:
            end = self.ends[expected.measure][expected.direction == "up"]
            checked = [case for case in cases if _has_room(case.was[expected.measure], end)]
            moved = [_case(case, self._moved(case, expected.measure) == expected.direction) for case in checked]
            self._caught[expected.measure] += moved
            not_decided = sum(
                not right.holds and expected.measure in case.not_decided | case.left_open
                for case, right in zip(checked, moved, strict=True)
            )
            self._not_decided[expected.measure] += not_decided
            self.surprises += [
                _surprise(one, expected.measure, expected.direction, case)
                for case, right in zip(checked, moved, strict=True)
                if not right.holds
            ]
            self.perturbations.append(
                PerturbationTest(
                    perturbation=one.name, meaning=one.meaning, measure=expected.measure,
                    direction=expected.direction, applied=len(cases), no_room=len(cases) - len(checked),
                    moved=_share(moved), not_decided=not_decided or UNSET,
                )
            )  # fmt: skip

    def control(self, one: Perturbation, cases: Sequence[DetectionCounts]) -> None:
        """Turns that say the same: which measures stayed."""
        names = [name for name in self.ends if name not in one.may_move]
        any_moved = []
        for case in cases:
            movers = {name for name in names if self._moved(case, name) != "same"} - case.not_decided
            self._not_decided.update(name for name in names if name in case.not_decided)
            any_moved.append(_case(case, bool(movers)))
            for name in names:
                if (case.was[name] is not None and name not in case.not_decided) or name in movers:
                    self._stayed[name].append(_case(case, name not in movers))
                if name in movers:
                    self.surprises.append(_surprise(one, name, "same", case))
        self.controls.append(
            ControlTest(control=one.name, meaning=one.meaning, applied=len(cases), moved=_share(any_moved))
        )

    def _moved(self, case: DetectionCounts, name: str) -> Move:
        return move(case.was[name], case.became[name], GRADED if name in self._graded else SAME)

    def measure(self, name: str, at_least: float) -> MeasureTest:
        """What all changes tell of one measure."""
        caught, stayed = self._caught[name], self._stayed[name]
        sensitivity, specificity = _share(caught), _share(stayed)
        spoken = {case.language for case in (*caught, *stayed)}
        return MeasureTest(
            measure=name,
            sensitivity=sensitivity,
            specificity=specificity,
            verdict=_verdict(sensitivity, specificity, at_least),
            languages=[
                LanguageTest(
                    language=language,
                    sensitivity=_share([case for case in caught if case.language == language]),
                    specificity=_share([case for case in stayed if case.language == language]),
                )
                for language in LANGUAGES
                if language in spoken
            ],
            note="" if caught else self._untested.get(name, NO_ROOM),
            not_decided=self._not_decided[name] or UNSET,
        )


def _case(found: DetectionCounts, holds: bool) -> _Case:
    return _Case(found.before.dialog_id, detect_language(last(found.before).user_text), holds)


def _has_room(value: float | None, end: float) -> bool:
    return value is not None and abs(value - end) > SAME


def move(before: float | None, after: float | None, same: float = SAME) -> Move:
    """Which way a mark went; within ``same`` it stayed, and one that came or went is lost."""
    if before is None and after is None:
        return "same"
    if before is None or after is None:
        return "lost"
    if abs(after - before) <= same:
        return "same"
    return "up" if after > before else "down"


def _share(cases: Sequence[_Case]) -> Share:
    """How many of the cases hold, with the interval over dialogues."""
    by_dialog: dict[str, list[int]] = {}
    for case in cases:
        sums = by_dialog.setdefault(case.dialog, [0, 0])
        sums[0] += case.holds
        sums[1] += 1
    interval = None
    if by_dialog:
        bounds = cluster_bootstrap(
            [[hits] for hits, _ in by_dialog.values()], [[total] for _, total in by_dialog.values()], macro=False
        )
        low, high = bounds.micro_low[0], bounds.micro_high[0]
        interval = None if low is None or high is None else (low, high)
    return Share(hits=sum(case.holds for case in cases), total=len(cases), dialogs=len(by_dialog), interval=interval)


def _verdict(sensitivity: Share, specificity: Share, at_least: float) -> TrustLevel:
    """Trusted: both intervals lie above the bar; below: one lies under it; not tested: no error was planted."""
    known = [share.interval for share in (sensitivity, specificity) if share.interval is not None]
    if any(high < at_least for _, high in known):
        return "below"
    if not sensitivity.total:
        return "not_tested"
    return "trusted" if len(known) == 2 and all(low >= at_least for low, _ in known) else "not_enough_data"


def _surprise(
    one: Perturbation, measure: str, expected: Literal["down", "up", "same"], case: DetectionCounts
) -> Surprise:
    removed, added = _difference("\n".join(_texts(case.before)), "\n".join(_texts(case.after)))
    return Surprise(
        perturbation=one.name, measure=measure, expected=expected, dialog_id=case.before.dialog_id,
        turn_pair_id=last(case.before).turn_pair_id, before=case.was[measure], after=case.became[measure],
        removed=removed, added=added,
    )  # fmt: skip


def _texts(dialog: DialogTrace) -> Iterator[str]:
    """Everything of a dialogue that a perturbation may change."""
    yield from (dialog.profile_gt.constraints_gt if dialog.profile_gt else None) or ()
    turns = dialog.turns or []
    for turn in turns:
        yield turn.user_text
        yield turn.pred_assistant_text or ""
    yield from _beside_the_reply(turns[-1])


def _beside_the_reply(turn: TurnTrace) -> Iterator[str]:
    recall, snapshot = turn.recall, turn.profile_snapshot
    if recall is not None:
        yield recall.short_term()
        yield recall.profile_context or ""
        yield from (item.content for item in recall.items or ())
    if snapshot is not None:
        yield from msgspec.json.format(msgspec.json.encode(snapshot), indent=1).decode().splitlines()
    if not isinstance(turn.source_record, msgspec.UnsetType):
        yield from map(str, msgspec.to_builtins(turn.source_record).get("retrieved_ids") or ())


def _difference(before: str, after: str) -> tuple[str, str]:
    """The words that are gone and those that are new, shortened."""
    removed: list[str] = []
    added: list[str] = []
    first, second = _comparable(before.splitlines(), after.splitlines())
    for kind, low, high, start, end in difflib.SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        old, new = _comparable("\n".join(first[low:high]), "\n".join(second[start:end]))
        for inner, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if inner != "equal":
                removed.append(old[a:b])
                added.append(new[c:d])
    return tuple("…".join(filter(None, parts))[:EXCERPT] for parts in (removed, added))  # type: ignore[return-value]


def _comparable(first: Run, second: Run) -> tuple[Run, Run]:
    """Both, when long without what they begin and end with alike, and then only so far as an excerpt could show.

    Comparing takes more than the square of the length, and a reply may be of any length.
    """
    if len(first) <= _COMPARED and len(second) <= _COMPARED:
        return first, second
    shorter = min(len(first), len(second))
    start = next((index for index in range(shorter) if first[index] != second[index]), shorter)
    shorter -= start
    end = next((index for index in range(shorter) if first[-1 - index] != second[-1 - index]), shorter)
    return tuple(each[start : len(each) - end][:_COMPARED] for each in (first, second))  # type: ignore[return-value]
