"""The suite ``finance``: recorded dialogues of advisers with memory, marked by a set of finance detectors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from turnmark.detectors.finance.sets import DEFAULT, finance_detectors
from turnmark.language.text.segment import segment
from turnmark.metrics.finance import profile_accuracy
from turnmark.metrics.marked import counted
from turnmark.packs.loading import read
from turnmark.packs.rules import RulePack
from turnmark.schemas.jsonl import Line
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import DialogTrace
from turnmark.suites.finance.dialogue import Grades, Settings, evaluate_dialog, profile_outcomes
from turnmark.suites.finance.rows import complete, outcomes_of_columns
from turnmark.suites.known_names import (
    Doubt,
    UnreadDoubt,
    known_names,
    limit_in_chat,
    unknown_names,
    unread_constraints,
)
from turnmark.suites.protocol import JUDGED, Evaluated, SuiteSettings
from turnmark.suites.traces import trace_lines

if TYPE_CHECKING:
    from turnmark.suites.finance.possible import PossibleTier

_ASKS = re.compile(r"[?？]\s*$|[吗呢]\W*$|(?:나요|까요|가요|는지요|습니까)\W*$")
"""The end of a question: it may name a number without setting a limit."""


class FinanceSuite:
    """M1 to M5 and the use of memory, by a set of finance detectors.

    With ``judged``, M5's judge score is that of the recorded grades among the packs; all else is ``contextual``.
    """

    records: str | None = None

    def __init__(self, settings: SuiteSettings) -> None:
        self._form = settings.source_format
        graded = _graded(settings.packs) if settings.detect == JUDGED else _Graded(None, {}, {}, settings.packs)
        detect = DEFAULT if settings.detect == JUDGED else settings.detect
        self._detectors = finance_detectors(detect, graded.others)
        self._settings = Settings(
            settings.ignore_memory_keys,
            grades=graded.grades,
            label_by=settings.compliance_by,
            possible=None if settings.possible is None else self._possible(settings.possible, graded.others),
        )
        # ``literal`` repeats the first published runs: these know no such warning.
        self._repeats = self._detectors.name == "literal"
        self._known = None if self._repeats else known_names([read(path, RulePack)[0] for path in graded.others])
        detectors = {f"finance.{self._detectors.name}": self._detectors.version}
        self.versions: Mapping[str, str] = {**detectors, **graded.versions}
        self.packs: Mapping[str, str] = {**self._detectors.packs, **graded.packs}

    def _possible(self, model: str, packs: Sequence[Path]) -> PossibleTier:
        from turnmark.suites.finance.possible import PossibleTier  # noqa: PLC0415 - loads only when asked for

        return PossibleTier(model, self._detectors, packs)

    def lines(self, path: Path) -> Iterator[Line | Problem]:
        """The lines of the trace as they are."""
        return trace_lines(path, self._form)

    def evaluate(self, dialog: DialogTrace) -> Evaluated:
        """Rows and evidence of the turns, and M2 of the dialogue.

        Rows of ``literal`` are written as those of the first published runs: without marks, which whoever reads them
        takes from their columns.
        """
        rows, evidence = evaluate_dialog(dialog, self._detectors, self._settings)
        columns = [outcomes_of_columns(row) for row in rows]
        if not self._repeats:
            for row, given in zip(rows, columns, strict=True):
                complete(row, given)
        outcomes, profile_evidence = profile_outcomes(dialog, self._detectors)
        for piece in profile_evidence:
            piece.run_id = dialog.run_id
            piece.dialog_id = dialog.dialog_id
        return Evaluated(
            rows,
            [*evidence, *profile_evidence],
            {profile_accuracy.METRIC.name: outcomes},
            doubts=self._doubts(dialog),
            unread=self._unread(dialog),
            outcomes=[
                {name: counted(outcome, row.turn_status) for name, outcome in given.items()}
                for row, given in zip(rows, columns, strict=True)
            ],
        )

    def _doubts(self, dialog: DialogTrace) -> list[Doubt]:
        """Names of the ground truth that nothing knows."""
        if self._known is None:
            return []
        tags = ((f"$.turns[{index}].gt_turn_tags", turn.gt_turn_tags) for index, turn in enumerate(dialog.turns or ()))
        return [*unknown_names(tags, self._known), *self._limits(dialog)]

    def _limits(self, dialog: DialogTrace) -> Iterator[Doubt]:
        """The first limit that the user of a dialogue without a profile states; replies are not held to the chat."""
        if dialog.profile_gt is not None:
            return
        for index, turn in enumerate(dialog.turns or ()):
            text = turn.user_text or ""
            for sentence in segment(text).sentences:
                said = text[sentence.start : sentence.end].strip()
                if not _ASKS.search(said) and self._detectors.is_limit(said):
                    yield limit_in_chat(index, said)
                    return

    def _unread(self, dialog: DialogTrace) -> list[UnreadDoubt]:
        """Constraints of the user that no rule reads, where any turn could break them."""
        constraints = dialog.profile_gt.constraints_gt if dialog.profile_gt and dialog.turns else None
        return list(unread_constraints(constraints or (), self._detectors.unread, set()))


class _Graded(NamedTuple):
    """Recorded grades, what they add to the signature, and the packs that are none."""

    grades: Grades | None
    versions: Mapping[str, str]
    packs: Mapping[str, str]
    others: tuple[Path, ...]


def _graded(packs: tuple[Path, ...]) -> _Graded:
    """The grades among the packs. Raises: UsageError when there are none, or those of another suite."""
    from turnmark.judges.protocol import signature_parts  # noqa: PLC0415 - judges load only when asked for
    from turnmark.suites.recorded import recorded  # noqa: PLC0415 - judges load only when asked for

    judge, others = recorded(packs, "finance")
    low, high = (float(judge.rubric.get(name, end)) for name, end in (("low", 1), ("high", 5)))
    return _Graded(Grades(judge.grade, low, high, f"judge.{judge.name}"), *signature_parts(judge, "judge"), others)
