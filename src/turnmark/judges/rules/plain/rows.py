"""Of which row a value is: the Basic plan has 10 GB, the Premium plan 30 GB.

Statements that give values of one kind are rows. Two of them are laid side by side; where their words differ, the side
whose words a claim (or else its question) holds is the row that it speaks of, and its value should be the one there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Literal, NamedTuple

from rapidfuzz.distance import LCSseq

from turnmark.judges.rules.decision import Read
from turnmark.judges.rules.plain.matching import Words, same_value
from turnmark.judges.rules.plain.statements import Part, Statement, asked_words, read_statement, word_list
from turnmark.judges.rules.plain.tokens import Token
from turnmark.language.values import Value, compare_values

_LONGEST = 10
"""Telling tokens of a claim that gives the value of a row, at most; of Chinese twice as many."""
_UNITS = 16
"""Units of such a claim, at most."""
_LEAST = 2
"""Values of one kind of which either may be meant, at least."""
_MOST = 6
"""A text with more rows is a table or a record: no two of its rows are laid side by side."""
_SHORTEST = 3
"""Letters of a word, at most, that keeps its last e."""
_KINDS = ("quantity", "duration", "time", "date", "code", "number")


class Row(NamedTuple):
    """One statement that gives a value of the kind: its sentence, its tokens and the value among them."""

    sentence: int
    part: Part
    value: Value


class RowFound(NamedTuple):
    """Whether the value of a claim is that of its row; ``row`` holds the value that is.

    ``all_known`` tells that every word of the claim stands in the rows or in the question.
    """

    told: Literal["own", "other", "unclear"]
    value: Value
    row: Row
    all_known: bool = False

    @property
    def reason(self) -> str:
        """What is wrong, with both values."""
        return f"said of something else: {self.value.text} ≠ {self.row.value.text}"


def find_row(read: Read) -> RowFound | None:
    """How the one value of a short claim stands to the rows of the material; None where there are no rows."""
    value = _given(read)
    rows = list(_rows(read, value)) if value is not None else []
    holding = [row for row in rows if value is not None and _gives(value, row.value)]
    if value is None or len(holding) != 1 or not _LEAST <= len(rows) <= _MOST:
        return None
    claim = read_statement(read.claim, read.claim.sentences[0]).telling
    longest = _LONGEST * (2 if read.claim.language == "zh" else 1)
    return _told(read, value, claim, holding[0], rows) if len(claim) <= longest else None


def _told(read: Read, value: Value, claim: Sequence[Token], own: Row, rows: Sequence[Row]) -> RowFound | None:
    """Which of the rows a claim names, whose value is that of the row ``own``."""
    others = [row for row in rows if row is not own and _excludes(row.value, value)]
    if not others:
        return None
    numbers = _Numbers(value)
    openers = word_list("openers", read.claim.language)
    said = frozenset(numbers.of(claim))
    mine = frozenset(numbers.of([each for each in claim if each.key not in openers]))
    asked = frozenset(numbers.of(_asked(read)))
    there = numbers.of(own.part.tokens)
    known = asked.union(there, *[numbers.of(row.part.tokens) for row in others])
    if said.issuperset(there):
        return RowFound("own", value, own, all_known=mine <= known)
    # Of what else a claim may speak the question does not tell.
    by = (mine, asked) if mine <= known else (mine,)
    told = [_named(there, numbers.of(row.part.tokens), by, leads=_goes_on(own.part, row.part)) for row in others]
    rivals = [row for row, side in zip(others, told, strict=True) if side < 0]
    if rivals and max(told) <= 0 and not _are_limited(read, value, own, rivals[0]):
        return RowFound("other", value, rivals[0])
    if not rivals and max(told) > 0:
        return RowFound("own", value, own, all_known=mine <= known)
    return RowFound("unclear", value, own)


def _are_limited(read: Read, value: Value, own: Row, rival: Row) -> bool:
    """Whether limits part two rows, not words, and nothing names those of the rival: up to 30 days 3%, up to 60 5%."""
    here, there = _limits(own, value), _limits(rival, value)
    given = [*read.claim.passage.values, *(read.question.passage.values if read.question is not None else ())]
    return bool(here and there) and not any(same_value(one, other) for one in given for other in there)


def _limits(row: Row, value: Value) -> list[Value]:
    given = [each.value for each in row.part.tokens if each.value is not None]
    return [each for each in given if not _of_kind(each, value) and (each.comparator or each.low < each.high)]


def _asked(read: Read) -> Sequence[Token]:
    return asked_words(read.question.compact) if read.question is not None else ()


def _given(read: Read) -> Value | None:
    """The one value that a short claim gives and its question does not hold."""
    if len(read.claim.sentences) != 1 or len(read.claim.units) > _UNITS:
        return None
    given = [each for each in read.claim.passage.values if each.kind in _KINDS]
    if read.question is not None and given:
        known = [each for each in read.question.passage.values if each.kind in _KINDS]
        given = [each for each in given if not any(same_value(each, other) for other in known)]
    if len(given) != 1 or (given[0].kind == "number" and not given[0].unit):
        return None
    return given[0]


def _rows(read: Read, value: Value) -> Iterator[Row]:
    """The clauses with one value of the kind, in and beside the sentence that comes closest."""
    material = read.material
    closest = read.measured.closest[0]
    position = material.place(closest)
    reading = material.readings[position]
    sentences = [
        (number, material.sentences[number])
        for number in range(max(0, closest - 1), min(len(material.sentences), closest + 2))
        if material.place(number) == position
    ]
    first, last = sentences[0][1].start, sentences[-1][1].end
    values = [each for each in reading.passage.values if first <= each.start < last and _of_kind(each, value)]
    if len(values) < _LEAST or not any(_gives(value, each) for each in values):
        return
    for number, sentence in sentences:
        yield from _rows_in(number, read_statement(reading, sentence), value)


def _rows_in(number: int, statement: Statement, value: Value) -> Iterator[Row]:
    """The rows of one sentence; clauses before that of a value, from the row before on, tell what it is of."""
    before: list[Part] = []
    for part in statement.parts:
        given = [each.value for each in part.tokens if each.value is not None and _of_kind(each.value, value)]
        before.append(part)
        if len(given) == 1:
            tokens = Words(chain.from_iterable([each.tokens for each in before]))
            words = " ".join(each.words for each in before)
            yield Row(number, part._replace(words=words, tokens=tokens), given[0])
        if given:
            before = []


def _of_kind(one: Value, other: Value) -> bool:
    """Whether either value could stand where the other does."""
    return one.kind == other.kind and (one.kind in ("duration", "time", "date") or one.unit == other.unit)


def _gives(mine: Value, theirs: Value) -> bool:
    """Whether a row gives a value, or hours of which it is one end."""
    if same_value(mine, theirs):
        return True
    return mine.kind == "time" and mine.low == mine.high and mine.low in (theirs.low, theirs.high)


def _excludes(one: Value, other: Value) -> bool:
    """Whether two values of a kind cannot both be meant: not a year and a day of it."""
    return one.kind == "time" or compare_values(one, other).relation not in ("equal", "contained")


class _Numbers:
    """Words as numbers, one for all forms of a word, and one for all values of the kind."""

    def __init__(self, value: Value) -> None:
        self._value = value
        self._known: dict[str, int] = {}

    def of(self, tokens: Sequence[Token]) -> list[int]:
        return [self._number(each) for each in tokens]

    def _number(self, token: Token) -> int:
        if token.value is not None:
            keys = {"#" if _of_kind(token.value, self._value) else _key(token.value)}
        else:
            keys = {form.stem for form in token.forms if form.stem} or {token.key}
            # What is left of buses is buse.
            keys |= {key[:-1] for key in keys if key.isascii() and key.endswith("se") and len(key) > _SHORTEST}
        number = min([self._known[key] for key in keys if key in self._known], default=len(self._known))
        for key in keys:
            self._known.setdefault(key, number)
        return number


def _key(value: Value) -> str:
    """One key for all ways to write a value: Saturday, on Saturdays."""
    return f"#{value.kind} {value.low} {value.high} {value.unit} {value.comparator} {value.parts} {value.name}"


def _named(own: Sequence[int], rival: Sequence[int], by: Sequence[frozenset[int]], *, leads: bool) -> int:
    """1 where the words by which two rows differ are those of the one, -1 of the other, 0 where neither tells.

    Where the own row ``leads`` the rival, its first word may be the subject of both.
    """
    differences = list(_differences(own, rival))
    for said in by:
        for here, there in differences:
            mine, theirs = _holds(here, said), _holds(there, said)
            if mine < theirs:
                return -1
            if mine > int(leads) or (not leads and not said.isdisjoint(here)):
                return 1
    if leads or differences:
        return 0
    # Nothing stands in the place of anything: the bus leaves at 8 on weekdays, weekend buses leave at 9.
    for said in by:
        of_own, of_rival = said.intersection(own).difference(rival), said.intersection(rival).difference(own)
        if bool(of_own) != bool(of_rival):
            return 1 if of_own else -1
    return 0


def _goes_on(own: Part, rival: Part) -> bool:
    """Whether a rival row goes on in the sentence of the own one."""
    return own.sentence is rival.sentence and own.clause < rival.clause


def _holds(words: Sequence[int], said: frozenset[int]) -> int:
    """2 where all of some words are said, 1 where the first one is, else 0."""
    if all(each in said for each in words):
        return 2
    return int(words[0] in said)


def _differences(own: Sequence[int], rival: Sequence[int]) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """The stretches in whose place two rows hold other words; what only one of them says tells nothing."""
    first, start = 0, 0
    for block in LCSseq.opcodes(own, rival).as_matching_blocks():
        here = [each for each in own[first : block.a] if each not in rival]
        there = [each for each in rival[start : block.b] if each not in own]
        if here and there:
            yield here, there
        first, start = block.a + block.size, block.b + block.size
