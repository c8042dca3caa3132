"""Scores beside the texts that they are of, as ragas and deepeval hold their results.

Both know numbers only: what is not decided or does not apply is null, and deepeval's ``error`` says which.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from turnmark.metrics.catalog import metric as metric_of
from turnmark.pipeline.publishing.writers.protocol import Run, Score, scores_of, write_json_lines
from turnmark.schemas.marked_turn import Row
from turnmark.schemas.trace import TurnTrace


class _Ragas:
    version = "rows of EvaluationResult.to_pandas of ragas 0.4.3"

    def write(self, run: Run, folder: Path) -> None:
        """``results.jsonl``: the names of a SingleTurnSample, then one column a measure, null without a number."""
        write_json_lines(folder / "results.jsonl", _ragas(run))


class _Deepeval:
    version = "TestResult and MetricData of deepeval 4.3.1"

    def write(self, run: Run, folder: Path) -> None:
        """``test_results.jsonl``: a test result a turn; no threshold is set, so that a metric has no ``success``."""
        write_json_lines(folder / "test_results.jsonl", _deepeval(run))


def _ragas(run: Run) -> Iterator[dict[str, Any]]:
    for row, _, turn in run.turns():
        numbers = {score.name: score.value for score in _scores(row)}
        yield {**_sample(turn), **numbers}


def _sample(turn: TurnTrace) -> dict[str, Any]:
    return {
        "user_input": turn.user_text,
        "retrieved_contexts": _contexts(turn),
        "reference_contexts": turn.ground_truth_contexts if isinstance(turn.ground_truth_contexts, list) else None,
        "response": turn.pred_assistant_text,
        "reference": turn.gt_assistant_text or None,
    }


def _deepeval(run: Run) -> Iterator[dict[str, Any]]:
    for index, (row, dialog, turn) in enumerate(run.turns()):
        sample = _sample(turn)
        scores = [score for score in _scores(row) if score.state != "not applicable"]
        yield {
            "name": f"{row.dialog_id}:{row.turn_pair_id}",
            "success": all(score.state != "failed" for score in scores),
            "metrics_data": [_metric_data(score) for score in scores],
            "conversational": False,
            "index": index,
            "input": sample["user_input"],
            "actual_output": sample["response"],
            "expected_output": sample["reference"],
            "context": sample["reference_contexts"],
            "retrieval_context": sample["retrieved_contexts"],
            "metadata": {
                "run_id": run.summary.run_id, "dialog_id": row.dialog_id, "turn_pair_id": row.turn_pair_id,
                "reply_state": row.reply_state, "language": dialog.language, "system": getattr(row, "system", ""),
            },
        }  # fmt: skip


def _metric_data(score: Score) -> Mapping[str, Any]:
    return {
        "name": score.name,
        "threshold": None,
        "success": None,
        "score": score.value,
        "reason": score.reason or None,
        "error": None if score.value is not None else score.state,
        "evaluation_model": f"turnmark {metric_of(score.metric).version}",
    }


def _scores(row: Row) -> Iterator[Score]:
    for metric, mark in row.marks.items():
        yield from scores_of(row, metric, mark)


def _contexts(turn: TurnTrace) -> list[str] | None:
    items = turn.recall.items if turn.recall is not None else None
    return None if items is None else [item.content for item in items]


RAGAS = _Ragas()
DEEPEVAL = _Deepeval()
