"""Scores as bodies of Langfuse's ``POST /api/public/scores`` (``CreateScoreRequest``), one a line."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from turnmark.pipeline.publishing.writers.protocol import Run, Score, write_json_lines

_SPACE = uuid.UUID("7b6b2a54-2a5c-5a0e-9d0e-6f1c6d1d8c11")


def score_id(run: Run, score: Score) -> str:
    """The same score has the same id, so that a second upload replaces and does not double."""
    parts = (run.summary.run_id, score.system, score.dialog_id, str(score.turn_pair_id), score.metric, score.measure)
    return str(uuid.uuid5(_SPACE, "\x1f".join(parts)))


class _Langfuse:
    version = "CreateScoreRequest of langfuse 5.0.4"

    def write(self, run: Run, folder: Path) -> None:
        """``scores.jsonl``: dialogues are sessions. What is not decided is a category; what does not apply has none."""
        write_json_lines(folder / "scores.jsonl", _bodies(run))


def _bodies(run: Run) -> Iterator[dict[str, Any]]:
    for score in run.applicable():
        scored = score.value is not None
        yield {
            "id": score_id(run, score),
            "sessionId": score.dialog_id,
            "name": score.name if scored else f"{score.name}.state",
            "value": score.value if scored else score.state,
            "dataType": "NUMERIC" if scored else "CATEGORICAL",
            "comment": score.reason or None,
            "metadata": {
                "run_id": run.summary.run_id, "turn_pair_id": score.turn_pair_id, "system": score.system,
                "hits": score.hits, "total": score.total, "undecided": score.undecided,
            },
        }  # fmt: skip


LANGFUSE = _Langfuse()
