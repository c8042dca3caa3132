"""What a self-test found (``selftest.json``): of each measure, whether it notices planted errors and nothing else."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnmark.schemas.results.summary import Interval

TrustLevel = Literal["trusted", "below", "not_enough_data", "not_tested"]


class Share(msgspec.Struct, kw_only=True, frozen=True):
    """``hits`` of ``total`` turns; ``interval`` by resampling dialogues, None where they are too few for one."""

    hits: int
    total: int
    dialogs: int
    interval: Interval = None

    @property
    def value(self) -> float | None:
        """The share, 0 to 1; None without turns."""
        return self.hits / self.total if self.total else None


class LanguageTest(msgspec.Struct, kw_only=True, frozen=True):
    """One measure on the turns of one language (``zh``, ``ko``, ``en``)."""

    language: str
    sensitivity: Share
    specificity: Share


class MeasureTest(msgspec.Struct, kw_only=True, frozen=True):
    """One measure: how often it moved as expected where an error was planted, how often it stayed under controls.

    ``languages`` are the same by the language of the question, in the order zh, ko, en; ``note`` says why a measure was
    not tested, and is "" where it was. ``not_decided`` counts the errors that were missed since
    more than before was left open, and the controls after which nothing was decided; left out where there are none.
    """

    measure: str
    sensitivity: Share
    specificity: Share
    verdict: TrustLevel
    languages: list[LanguageTest] = []
    note: str = ""
    not_decided: int | msgspec.UnsetType = msgspec.UNSET


class PerturbationTest(msgspec.Struct, kw_only=True, frozen=True):
    """One perturbation and one measure that it must move.

    ``applied`` counts changed turns; of these ``no_room`` had no mark, or one at the end of the scale that the error
    drives to: they say nothing and enter no share. ``moved`` are those of the rest that moved as expected;
    ``not_decided`` those that were missed since more than before was left open: nothing wrong was said of them.
    """

    perturbation: str
    meaning: str
    measure: str
    direction: Literal["down", "up"]
    applied: int
    no_room: int
    moved: Share
    not_decided: int | msgspec.UnsetType = msgspec.UNSET


class ControlTest(msgspec.Struct, kw_only=True, frozen=True):
    """One control: of ``applied`` turns, in how many some measure moved."""

    control: str
    meaning: str
    applied: int
    moved: Share


class Surprise(msgspec.Struct, kw_only=True, frozen=True):
    """A mark that did not do as it should: an error that it missed, or a control that moved it.

    ``removed`` and ``added`` are the words of the turn that the perturbation changed.
    """

    perturbation: str
    measure: str
    expected: Literal["down", "up", "same"]
    dialog_id: str
    turn_pair_id: int
    before: float | None
    after: float | None
    removed: str
    added: str


class SelfTest(msgspec.Struct, kw_only=True, frozen=True):
    """A whole self-test; ``words`` is version and digest of the words that were used."""

    run: str
    suite: str
    detect: str
    seed: int
    at_least: float
    turns: int
    dialogs: int
    words: dict[str, str]
    measures: list[MeasureTest]
    perturbations: list[PerturbationTest]
    controls: list[ControlTest]
    surprises: list[Surprise]
    not_planted: dict[str, str] = {}
