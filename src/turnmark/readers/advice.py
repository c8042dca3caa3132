"""Tables and records of advice: what a user said, what was replied, and the limits that the user has.

One row is one turn; rows next to each other that name the same dialogue are its turns, and its limits are those of all
its rows. Such a table is told by its names: a question, a reply and limits, and nothing retrieved, which would make it
one of RAG cases.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from turnmark.errors import DataError
from turnmark.language.text.exceptions import opens_exception
from turnmark.readers.headers import ALIASES, HEADERS, plain_name
from turnmark.readers.protocol import Numbered, Sample
from turnmark.readers.sampling import BINARY, cell, objects, sample_of
from turnmark.readers.tables import is_table, read_table
from turnmark.schemas.dialog import role_of
from turnmark.schemas.problems import Problem, readable

LIMITS_READ = "read as limits of the user"
"""What a notice says of a column that is read as limits."""

_OWNERS = ("customers", "customer", "clients", "client", "users", "user", "investors", "investor", "investment", "고객",
           "사용자", "투자자", "투자", "客户", "用户", "投资者", "投资人", "投资")  # fmt: skip
_LIMITS = frozenset(
    ("constraints", "constraint", "limits", "limit", "restrictions", "restriction", "constraintsgt",
     "profilegt.constraintsgt", "제약", "제약조건", "제약사항", "한도", "제한", "제한사항", "제한조건",
     "约束", "约束条件", "限制", "限制条件", "限制要求", "투자제약", "투자한도")
)  # fmt: skip
_DIALOGUES = frozenset(
    ("sessionid", "conversationid", "dialogid", "dialogueid", "threadid", "chatid", "session", "conversation",
     "dialogue", "대화id", "대화번호", "세션id", "会话id", "对话id", "会话", "对话编号")
)  # fmt: skip
_TEXTS = {"usertext": "question", "assistanttext": "answer", "predassistanttext": "answer"}
_BETWEEN = re.compile(r"[;；\n]")
_BULLET = re.compile(r"^\s*(?:[-*•·]|\(?\d{1,2}[.)、])\s+")
_SHORTENED = re.compile(r"(?i)\b(?:e\.\s?g|i\.\s?e|incl|approx|max|min|vs|cf)\.\s*\Z")
"""What ends in a point and ends no sentence."""
_NUMBER = re.compile(r"[.#]?\d{1,2}$")


def names_limits(name: str) -> bool:
    """Whether a header or a field names the limits of a user, however it is written (Customer limits, 约束 2)."""
    plain = _NUMBER.sub("", plain_name(name).replace("'s", "s").replace("’s", "s"))
    owner = next((owner for owner in _OWNERS if plain.startswith(owner)), "")
    return plain in _LIMITS or (owner != "" and plain[len(owner) :].removeprefix("의").removeprefix("的") in _LIMITS)


def limits_in(value: Any) -> list[str]:
    """The limits that a cell or a field holds: a list, JSON of one, or texts between semicolons, in sentences or lines.

    A sentence that excepts something stays with the one before it. Numbers and all that is no text are none.
    """
    found = cell(value)
    if isinstance(found, Mapping):
        found = found.get("constraints_gt")
    texts = found if isinstance(found, list) else [found]
    parts = (part for text in texts if isinstance(text, str) for part in _BETWEEN.split(text))
    limits = (limit for part in parts for limit in _sentences(_BULLET.sub("", part).strip()))
    return list(dict.fromkeys(limit for limit in limits if limit and not limit.replace(".", "").isdigit()))


def _sentences(text: str) -> Iterator[str]:
    from turnmark.language.text.segment import segment  # noqa: PLC0415 - its arrays load where limits are read

    starts = [
        start
        for start, *_ in segment(text).sentences
        if start and not _SHORTENED.search(text, 0, start) and not opens_exception(text[start:])
    ]
    for start, end in itertools.pairwise((0, *starts, len(text))):
        yield text[start:end].strip()


def limits_of(record: Mapping[str, Any]) -> list[str]:
    """The limits in all fields of a record that name such."""
    return list(
        dict.fromkeys(limit for name, value in record.items() if names_limits(name) for limit in limits_in(value))
    )


class Columns(NamedTuple):
    """What the names of a table or record stand for: of each field its names, in order."""

    question: tuple[str, ...]
    answer: tuple[str, ...]
    limits: tuple[str, ...]
    dialogue: tuple[str, ...]
    retrieved: tuple[str, ...]
    reference: tuple[str, ...]

    @property
    def advice(self) -> bool:
        """Whether they are those of advice."""
        return bool(self.question and self.answer and self.limits)


def columns_of(names: Iterable[str]) -> Columns:
    """What names stand for."""
    told: dict[str, list[str]] = {}
    for name in names:
        if name:
            told.setdefault(_field(name), []).append(name)
    fields = ("question", "answer", "limits", "dialogue", "retrieved_contexts", "ground_truth_answer")
    return Columns(*(tuple(told.get(field, ())) for field in fields))


@cache
def _by_name() -> dict[str, str]:
    """The field that a plain name stands for."""
    return {
        **{plain_name(header): field for field, headers in HEADERS.items() for header in headers},
        **{plain_name(alias): field for alias, field in ALIASES.items()},
        **{field.replace("_", ""): field for field in HEADERS},
        **_TEXTS,
    }


def _field(name: str) -> str:
    plain = plain_name(name)
    if names_limits(name):
        return "limits"
    if plain in _DIALOGUES:
        return "dialogue"
    role = {"user": "question", "assistant": "answer"}.get(role_of(name), "")
    return role or _by_name().get(plain, "") or _by_name().get(_NUMBER.sub("", plain), "")


class _Advice:
    version = "tables and records of a question, a reply and the limits of the user"
    gives: Literal["dialogues"] = "dialogues"

    def recognise(self, sample: Sample) -> bool:
        """Whether its names are a question, a reply and limits, and nothing was retrieved."""
        if sample.path.suffix.lower() in BINARY:
            return False
        names = _names(sample)
        columns = columns_of(names)
        return columns.advice and not columns.retrieved

    def read(self, path: Path) -> Iterator[Numbered]:
        """Dialogues of the rows, after what was read as limits."""
        columns = columns_of(_names(sample_of(path)))
        if not (columns.question and columns.answer):
            message = (
                f"{path}: expected columns with what the user said and with the reply; call them question and reply"
            )
            raise DataError(message)
        for name in columns.limits:
            yield (
                1,
                Problem(
                    file=readable(path), line=1, field=f"$.{name}", expected=LIMITS_READ,
                    advice="replies are held to them", severity="notice",
                ),
            )  # fmt: skip
        yield from _dialogues(_rows(path), columns)


ADVICE = _Advice()


def _names(sample: Sample) -> Sequence[str]:
    if is_table(sample.path):
        try:
            return read_table(sample.path, _is_known).names
        except DataError:  # told by whoever reads the table
            return ()
    first = sample.first
    if not isinstance(first, Mapping) or "turns" in first:
        return ()
    # A verdict by limit is a label, a number a parameter: neither is a limit.
    return [
        name for name, value in first.items() if not names_limits(name) or limits_in(value) or value in (None, "", [])
    ]


def _is_known(name: str) -> bool:
    return _field(name) != ""


def _rows(path: Path) -> Iterator[Numbered]:
    if not is_table(path):
        yield from objects(path)
        return
    for row in read_table(path, _is_known).rows:
        yield (row.line, row) if isinstance(row, Problem) else (row.number, dict(row.cells))


def _dialogues(rows: Iterable[Numbered], columns: Columns) -> Iterator[Numbered]:
    """The dialogues of rows."""
    for key, group in itertools.groupby(enumerate(rows), lambda entry: _key(entry[0], entry[1][1], columns)):
        records = [row for _, row in group]
        if key is None:
            yield from records
        else:
            yield records[0][0], _dialogue(records, columns)


def _key(position: int, row: Mapping[str, Any] | Problem, columns: Columns) -> Any:
    """What rows of one dialogue have in common; None for what is no row."""
    if isinstance(row, Problem):
        return None
    named = _first(row, columns.dialogue)
    return ("named", named) if named else ("row", position)


def _first(row: Mapping[str, Any], names: Iterable[str]) -> str:
    return next((str(row[name]) for name in names if row.get(name) not in (None, "", [], {})), "")


def _dialogue(records: Sequence[Numbered], columns: Columns) -> dict[str, Any]:
    rows = [row for _, row in records if isinstance(row, Mapping)]
    limits = list(dict.fromkeys(limit for row in rows for limit in limits_of(row)))
    name = _first(rows[0], (*columns.dialogue, *(() if len(rows) > 1 else ("id",))))
    language = _first(rows[0], ("language", "lang"))
    return {
        **({"dialog_id": name} if name else {}),
        "language": language or None,
        **({"profile_gt": {"constraints_gt": limits}} if limits else {}),
        "turns": [_turn(row, columns) for row in rows],
    }


def _turn(row: Mapping[str, Any], columns: Columns) -> dict[str, Any]:
    taken = {*columns.question[:1], *columns.answer[:1], *columns.limits, *columns.dialogue, *columns.retrieved,
             *columns.reference, "language", "lang", "id"}  # fmt: skip
    kept = {name: value for name, value in row.items() if name not in taken and value not in (None, "")}
    contexts = [text for name in columns.retrieved for text in _listed(cell(row.get(name)))]
    return {
        "user_text": _first(row, columns.question),
        "pred_assistant_text": _first(row, columns.answer),
        "gt_assistant_text": _first(row, columns.reference),
        **({"recall": {"items": [{"content": text} for text in contexts]}} if contexts else {}),
        **({"metadata": kept} if kept else {}),
    }


def _listed(value: Any) -> list[str]:
    return [text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str) and text]
