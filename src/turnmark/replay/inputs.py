"""What can be replayed: what a kind of input is, how its lines become turns to play, and dialogues with ground truth.

Suites add kinds of their own (`turnmark.suites.protocol.SuiteDefinition.played`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

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
    def given(self) -> dict[str, list[str]]:
        """``case_contexts``: the contexts that the line brings along, for agents that answer from them."""
        contexts = self.source.get("retrieved_contexts")
        many = contexts if isinstance(contexts, list) else [contexts]
        texts = [item for item in many if isinstance(item, str)]
        return {"case_contexts": texts} if texts else {}

    @property
    def dialog_id(self) -> str:
        """The name of the dialogue."""
        return str(self.head["dialog_id"])


class UnfitError(ValueError):
    """A line is not what its kind says. ``field`` and ``expected`` as in `Problem`."""

    def __init__(self, field: str, expected: str, found: Any) -> None:
        super().__init__(f"{field}: expected {expected}")
        self.field, self.expected, self.found = field, expected, found


def json_records(path: Path) -> Iterator[Decoded[dict[str, Any]] | Problem]:
    """The records of a file of JSON Lines, in order."""
    return Reader(dict[str, Any]).read(path)


Records = Callable[[Path], Iterator[Decoded[dict[str, Any]] | Problem]]
"""What reads a file."""


class Kind(NamedTuple):
    """One kind of input.

    ``matches`` tells whether a line is of this kind; ``read`` makes it a script (raises UnfitError); ``result`` makes
    the record that is written for the dialogue, from the line and its trace; ``artifact`` is the file it goes to.
    ``records`` reads a file; ``columns`` gives what does so by the user's own names for fields, where these may have
    any.
    """

    name: str
    described: str
    artifact: str
    matches: Callable[[Mapping[str, Any]], bool]
    read: Callable[[dict[str, Any], int], Script]
    result: Callable[[Mapping[str, Any], dict[str, Any]], Iterator[dict[str, Any]]]
    records: Records = json_records
    columns: Callable[[Mapping[str, str]], Records] | None = None


def scripts(path: Path, kind: Kind) -> Iterator[Script | Problem]:
    """The scripts of a file in order, and what is wrong with lines that give none.

    Lines that cannot be read and ids that come again are left out; places count what is left.
    """
    seen: dict[str, int] = {}
    position = 0
    for item in kind.records(path):
        if isinstance(item, Problem):
            yield item
            continue
        if item.warning is not None:
            yield item.warning
        script = _script(item, kind, position + 1)
        if isinstance(script, Problem):
            yield script
        elif script.dialog_id in seen:
            yield _problem(
                item, "$", "each dialogue once", f"{script.dialog_id!r} again, first at line {seen[script.dialog_id]}"
            )
        else:
            seen[script.dialog_id] = item.line.number
            position += 1
            yield script


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


def head_of(dialog_id: str, index: int) -> dict[str, Any]:
    """What the trace of a dialogue begins with; ``index`` counts from 1."""
    return {
        "dialog_id": dialog_id,
        "dataset_index": index,
        "session_id": f"eval_session_{dialog_id}",
        "user_id": f"eval_user_{dialog_id}",
    }


def named(record: Mapping[str, Any], field: str) -> str:
    """The name of a dialogue in a field. Raises: UnfitError when it holds none."""
    value = record.get(field)
    if not isinstance(value, str | int) or isinstance(value, bool) or not str(value).strip():
        raise UnfitError(f"$.{field}", "the name of the dialogue", value)
    return str(value)


def question_pair(number: int, question: str, reference: str) -> dict[str, Any]:
    """A turn to be played, as `turnmark.schemas.dialog.turn_pairs` gives it; ``number`` counts from 1."""
    return {
        "turn_pair_id": number,
        "user_turn_abs_idx": 2 * number - 2,
        "gt_assistant_abs_idx": 2 * number - 1,
        "user_text": question,
        "gt_assistant_text": reference,
        "gt_turn_tags": {},
    }


def ended_otherwise(turn: Mapping[str, Any]) -> dict[str, Any]:
    """``finish_reason`` of a played turn, where its endpoint said that it ended otherwise than of itself."""
    ended = (turn.get("replay") or {}).get("finish_reason")
    return {} if ended is None else {"finish_reason": ended}


# ---- authored dialogues with ground truth: finance


def _is_dialog(record: Mapping[str, Any]) -> bool:
    turns = record.get("turns")
    scripted = isinstance(turns, Sequence) and any(isinstance(turn, Mapping) and "question" in turn for turn in turns)
    return "dialog_id" in record and not scripted


def _read_dialog(record: dict[str, Any], index: int) -> Script:
    dialog_id = named(record, "dialog_id")
    valid, reason = validity(record)
    head = head_of(dialog_id, index)
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


DIALOGS = Kind(
    "dialogs", "a dialogue (dialog_id, turns)", "dialog_trace.jsonl", _is_dialog, _read_dialog, _trace_itself
)
"""What is played of every suite that names nothing else."""
