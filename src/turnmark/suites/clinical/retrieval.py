"""Retrieval behind clinical answers: the metrics of the suite ``rag`` join where a turn has retrieved contexts."""

from __future__ import annotations

from typing import NamedTuple

from turnmark.judges.protocol import Judge
from turnmark.judges.recorded import RecordedJudge
from turnmark.judges.rules.late import LateRulesJudge
from turnmark.metrics.rag import RETRIEVED
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.judging.cases import EvalResult
from turnmark.schemas.reasons import Reason
from turnmark.schemas.trace import DialogTrace, TurnTrace
from turnmark.stats.tally import Failed, NotApplicable, Outcomes
from turnmark.suites.rag.read_cases import TurnCase, case_of_turn

JOINED = tuple(metric.name for metric in RETRIEVED)
"""The metrics that join, by name."""

NO_CONTEXTS = Reason("no_contexts")
_IN_EVENTS = {"faithfulness": "faithfulness", "answer_relevance": "answer_relevancy"}
"""Names in ``metrics`` of an event, and the metric of the suite ``rag`` that each is."""


Judges = tuple[tuple[Judge, tuple[str, ...]], ...]
"""Who judges which of the metrics that join; every one of them is somebody's."""


class RetrievalResult(NamedTuple):
    """Outcomes and evidence of the metrics that join, and their figures by the names that events have for them.

    ``shared`` are results of which several judges gave the verdicts.
    """

    outcomes: dict[str, Outcomes]
    evidence: list[Evidence]
    numbers: dict[str, float]
    shared: dict[str, EvalResult]


def retrieval_case(dialog: DialogTrace, turn: TurnTrace, earlier: tuple[str, ...] = ()) -> TurnCase | None:
    """A turn as a case of the suite ``rag``, with what the trace calls its texts; None without retrieved contexts.

    ``earlier`` are texts of earlier turns that support its answer too.
    """
    if turn.recall is None or turn.recall.items is None:
        return None
    made = case_of_turn(turn, earlier, dialog.language)
    made.case.id = f"{dialog.dialog_id}:{turn.turn_pair_id}"
    return made


def judges_of(recorded: RecordedJudge | None) -> Judges:
    """The judge ``rules``, or for the metrics that a model was asked for its recorded judgements."""
    asked = () if recorded is None else JOINED if recorded.metrics is None else recorded.metrics
    by_model = tuple(name for name in JOINED if name in asked)
    by_rules = tuple(name for name in JOINED if name not in asked)
    parts = ((recorded, by_model), (LateRulesJudge() if by_rules else None, by_rules))
    return tuple((judge, names) for judge, names in parts if judge is not None and names)


def evaluate_retrieval(
    dialog: DialogTrace, turn: TurnTrace, judges: Judges, earlier: tuple[str, ...] = ()
) -> RetrievalResult:
    """What a turn gives for the metrics that join: without retrieved contexts none of them applies."""
    made = retrieval_case(dialog, turn, earlier)
    if made is None:
        return RetrievalResult(dict.fromkeys(JOINED, NotApplicable(NO_CONTEXTS)), [], {}, {})
    from turnmark.suites.rag.case import evaluate_case  # noqa: PLC0415 - with the judge, only for contexts to judge by

    retrieval_result = RetrievalResult({}, [], {}, {})
    for judge, names in judges:
        try:
            part = evaluate_case(made.case, judge, names)
        except Exception as error:  # noqa: BLE001 - the row boundary: these metrics of one turn fail, nothing else
            retrieval_result.outcomes.update(dict.fromkeys(names, Failed(Reason.error(error))))
            continue
        for piece in part.evidence:
            piece.source = made.names.get(piece.source, piece.source)
        retrieval_result.outcomes.update(part.outcomes)
        retrieval_result.evidence.extend(part.evidence)
        retrieval_result.numbers.update(_numbers(part.results))
        if isinstance(judge, RecordedJudge) and judge.in_turn:
            retrieval_result.shared.update(part.results)
    return retrieval_result


def _numbers(results: dict[str, EvalResult]) -> dict[str, float]:
    scores = {name: results[metric].score for name, metric in _IN_EVENTS.items() if metric in results}
    return {name: score for name, score in scores.items() if score is not None}
