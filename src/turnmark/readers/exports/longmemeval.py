"""LongMemEval: questions about a history of many sessions, of which some hold the answer.

Each record is a case; the turns marked ``has_answer`` are the reference contexts, else the whole sessions that are
named. ``hypothesis``, where it stands beside the question, is the answer. The history itself is no part of a case.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from turnmark.readers.protocol import Numbered, Sample
from turnmark.readers.sampling import left_out, objects
from turnmark.schemas.problems import Problem

_HISTORY = ("haystack_sessions", "haystack_session_ids", "haystack_dates")
_READ = (*_HISTORY, "question_id", "question", "answer", "answer_session_ids", "hypothesis", "retrieval_results")


class _LongMemEval:
    version = "longmemeval_s, _m and _oracle (ICLR 2025)"
    gives: Literal["cases"] = "cases"

    def recognise(self, sample: Sample) -> bool:
        """Whether there is a question beside a history of sessions."""
        names = sample.first.keys() if isinstance(sample.first, dict) else set()
        return {"question_id", "question", "haystack_sessions"} <= names

    def read(self, path: Path) -> Iterator[Numbered]:
        """One case a record."""
        for number, record in objects(path):
            if isinstance(record, Problem):
                yield number, record
            elif not isinstance(record.get("question"), str):
                yield number, left_out(path, number, "$.question", "a question", record.get("question"))
            elif not isinstance(record.get("haystack_sessions"), list):
                found = record.get("haystack_sessions")
                yield number, left_out(path, number, "$.haystack_sessions", "a list of sessions", found)
            else:
                yield number, _case(record)


def _case(record: Mapping[str, Any]) -> dict[str, Any]:
    sessions = [session for session in record["haystack_sessions"] if isinstance(session, list)]
    names, wanted = record.get("haystack_session_ids"), record.get("answer_session_ids")
    names = names if isinstance(names, list) else []
    wanted = [str(each) for each in wanted] if isinstance(wanted, list) else []
    marked = [
        _said(turn) for session in sessions for turn in session if isinstance(turn, dict) and turn.get("has_answer")
    ]
    named = [
        "\n".join(_said(turn) for turn in session if isinstance(turn, dict))
        for name, session in zip(map(str, names), sessions, strict=False)
        if name in wanted
    ]
    answer = record.get("answer")
    return {
        "id": record.get("question_id"),
        "question": record["question"],
        **({} if answer is None else {"ground_truth_answer": str(answer)}),
        "ground_truth_contexts": marked or named,
        **({"answer": record["hypothesis"]} if isinstance(record.get("hypothesis"), str) else {}),
        **_retrieved(record.get("retrieval_results"), [str(each) for each in names]),
        **({"relevant_ids": wanted} if wanted else {}),
        "metadata": {name: value for name, value in record.items() if name not in _READ},
    }


def _retrieved(results: Any, sessions: Sequence[str]) -> dict[str, Any]:
    """What a log of its retrieval ranks: texts, and ids where these are of sessions, as the relevant ones are."""
    ranked = results.get("ranked_items") if isinstance(results, dict) else None
    items = [item for item in ranked if isinstance(item, dict)] if isinstance(ranked, list) else []
    if not items:
        return {}
    texts = [item["text"] for item in items if isinstance(item.get("text"), str)]
    ids = [str(item.get("corpus_id")).replace("noans_", "answer_") for item in items]
    return {
        **({"retrieved_ids": ids} if set(ids) <= set(sessions) else {"retrieval_results": results}),
        **({"retrieved_contexts": texts} if texts else {}),
    }


def _said(turn: Mapping[str, Any]) -> str:
    return f"{turn.get('role')}: {turn.get('content')}"


LONGMEMEVAL = _LongMemEval()
