"""One finance dialogue in; its turn rows, its evidence and what it gives for M2 out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from turnmark.detectors.finance.memory_keys import KeyResolver
from turnmark.detectors.finance.protocol import (
    FinanceDetectors,
    MemorySources,
    MemoryTexts,
    PredictedProfile,
    Reading,
)
from turnmark.detectors.reply_state import ReplyStates
from turnmark.metrics.finance import (
    compliance,
    compliance_columns,
    context_continuity,
    explainability,
    profile_accuracy,
    reply_key_use,
    risk_coverage,
)
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.judging.review import Grade
from turnmark.schemas.reasons import Reason
from turnmark.schemas.trace import TRACE_VERSION, DialogTrace, TurnTrace
from turnmark.schemas.turn_eval import LabelBy, TurnEvalRow
from turnmark.stats.tally import Failed, NotApplicable, Outcomes

if TYPE_CHECKING:
    from turnmark.suites.finance.possible import PossibleTier

LITERAL = "literal"


class Grades(NamedTuple):
    """Where M5's judge score comes from when a model gave it: grades of items, on a scale from ``low`` to ``high``."""

    of: Callable[[Mapping[str, Any]], Grade]
    low: float
    high: float
    rule: str


class Settings(NamedTuple):
    """What shapes the rows beside the detectors. ``run_id`` replaces the trace's own when it is given.

    ``grades`` give M5's judge score; without them it is a linear reading of the hit rate. ``label_by`` says whether
    M4's label goes by the reply's words, by what the assistant's own check reported, or by the graver one.
    ``possible`` finds what stands beside the marks for reviewers.
    """

    ignore_memory_keys: bool = False
    forbidden_phrases: tuple[str, ...] = ()
    run_id: str | None = None
    grades: Grades | None = None
    label_by: LabelBy = "words"
    possible: PossibleTier | None = None


class Scored(NamedTuple):
    """What one dialogue gives: rows and evidence in the order of its turns."""

    rows: list[TurnEvalRow]
    evidence: list[Evidence]


def evaluate_dialog(dialog: DialogTrace, detectors: FinanceDetectors, settings: Settings) -> Scored:
    """Rows and evidence of the turns of one dialogue; an invalid dialogue has none.

    A detector that fails on a turn is written into the row's ``failures``; the other metrics of the row stand.
    """
    if not dialog.valid_dialog:
        return Scored([], [])
    evaluation = _DialogEvaluation(dialog, detectors, settings)
    for turn in dialog.turns or ():
        evaluation.turn(turn)
    return Scored(evaluation.rows, evaluation.evidence)


class NotGradedError(Exception):
    """A turn that asks for an explanation has no grade; the message says why."""


Step = Callable[[TurnEvalRow, TurnTrace, Reading], list[Evidence]]


