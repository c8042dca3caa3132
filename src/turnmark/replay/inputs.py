"""What can be replayed: kinds of input lines, and how each becomes turns to play and a record to write.

A kind is one row of `KINDS`; it is told by the form of the first readable line, so that no option is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.schemas.clinical.events import EVENT_VERSION
from turnmark.schemas.dataset import DatasetDialog
from turnmark.schemas.dialog import normalized, turn_pairs, validity
from turnmark.schemas.jsonl import Decoded, Reader
from turnmark.schemas.problems import Problem, shown

_HEAD = ("scenario_type", "difficulty", "language")
_GROUND_TRUTH = ("profile_gt", "blueprint")


class Script(NamedTuple):
    """One dialogue to play.

    ``head`` are the fields of the dialogue that its trace begins with (``dialog_id``, ``dataset_index`` from 1,
    ``session_id``, ``user_id``, ground truth); ``pairs`` are its turns (`turnmark.schemas.dialog.turn_pairs`). With a
    ``skip_reason`` it is not played. ``source`` is the line that it was read from.
    """

    head: dict[str, Any]
    pairs: list[dict[str, Any]]
    source: dict[str, Any]
    skip_reason: str | None = None

    @property
    def place(self) -> int:
        """The place in the dataset, from 1."""
        return int(self.head["dataset_index"])

    @property
    def dialog_id(self) -> str:
        """The name of the dialogue."""
        return str(self.head["dialog_id"])


class UnfitError(ValueError):
    """A line is not what its kind says. ``field`` and ``expected`` as in `Problem`."""

    def __init__(self, field: str, expected: str, found: Any) -> None:
        super().__init__(f"{field}: expected {expected}")
        self.field, self.expected, self.found = field, expected, found


class Kind(NamedTuple):
    """One kind of input.

    ``matches`` tells whether a line is of this kind; ``read`` makes it a script (raises UnfitError); ``result`` makes
    the record that is written for the dialogue, from the line and its trace; ``artifact`` is the file it goes to.
    """

    name: str
    described: str
    artifact: str
    matches: Callable[[Mapping[str, Any]], bool]
    read: Callable[[dict[str, Any], int], Script]
    result: Callable[[Mapping[str, Any], dict[str, Any]], Iterator[dict[str, Any]]]


def scripts(path: Path, kind: Kind) -> Iterator[Script | Problem]:
    """The scripts of a file in order, and what is wrong with lines that give none.

    Lines that cannot be read and ids that come again are left out; places count what is left.
    """
    seen: dict[str, int] = {}
    place = 0
    for found in Reader(dict[str, Any]).read(path):
        if isinstance(found, Problem):
            yield found
            continue
        if found.warning is not None:
            yield found.warning
        script = _script(found, kind, place + 1)
        if isinstance(script, Problem):
            yield script
        elif script.dialog_id in seen:
            yield _problem(
                found, "$", "each dialogue once", f"{script.dialog_id!r} again, first at line {seen[script.dialog_id]}"
            )
        else:
            seen[script.dialog_id] = found.line.number
            place += 1
            yield script


def kind_of(path: Path) -> Kind | None:
    """The kind of a file, by its first readable line that is of any; None when there is none."""
    for found in Reader(dict[str, Any]).read(path):
        if not isinstance(found, Problem):
            for kind in KINDS:
                if kind.matches(found.value):
                    return kind
    return None


def _script(found: Decoded[dict[str, Any]], kind: Kind, index: int) -> Script | Problem:
    if not kind.matches(found.value):
        return _problem(
            found, "$", f"{kind.described}, like the lines before", f"fields {', '.join(found.value)[:200]}"
        )
    try:
        return kind.read(found.value, index)
    except UnfitError as error:
        return _problem(found, error.field, error.expected, shown(error.found))


def _problem(found: Decoded[dict[str, Any]], field: str, expected: str, what: str) -> Problem:
    advice = "the line is left out; the rest is replayed"
    return Problem(
        file=found.line.file, line=found.line.number, field=field, expected=expected, found=what, advice=advice
    )


def _head(dialog_id: str, index: int) -> dict[str, Any]:
    return {
        "dialog_id": dialog_id,
        "dataset_index": index,
        "session_id": f"eval_session_{dialog_id}",
        "user_id": f"eval_user_{dialog_id}",
    }


def _named(record: Mapping[str, Any], field: str) -> str:
    """Raises: UnfitError."""
    value = record.get(field)
    if not isinstance(value, str | int) or isinstance(value, bool) or not str(value).strip():
        raise UnfitError(f"$.{field}", "the name of the dialogue", value)
    return str(value)


def _question_pair(number: int, question: str, reference: str) -> dict[str, Any]:
    return {
        "turn_pair_id": number,
        "user_turn_abs_idx": 2 * number - 2,
        "gt_assistant_abs_idx": 2 * number - 1,
        "user_text": question,
        "gt_assistant_text": reference,
        "gt_turn_tags": {},
    }


# ---- authored dialogues with ground truth: finance


def _is_dialog(record: Mapping[str, Any]) -> bool:
    turns = record.get("turns")
    scripted = isinstance(turns, Sequence) and any(isinstance(turn, Mapping) and "question" in turn for turn in turns)
    return "dialog_id" in record and not scripted


def _read_dialog(record: dict[str, Any], index: int) -> Script:
    dialog_id = _named(record, "dialog_id")
    valid, reason = validity(record)
    head = _head(dialog_id, index)
    if not valid:
        known = {name: record[name] for name in _HEAD if isinstance(record.get(name), str)}
        return Script(head | known, [], record, reason)
    dialog = normalized(record)
    try:
        msgspec.convert(dialog | {"dialog_id": dialog_id}, DatasetDialog)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `")
        raise UnfitError(where.rstrip("`") or "$", "a dataset dialogue", what) from error
    head |= {name: dialog.get(name) for name in (*_HEAD, *_GROUND_TRUTH) if dialog.get(name) is not None}
    head["raw_turns"] = dialog["turns"]
    return Script(head, turn_pairs(dialog), record)


def _trace_itself(_source: Mapping[str, Any], trace: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield trace


# ---- questions of a RAG evaluation set


def _is_case(record: Mapping[str, Any]) -> bool:
    return "question" in record and "turns" not in record


def _read_case(record: dict[str, Any], index: int) -> Script:
    question = record["question"]
    if not isinstance(question, str) or not question.strip():
        raise UnfitError("$.question", "a question", question)
    name = record.get("id")
    dialog_id = f"case-{index:06d}" if name is None else _named(record, "id")
    reference = record.get("ground_truth_answer")
    pair = _question_pair(1, question, reference if isinstance(reference, str) else "")
    answered = isinstance(record.get("answer"), str) and bool(record["answer"].strip())
    language = {"language": record["lang"]} if isinstance(record.get("lang"), str) else {}
    return Script(_head(dialog_id, index) | language, [pair], record, "has_answer" if answered else None)


def _filled_case(source: Mapping[str, Any], trace: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The case with ``answer`` and ``retrieved_contexts``; one that could not be answered says why in ``error``."""
    case = dict(source)
    for turn in trace["turns"]:
        case.setdefault("id", trace["dialog_id"])
        if turn["turn_status"] == "ok":
            case["answer"] = turn["pred_assistant_text"]
            case |= _retrieved(turn)
        else:
            case["answer"] = None
            case["error"] = turn["error"]
        case["turn_status"] = turn["turn_status"]
        case["latency_ms"] = turn["latency_ms"]
    yield case


