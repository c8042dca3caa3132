"""LoCoMo: conversations over many sessions, and questions about them with the turns that answer each.

Each question is a case; the turns that its evidence names are the reference contexts. What its evaluation adds beside a
question (``MODEL_prediction``, ``MODEL_prediction_context``) is answer and retrieved ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from turnmark.readers.protocol import Numbered, Sample
from turnmark.readers.sampling import left_out, objects
from turnmark.schemas.problems import Problem

_SESSION = re.compile(r"session_(\d+)$")
_PREDICTION = "prediction"
_BETWEEN = re.compile(r"[;,\s]+")
_READ = ("question", "answer", "evidence")


class _Locomo:
    version = "locomo10.json (ACL 2024)"
    gives: Literal["cases"] = "cases"

    def recognise(self, sample: Sample) -> bool:
        """Whether there are questions beside a conversation of numbered sessions."""
        first = sample.first
        told = first.get("conversation") if isinstance(first, dict) else None
        return isinstance(told, dict) and "qa" in first and any(map(_SESSION.match, told))

    def read(self, path: Path) -> Iterator[Numbered]:
        """One case a question."""
        for number, record in objects(path):
            if isinstance(record, Problem):
                yield number, record
                continue
            questions, told = record.get("qa"), record.get("conversation")
            if not isinstance(questions, list) or not isinstance(told, dict):
                field = "$.conversation" if isinstance(questions, list) else "$.qa"
                wanted = "sessions" if isinstance(questions, list) else "a list of questions"
                yield number, left_out(path, number, field, wanted, record.get(field[2:]))
                continue
            turns = _turns(told)
            for place, question in enumerate(questions):
                if not isinstance(question, dict) or not isinstance(question.get("question"), str):
                    yield number, left_out(path, number, f"$.qa[{place}].question", "a question", question)
                    continue
                name = f"{record.get('sample_id', number)}-{place + 1}"
                yield number, _case(question, turns, name)


def _turns(conversation: Mapping[str, Any]) -> dict[str, str]:
    """Turns by their id, each with who spoke and when, as the question's evidence names them."""
    results = {}
    for session, turns in conversation.items():
        if not _SESSION.match(session) or not isinstance(turns, list):
            continue
        when = conversation.get(f"{session}_date_time")
        for turn in turns:
            if isinstance(turn, dict) and isinstance(turn.get("text"), str):
                shared = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
                said = f"{turn.get('speaker')}: {turn['text']}{shared}"
                results[str(turn.get("dia_id"))] = f"({when}) {said}" if when else said
    return results


def _case(question: Mapping[str, Any], turns: Mapping[str, str], name: str) -> dict[str, Any]:
    evidence = question.get("evidence")
    # Some lines of the published file hold several ids in one text.
    ids = (
        [part for each in evidence if isinstance(each, str) for part in _BETWEEN.split(each) if part]
        if isinstance(evidence, list)
        else []
    )
    answer = question.get("answer")
    told = next((key for key in question if key.endswith(_PREDICTION)), None)
    retrieved = question.get(f"{told}_context") if told else None
    # What was retrieved may be whole sessions or observations: then it stays as it is.
    retrieved = list(map(str, retrieved)) if isinstance(retrieved, list) else []
    known = bool(retrieved) and all(each in turns for each in retrieved)
    return {
        "id": name,
        "question": question["question"],
        **({} if answer is None else {"ground_truth_answer": str(answer)}),
        "ground_truth_contexts": [turns[each] for each in ids if each in turns],
        "relevant_ids": ids,
        **({"answer": str(question[told])} if told else {}),
        **({"retrieved_ids": retrieved, "retrieved_contexts": [turns[each] for each in retrieved]} if known else {}),
        "metadata": {key: value for key, value in question.items() if key not in _READ and key != told},
    }


LOCOMO = _Locomo()
