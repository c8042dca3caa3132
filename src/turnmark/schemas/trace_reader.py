"""Reading dialogues of a trace so that one bad turn does not cost the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from turnmark.schemas.jsonl import Decoded, Line, Reader, decoded_with_halves, without_surrogates
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import DialogTrace, TurnTags, TurnTrace

_OF_A_TURN = re.compile(r"\$\.turns\[([0-9]+)\]")


class TraceReader(Reader[DialogTrace]):
    """A `Reader` of dialogues in which a bad turn is one that ended in error; ``lost`` names it.

    Bad is one that cannot be read, and one whose number an earlier turn has: rows and evidence could not be told apart.
    """

    def __init__(self) -> None:
        super().__init__(DialogTrace)

    def decode(self, line: Line) -> Decoded[DialogTrace] | list[Problem]:
        """The dialogue of a line, or what is wrong with it where that is more than single turns."""
        result = super().decode(line)
        if not isinstance(result, list):
            return _numbered_once(result)
        if not all(_OF_A_TURN.match(problem.field) for problem in result):
            return result
        value = without_surrogates(decoded_with_halves(line.raw), [0])
        turns = value.pop("turns")
        lost: list[Problem] = []
        try:
            dialog = msgspec.convert(value, DialogTrace)
            dialog.turns = list(_turns(turns, {problem.field: problem for problem in result}, line, lost))
        except msgspec.ValidationError:
            return result
        return _numbered_once(Decoded(line, dialog, None, tuple(lost)))


def repeated_turns(line: Line, dialog: DialogTrace) -> Iterator[tuple[int, Problem]]:
    """The places of turns whose number an earlier turn of the dialogue has, and what to say of each."""
    places: dict[int, int] = {}
    for index, turn in enumerate(dialog.turns or ()):
        first = places.setdefault(turn.turn_pair_id, index)
        if first != index:
            yield (
                index,
                Problem(
                    file=line.file,
                    line=line.number,
                    field=f"$.turns[{index}].turn_pair_id",
                    expected="each one once",
                    found=f"{turn.turn_pair_id} again, first in $.turns[{first}]",
                    advice="number the turns of the dialogue; this one counts as failed, the others are scored",
                ),
            )


def _numbered_once(decoded: Decoded[DialogTrace]) -> Decoded[DialogTrace]:
    dialog = decoded.value
    repeated = list(repeated_turns(decoded.line, dialog))
    if not repeated or dialog.turns is None:
        return decoded
    taken: set[Any] = {turn.turn_pair_id for turn in dialog.turns}
    lost = [msgspec.structs.replace(problem, severity="warning") for _, problem in repeated]
    for (index, _), problem in zip(repeated, lost, strict=True):
        dialog.turns[index] = unread_turn({"user_text": dialog.turns[index].user_text}, index, taken, str(problem))
    return decoded._replace(lost=(*decoded.lost, *lost))


def _turns(turns: list[Any], named: dict[str, Problem], line: Line, lost: list[Problem]) -> Iterator[TurnTrace]:
    numbers = [turn.get("turn_pair_id") for turn in turns if isinstance(turn, dict)]
    taken: set[Any] = {number for number in numbers if type(number) is int}
    for index, turn in enumerate(turns):
        try:
            yield msgspec.convert(turn, TurnTrace)
        except msgspec.ValidationError as error:
            path = f"$.turns[{index}]"
            known = next((problem for field, problem in named.items() if _is_under(field, path)), None)
            problem = known or Problem(file=line.file, line=line.number, field=path, expected=f"a turn ({error})")
            problem = msgspec.structs.replace(
                problem, severity="warning", advice="the turn counts as failed, the others are scored"
            )
            lost.append(problem)
            yield unread_turn(turn, index, taken, str(problem))


def _is_under(field: str, path: str) -> bool:
    return field == path or field.startswith((f"{path}.", f"{path}["))


def unread_turn(turn: Any, index: int, taken: set[Any], error: str) -> TurnTrace:
    """A turn in the place of one that cannot be read; without a number of its own it gets one that is free."""
    own = turn.get("turn_pair_id") if isinstance(turn, dict) else None
    number = (
        own
        if type(own) is int
        else next(free for free in range(index + 1, index + len(taken) + 2) if free not in taken)
    )
    taken.add(number)
    user_text = turn.get("user_text") if isinstance(turn, dict) else None
    return TurnTrace(
        turn_pair_id=number,
        user_turn_abs_idx=2 * index,
        gt_assistant_abs_idx=2 * index + 1,
        user_text=user_text if isinstance(user_text, str) else "",
        gt_assistant_text="",
        gt_turn_tags=TurnTags(),
        turn_status="error",
        error=error,
    )
