"""Scores as bodies of Langfuse's ``POST /api/public/scores`` (``CreateScoreRequest``), one a line."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from turnmark.llm.secrets import Secrets
from turnmark.pipeline.publishing.sending import Destination, wanted
from turnmark.pipeline.publishing.writers.protocol import Run, Score, write_json_lines
from turnmark.schemas.redaction import SECRETS_IN_USE

_SPACE = uuid.UUID("7b6b2a54-2a5c-5a0e-9d0e-6f1c6d1d8c11")


def score_id(run: Run, score: Score) -> str:
    """The same score has the same id, so that a second upload replaces and does not double."""
    parts = (run.summary.run_id, score.system, score.dialog_id, str(score.turn_pair_id), score.metric, score.measure)
    return str(uuid.uuid5(_SPACE, "\x1f".join(parts)))


class _Langfuse:
    """Sent in lists of a hundred, as ``CreateScoresRequest`` of that version has them."""

    version = "CreateScoreRequest of langfuse 5.0.4"

    def write(self, run: Run, folder: Path) -> None:
        """``scores.jsonl``: dialogues are sessions. What is not decided is a category; what does not apply has none."""
        write_json_lines(folder / "scores.jsonl", _bodies(run))

    def destination(self, secrets: Secrets) -> Destination:
        """``LANGFUSE_BASE_URL`` (or ``LANGFUSE_HOST``), with ``LANGFUSE_PUBLIC_KEY`` and ``LANGFUSE_SECRET_KEY``."""
        base = wanted(secrets, "LANGFUSE_BASE_URL", "LANGFUSE_HOST")
        keys = f"{wanted(secrets, 'LANGFUSE_PUBLIC_KEY')}:{wanted(secrets, 'LANGFUSE_SECRET_KEY')}"
        basic = base64.b64encode(keys.encode()).decode()
        SECRETS_IN_USE.add(basic)
        return Destination(
            f"{base.rstrip('/')}/api/public/scores", {"Authorization": f"Basic {basic}"}, "scores.jsonl", 100,
            lambda lines: b"[" + b",".join(lines) + b"]", _rejected,
        )  # fmt: skip


def _rejected(reply: Any) -> tuple[int, list[str]]:
    """Of a reply 207 how many scores were rejected, and why; none of any other."""
    errors = reply.get("errors") if isinstance(reply, dict) else None
    told = [str(each.get("message")) for each in errors if isinstance(each, dict)] if isinstance(errors, list) else []
    count = reply.get("rejected") if isinstance(reply, dict) else 0
    return (count if isinstance(count, int) else len(told)), told


def _subject(run: Run, score: Score) -> dict[str, str]:
    """The trace that the turn was read from, where it was one of Langfuse; else the session that is called alike."""
    source = run.sources.get((score.dialog_id, score.turn_pair_id), {})
    trace = source.get("traceId") or source.get("trace_id") or source.get("id")
    known = source.get("read_from") == "langfuse" and trace is not None
    return {"traceId": str(trace)} if known else {"sessionId": score.dialog_id}


def _bodies(run: Run) -> Iterator[dict[str, Any]]:
    # A score that is sent again replaces the first one where id and timestamp are the same.
    ended = run.moment("ended_at")
    at = ended.isoformat() if ended is not None and ended.tzinfo is not None else None
    for score in run.applicable():
        scored = score.value is not None
        yield {
            "id": score_id(run, score),
            **_subject(run, score),
            "name": score.name if scored else f"{score.name}.state",
            "value": score.value if scored else score.state,
            "dataType": "NUMERIC" if scored else "CATEGORICAL",
            "comment": score.reason or None,
            **({"timestamp": at} if at else {}),
            "metadata": {
                "run_id": run.summary.run_id, "turn_pair_id": score.turn_pair_id, "system": score.system,
                "hits": score.hits, "total": score.total, "undecided": score.undecided,
            },
        }  # fmt: skip


LANGFUSE = _Langfuse()