class _DialogEvaluation:
    def __init__(self, dialog: DialogTrace, detectors: FinanceDetectors, settings: Settings) -> None:
        self.rows: list[TurnEvalRow] = []
        self.evidence: list[Evidence] = []
        self._detectors = detectors
        self._settings = settings
        self._run_id = settings.run_id or dialog.run_id
        self._dialog_id = dialog.dialog_id
        self._dialog = dialog
        self._keys = KeyResolver(dialog)
        self._states = ReplyStates(dialog.language)
        self._texts = MemoryTexts()
        self._disclosed: list[Evidence] | None = None
        self._limits: list[Evidence] = []
        self._profile = dialog.profile_gt
        self._constraints = list((dialog.profile_gt.constraints_gt if dialog.profile_gt else None) or ())
        self._held = sum(detectors.unread(constraint) is None for constraint in self._constraints)
        self._forbidden = [
            *((dialog.blueprint.forbidden_list if dialog.blueprint else None) or ()),
            *settings.forbidden_phrases,
        ]

    def _steps(self) -> tuple[tuple[str, Step], ...]:
        """What is done with each turn; not kept, for an object that holds its own methods lives on as a cycle."""
        return (
            (context_continuity.METRIC.code, self._context_continuity),
            (risk_coverage.METRIC.code, self._risk_coverage),
            (compliance.METRIC.code, self._compliance),
            (explainability.METRIC.code, self._explainability),
            (reply_key_use.METRIC.code, self._reply_key_use),
        )

    def turn(self, turn: TurnTrace) -> None:
        """Score one turn: detectors give evidence, metrics count it into the row."""
        row = self._row(turn)
        judged = self._states.judge(turn.user_text, turn.pred_assistant_text, cut_off=turn.cut_off)
        row.reply_state = judged.state
        pieces: list[Evidence] = [judged.evidence] if judged.evidence else []
        failures: dict[str, str] = {}
        self._disclosed = None
        self._limits = []
        reading = Reading(turn.pred_assistant_text or "", turn.user_text, self._profile)
        for code, detect in self._steps():
            try:
                pieces += detect(row, turn, reading)
            except NotGradedError as missing:
                failures[code] = str(missing)
            except Exception as error:  # noqa: BLE001 - the row boundary: one metric of one row fails, nothing else
                failures[code] = str(Reason.error(error))
        if failures:
            row.failures = failures
        ok = turn.turn_status == "ok"
        row.eligible_m1 = ok and "M1" not in failures and any(key.resolvable for key in row.resolved_keys)
        row.eligible_m3 = ok and "M3" not in failures and bool(row.risk_required_tags)
        row.eligible_m4 = ok and "M4" not in failures
        row.eligible_m5 = ok and "M5" not in failures and bool(row.rubric_required)
        if self._settings.possible is not None and ok and not failures:
            # No row is filled from these; what a detector failed on is not asked again.
            pieces += self._settings.possible.find(reading, row.rubric_required)
        for piece in pieces:
            piece.run_id = self._run_id
            piece.dialog_id = self._dialog_id
            piece.turn_pair_id = turn.turn_pair_id
        self.rows.append(row)
        self.evidence += pieces

    def _context_continuity(self, row: TurnEvalRow, turn: TurnTrace, reading: Reading) -> list[Evidence]:
        sources = memory_sources(turn)._replace(texts=self._texts)
        detect = self._detectors.memory
        memory = [detect(key, sources) if key.resolvable else [] for key in row.resolved_keys]
        constraints = self._detectors.constraints(reading, self._constraints)
        self._limits = constraints
        context_continuity.fill(row, memory, constraints)
        if self._detectors.apart:
            row.constraints_held = self._held
        result = constraints
        for pieces in memory:
            result = result + pieces
        return result

    def _risk_coverage(self, row: TurnEvalRow, turn: TurnTrace, reading: Reading) -> list[Evidence]:
        tags = turn.gt_turn_tags
        risk = self._detectors.risk(reading, (tags.risk_disclosure_required_gt if tags else None) or ())
        risk_coverage.fill(row, risk)
        self._disclosed = risk
        return risk

    def _compliance(self, row: TurnEvalRow, turn: TurnTrace, reading: Reading) -> list[Evidence]:
        result = self._detectors.compliance(reading, self._forbidden, turn.compliance, self._disclosed, self._limits)
        compliance.fill(row, result)
        if self._detectors.apart:
            events = self._detectors.events(turn.compliance)
            compliance_columns.fill(row, result, events, self._forbidden, self._settings.label_by)
            result = [*result, *(events or ())]
        return result

    def _explainability(self, row: TurnEvalRow, turn: TurnTrace, reading: Reading) -> list[Evidence]:
        rubric = self._detectors.rubric(reading, row.rubric_required)
        explainability.fill(row, rubric)
        grades = self._settings.grades
        if grades is None:
            return rubric
        row.judge_score_1_5 = None
        item = graded_item(self._dialog, turn)
        return rubric if item is None else [*rubric, _graded(row, grades, grades.of(item))]

    def _reply_key_use(self, row: TurnEvalRow, _: TurnTrace, reading: Reading) -> list[Evidence]:
        keys = [key for key in row.resolved_keys if key.resolvable]
        result = self._detectors.keys_used(reading, keys) if keys else []
        reply_key_use.fill(row, result)
        return result

    def _row(self, turn: TurnTrace) -> TurnEvalRow:
        tags = turn.gt_turn_tags
        canonical = self._detectors.canonical_tag
        keys = [] if self._settings.ignore_memory_keys else (tags.memory_required_keys_gt if tags else None) or []
        return TurnEvalRow(
            trace_version=TRACE_VERSION,
            run_id=self._run_id,
            dialog_id=self._dialog_id,
            turn_pair_id=turn.turn_pair_id,
            eligible_m1=False,
            eligible_m2=False,
            eligible_m3=False,
            eligible_m4=False,
            eligible_m5=False,
            required_keys_raw=keys,
            resolved_keys=[self._keys.resolve(key) for key in keys],
            risk_required_tags=[canonical(tag) for tag in (tags.risk_disclosure_required_gt if tags else None) or ()],
            rubric_required=(tags.explainability_rubric_gt if tags else None) or [],
            gt_compliance_label=compliance.known_label(tags.compliance_label_gt if tags else None)
            or self._detectors.unlabelled,
            turn_status=turn.turn_status,
        )


