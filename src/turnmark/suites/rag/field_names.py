"""What users call the fields of a case: names of other tools, and headers in English, Korean and Chinese."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from turnmark.errors import UsageError
from turnmark.readers.headers import ALIASES, HEADERS, plain_name
from turnmark.schemas.judging.cases import EvalCase

_EITHER = {"答案"}
"""Headers that mean the reference beside an answer, and the answer where there is none."""
_MANY = ("retrieved_contexts", "ground_truth_contexts")
_OWN = EvalCase.__struct_fields__
_NUMBER = re.compile(r"[\s_.#-]*\d{1,2}$")
_AS_NEAR = 60


_BY_PLAIN = {
    **{plain_name(header): field for field, headers in HEADERS.items() for header in headers},
    **{plain_name(alias): field for alias, field in ALIASES.items() if alias != "context"},
    **{plain_name(name): name for name in _OWN},
}


def is_known(name: str) -> bool:
    """Whether a header names a field of a case."""
    plain = plain_name(name)
    return plain in _BY_PLAIN or plain in _EITHER or _NUMBER.sub("", plain) in _BY_PLAIN


class FieldNames:
    """The fields that the columns of one table, or the names of one record, stand for.

    ``chosen`` maps fields (or what other tools call them) to the user's own names (``--columns``).

    Raises: UsageError for a field that no case has, a column that is not there, and a column given twice.
    """

    def __init__(self, names: Sequence[str], chosen: Mapping[str, str] | None = None) -> None:
        self._names = tuple(name for name in names if name)
        self._field: dict[str, str] = {}
        for field, name in (chosen or {}).items():
            self._field[self._column(name)] = _field_of(field)
        taken = set(self._field.values())
        for name in self._names:
            told = self._told(name)
            if told is None or name in self._field or (told in taken and told not in _MANY):
                continue
            self._field[name] = told
            taken.add(told)

    @property
    def fields(self) -> frozenset[str]:
        """The fields that some name stands for."""
        return frozenset(self._field.values())

    def field(self, name: str) -> str:
        """What a name stands for, itself where that is not known."""
        return self._field.get(name, name)

    def renamed(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """A record by the fields of a case; columns that hold one context each are joined to a list."""
        result: dict[str, Any] = {}
        for name, value in record.items():
            field = self._field.get(name, name)
            if value is None:
                result.setdefault(field, None)
            elif field in _MANY and result.get(field) is not None:
                earlier = result[field]
                result[field] = [
                    *(earlier if isinstance(earlier, list) else [earlier]),
                    *(value if isinstance(value, list) else [value]),
                ]
            elif result.get(field) is None or name == field:
                result[field] = value
        return result

    def lacks_question(self) -> str:
        """What to say when no column is the question: the columns that there are, and the nearest guess."""
        left = [name for name in self._names if name not in self._field]
        guess = []
        for field in ("question", "answer", "retrieved_contexts", "ground_truth_answer"):
            nearest = None if field in self.fields else _nearest(field, left)
            if nearest is not None:
                guess.append(f"{field}={nearest}")
                left.remove(nearest)
        shown = ", ".join(map(repr, self._names[:30])) or "none"
        told = f"; the nearest: --columns {','.join(guess)}" if guess else ""
        return f"expected a column with the question, found {shown}; name columns with --columns question=NAME,…{told}"

    def _told(self, name: str) -> str | None:
        plain = plain_name(name)
        if plain in _EITHER:
            others = {_BY_PLAIN.get(plain_name(other)) for other in self._names if other != name}
            return "answer" if "answer" not in others else "ground_truth_answer"
        if plain == "context" and {"retrieved_contexts", "answers"} & self._fields_of_others(name):
            return "ground_truth_contexts"
        return _BY_PLAIN.get(plain) or _BY_PLAIN.get(_NUMBER.sub("", plain))

    def _fields_of_others(self, name: str) -> set[str]:
        """What the other names stand for; those of SQuAD's answers under their own name."""
        others = [plain_name(other) for other in self._names if other != name]
        return {_BY_PLAIN.get(other, other) for other in others} | ({"answers"} & set(others))

    def _column(self, name: str) -> str:
        same = [own for own in self._names if own == name] or [
            own for own in self._names if plain_name(own) == plain_name(name)
        ]
        if not same:
            message = f"--columns: expected one of the columns {', '.join(map(repr, self._names))}, found {name!r}"
            raise UsageError(message)
        return same[0]


def _nearest(field: str, names: Sequence[str]) -> str | None:
    """The name that is most like one that a field is known by; None when none is like it."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - only where a message guesses

    best: tuple[float, str] | None = None
    for header in (field, *HEADERS[field]):
        plain = plain_name(header)
        nearest = process.extractOne(
            plain, {name: plain_name(name) for name in names}, scorer=fuzz.partial_ratio, score_cutoff=_AS_NEAR
        )
        if len(plain) > 1 and nearest is not None and (best is None or nearest[1] > best[0]):
            best = nearest[1], nearest[2]
    return best and best[1]


def field_names(names: tuple[str, ...], chosen: Mapping[str, str] | None = None) -> FieldNames:
    """The fields that names stand for; those of records that have the same names are told once."""
    return FieldNames(names, chosen) if chosen else _usual(names)


@functools.lru_cache(maxsize=256)
def _usual(names: tuple[str, ...]) -> FieldNames:
    return FieldNames(names)


def _field_of(name: str) -> str:
    field = name if name in _OWN else ALIASES.get(name, _BY_PLAIN.get(plain_name(name), ""))
    if not field:
        known: Iterable[str] = ("question", "answer", "contexts", "reference", *_OWN)
        message = f"--columns: expected fields of a case ({', '.join(dict.fromkeys(known))}), found {name!r}"
        raise UsageError(message)
    return field
