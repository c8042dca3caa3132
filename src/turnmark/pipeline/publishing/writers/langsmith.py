"""Scores as LangSmith feedback (``FeedbackCreate`` of its SDK), one a line."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from turnmark.llm.secrets import Secrets
from turnmark.pipeline.publishing.sending import Destination, wanted
from turnmark.pipeline.publishing.writers.langfuse import score_id
from turnmark.pipeline.publishing.writers.protocol import Run, write_json_lines


class _Langsmith:
    version = "FeedbackCreate of langsmith 0.15.1"

    def write(self, run: Run, folder: Path) -> None:
        """``feedback.jsonl``; ``run_id`` is that of the run that the turn was read from.

        Else it is the dialogue's id where that is a UUID, else null, never invented.
        """
        write_json_lines(folder / "feedback.jsonl", _bodies(run))

    def destination(self, secrets: Secrets) -> Destination:
        """``LANGSMITH_ENDPOINT`` with ``LANGSMITH_API_KEY``; feedback without a run is not sent."""
        base, key = wanted(secrets, "LANGSMITH_ENDPOINT"), wanted(secrets, "LANGSMITH_API_KEY")
        return Destination(
            f"{base.rstrip('/')}/feedback", {"x-api-key": key}, "feedback.jsonl", 1, lambda lines: lines[0],
            sendable=lambda line: b'"run_id":null' not in line[:80],
        )  # fmt: skip


def _bodies(run: Run) -> Iterator[dict[str, Any]]:
    for score in run.applicable():
        source = run.sources.get((score.dialog_id, score.turn_pair_id), {})
        known = source if source.get("read_from") == "langsmith" else {}
        yield {
            "id": score_id(run, score),
            "run_id": _uuid(str(known.get("id", score.dialog_id))),
            "trace_id": _uuid(str(known.get("trace_id", ""))),
            "key": score.name,
            "score": score.value,
            "value": None if score.value is not None else score.state,
            "comment": score.reason or None,
            "feedback_source": {"type": "api", "metadata": {"tool": "turnmark", "run_id": run.summary.run_id}},
            "extra": {
                "dialog_id": score.dialog_id, "turn_pair_id": score.turn_pair_id, "system": score.system,
                "hits": score.hits, "total": score.total, "undecided": score.undecided,
            },
        }  # fmt: skip


def _uuid(text: str) -> str | None:
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return None


LANGSMITH = _Langsmith()
