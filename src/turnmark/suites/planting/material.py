"""What perturbations are made of: the dialogue that is changed, what comes of it, and what must follow."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from turnmark.language.text.particles import with_particle
from turnmark.schemas.trace import DialogTrace, RecallItem, RecallTrace, TurnTrace

Direction = Literal["down", "up"]


class Changed(NamedTuple):
    """A dialogue with a change in it.

    ``before`` is what its marks are compared with: the recorded dialogue when None, else that dialogue with the
    harmless twin of the change, so that only the error itself can move a mark.
    """

    after: DialogTrace
    before: DialogTrace | None = None

    @property
    def turn(self) -> TurnTrace:
        """The last turn, which is the one that is marked."""
        return last(self.after)


class Material(NamedTuple):
    """What a perturbation may use: a dialogue that ends with the turn, other dialogues, and a source of chance."""

    dialog: DialogTrace
    others: Sequence[DialogTrace]
    chance: random.Random

    @property
    def turn(self) -> TurnTrace:
        """The turn to be changed."""
        return last(self.dialog)

    @property
    def reply(self) -> str:
        """The reply as recorded, "" where there is none."""
        return self.turn.pred_assistant_text or ""

    @property
    def earlier(self) -> list[TurnTrace]:
        """The turns before it."""
        return list(self.dialog.turns or [])[:-1]

    def with_turn(self, turn: TurnTrace) -> DialogTrace:
        """The dialogue with another last turn."""
        return msgspec.structs.replace(self.dialog, turns=[*self.earlier, turn])

    def replied(self, reply: str | None) -> Changed | None:
        """The dialogue with another last reply; None for no reply."""
        return None if reply is None else Changed(self.with_turn(with_reply(self.turn, reply)))

    def replied_instead(self, harmless: str, wrong: str) -> Changed:
        """The dialogue with a wrong last reply, held against the same with a harmless one."""
        before, after = (self.with_turn(with_reply(self.turn, reply)) for reply in (harmless, wrong))
        return Changed(after, before)


class Expectation(NamedTuple):
    """Which way a measure (``M3.risk_coverage``: code and measure) must move."""

    measure: str
    direction: Direction


class Perturbation(NamedTuple):
    """One class of changes; ``change`` gives the changed dialogue, or None where it does not apply.

    Without ``expects`` it is a control: no measure may move but those of ``may_move``, of which the change is about.
    """

    name: str
    meaning: str
    change: Callable[[Material], Changed | None]
    expects: tuple[Expectation, ...] = ()
    may_move: tuple[str, ...] = ()


def down(*measures: str) -> tuple[Expectation, ...]:
    """Measures that must fall."""
    return tuple(Expectation(measure, "down") for measure in measures)


def up(*measures: str) -> tuple[Expectation, ...]:
    """Measures that must rise."""
    return tuple(Expectation(measure, "up") for measure in measures)


def last(dialog: DialogTrace) -> TurnTrace:
    """The last turn of a dialogue that has one."""
    return (dialog.turns or [])[-1]


def with_reply(turn: TurnTrace, reply: str) -> TurnTrace:
    """The turn with another reply, also in the record that it was made from."""
    return with_source(msgspec.structs.replace(turn, pred_assistant_text=reply), "answer", reply)


def with_question(turn: TurnTrace, question: str) -> TurnTrace:
    """The turn with another question, also in the record that it was made from."""
    asked = source(turn).get("question")
    written = {**asked, "text": question} if isinstance(asked, dict) else question
    return with_source(msgspec.structs.replace(turn, user_text=question), "question", written)


def with_contexts(turn: TurnTrace, contexts: Sequence[str]) -> TurnTrace:
    """The turn with other retrieved passages, also in the record that it was made from."""
    items = [RecallItem(content=text, rank=rank) for rank, text in enumerate(contexts, 1)]
    recall = msgspec.structs.replace(turn.recall or RecallTrace(), items=items)
    return with_source(msgspec.structs.replace(turn, recall=recall), "retrieved_contexts", list(contexts))


def source(turn: TurnTrace) -> dict[str, Any]:
    """The record of another format from which the turn was made; empty where there is none."""
    if isinstance(turn.source_record, msgspec.UnsetType):
        return {}
    return dict(msgspec.to_builtins(turn.source_record))


def with_source(turn: TurnTrace, field: str, value: Any) -> TurnTrace:
    """The turn with another value in the record that it was made from; as it is where there is no such record."""
    record = source(turn)
    if not record:
        return turn
    return msgspec.structs.replace(turn, source_record={**record, field: value})


def on_reply(edit: Callable[[str], str | None]) -> Callable[[Material], Changed | None]:
    """A change of the reply alone."""
    return lambda at: at.replied(edit(at.reply))


def stated(template: str, fact: str) -> str:
    """A sentence about ``{x}`` with the fact in it; in Korean with the particle that fits."""
    before, slot, behind = template.partition("{x|을/를}")
    return before + with_particle(fact, "을/를") + behind if slot else template.replace("{x}", fact)