def _retrieved(turn: Mapping[str, Any]) -> dict[str, Any]:
    """What the agent says it rests on: the contexts of its reply, else what its memory recalled."""
    contexts = (turn.get("replay") or {}).get("retrieved_contexts")
    if contexts is not None:
        return {"retrieved_contexts": list(contexts)}
    items = (turn.get("recall") or {}).get("items")
    if items is None:
        return {}
    found: dict[str, Any] = {"retrieved_contexts": [str(item.get("content") or "") for item in items]}
    if items and all(item.get("item_id") is not None for item in items):
        found["retrieved_ids"] = [str(item["item_id"]) for item in items]
    return found


# ---- scripts of the clinical suite


def _is_clinical(record: Mapping[str, Any]) -> bool:
    return "patient_id" in record and "turns" in record


def _read_clinical(record: dict[str, Any], index: int) -> Script:
    patient = _named(record, "patient_id")
    turns = record["turns"]
    if not isinstance(turns, list) or not turns:
        raise UnfitError("$.turns", "a list of turns", turns)
    pairs = []
    for place, turn in enumerate(turns):
        question = turn.get("question") if isinstance(turn, dict) else None
        if not isinstance(question, str) or not question.strip():
            raise UnfitError(f"$.turns[{place}].question", "a question", question)
        pairs.append(_question_pair(place + 1, question, ""))
    return Script(_head(patient, index), pairs, record)


def _clinical_events(source: Mapping[str, Any], trace: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """One event a turn (``events_record.v1``): what was asked and answered, beside the truth of the patient's slots."""
    known = {name: value for name, value in source.items() if name not in {"turns", "slots", "patient_id"}}
    for turn, asked in zip(trace["turns"], source["turns"], strict=True):
        number = asked.get("turn_id")
        more = turn.get("replay") or {}
        question = {"text": turn["user_text"]}
        if isinstance(asked.get("question_id"), str | int):
            question["question_id"] = asked["question_id"]
        yield {
            "schema_version": EVENT_VERSION,
            "run_id": trace["run_id"],
            "mode": "llm" if trace.get("system") == "llm" else "agent",
            "patient_id": trace["dialog_id"],
            "turn_id": number if type(number) is int and number > 0 else turn["turn_pair_id"],
            "question": question,
            "answer": turn["pred_assistant_text"] if turn["turn_status"] == "ok" else None,
            "timestamp_utc": "",
            "timing_ms": turn["latency_ms"],
            **({"usage": more["usage"]} if "usage" in more else {}),
            "metadata": known | {"turn_status": turn["turn_status"], "error": turn["error"]},
            "slots_truth": source.get("slots") or {},
        }


KINDS = (
    Kind("dialogs", "a dialogue (dialog_id, turns)", "dialog_trace.jsonl", _is_dialog, _read_dialog, _trace_itself),
    Kind("cases", "a question (question)", "cases.jsonl", _is_case, _read_case, _filled_case),
    Kind(
        "clinical", "a script (patient_id, turns with question)", "events.jsonl", _is_clinical, _read_clinical,
        _clinical_events,
    ),
)  # fmt: skip
"""Every kind of input, in the order in which a line is tried."""