def graded_item(dialog: DialogTrace, turn: TurnTrace) -> dict[str, Any] | None:
    """What a rubric may show of a turn; None for one of which M5 asks nothing."""
    required = (turn.gt_turn_tags.explainability_rubric_gt if turn.gt_turn_tags else None) or []
    if not required or turn.turn_status != "ok":
        return None
    before = [item for item in dialog.turns or () if item.turn_pair_id < turn.turn_pair_id]
    said = [(f"user: {item.user_text}", f"assistant: {item.pred_assistant_text or ''}") for item in before]
    return {
        "question": turn.user_text,
        "answer": turn.pred_assistant_text,
        "ground_truth_answer": turn.gt_assistant_text or None,
        "required_elements": required,
        "earlier_turns": [text for pair in said for text in pair],
    }


def _graded(row: TurnEvalRow, grades: Grades, grade: Grade) -> Evidence:
    """Write a grade into a row and return its evidence. Raises: NotGradedError when there is none."""
    if grade.score is None:
        raise NotGradedError(grade.failure)
    part = (grade.score - grades.low) / (grades.high - grades.low)
    row.judge_score_1_5 = round(1 + 4 * part, 2)
    note = f"{grade.score:g} of {grades.low:g} to {grades.high:g}"
    return Evidence(
        metric=explainability.METRIC.name,
        rule=grades.rule,
        label="judge_score_1_5",
        polarity=f"{row.judge_score_1_5:g}",
        quote=grade.quote,
        start=grade.start,
        end=grade.end,
        note=f"{note}: {grade.reason}" if grade.reason else note,
    )


def memory_sources(turn: TurnTrace) -> MemorySources:
    """The texts in which memory may hold a key. ``packed_context`` is what was sent, not a source of its own."""
    recall = turn.recall
    if recall is None:
        return MemorySources("", (), "")
    as_text = recall.short_term_context or (recall.short_term_context is not None and not recall.short_term_turns)
    field = "recall.short_term_context" if as_text else "recall.short_term_turns"
    return MemorySources(
        recall.short_term(), [item.content for item in recall.items or ()], recall.profile_context or "", field
    )


def told_profile(dialog: DialogTrace) -> bool:
    """Whether the assistant said at any turn what it took the user to be, empty as that may be."""
    return any(turn.profile_snapshot is not None for turn in dialog.turns or ())


def profile_outcomes(dialog: DialogTrace, detectors: FinanceDetectors) -> tuple[Outcomes, list[Evidence]]:
    """What one dialogue gives for M2, and the evidence for it.

    What was never answered or never told is not applicable; the set ``literal`` counts it as wrong, as published.
    """
    if not dialog.valid_dialog:
        reason = Reason("dialog_not_valid", {"skip_reason": dialog.skip_reason or "no reason given"})
        # The first published runs count a skipped dialogue as failed too; it is one or the other.
        failed = detectors.silence_is_wrong or dialog.dialog_status == "failed"
        return (Failed(reason) if failed else NotApplicable(reason)), []
    if dialog.profile_gt is None:
        return NotApplicable(Reason("no_profile")), []
    if not detectors.silence_is_wrong and not any(turn.turn_status == "ok" for turn in dialog.turns or ()):
        return NotApplicable(Reason("no_turn_answered")), []
    try:
        predicted, true, evidence = detectors.profile(dialog)
    except Exception as error:  # noqa: BLE001 - the row boundary
        return Failed(Reason.error(error)), []
    unsaid = frozenset() if detectors.silence_is_wrong else _unsaid(dialog, predicted)
    return profile_accuracy.outcomes(predicted, true, unsaid), evidence


def _unsaid(dialog: DialogTrace, predicted: PredictedProfile) -> frozenset[str]:
    """The fields on which nothing was recorded: no snapshot in the whole dialogue, and no statement of a reply."""
    if told_profile(dialog):
        return frozenset()
    return frozenset(field for field, value in zip(predicted._fields, predicted, strict=True) if not value)
