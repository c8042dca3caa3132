"""Perturbations of recorded turns: planted errors that a measure must notice, and controls that it must not.

A perturbation changes one turn of a dialogue by rules and says which measures must move which way. `PERTURBATIONS`
names those of each suite; a suite that comes later gets its self-test by one more entry.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from turnmark.language.fold import fold_text
from turnmark.language.particles import with_particle
from turnmark.language.script import detect_language
from turnmark.schemas.trace import DialogTrace, RecallItem, RecallTrace, TurnTrace
from turnmark.synth import edits

Direction = Literal["down", "up"]

_CONSTRAINT_KEY = re.compile(r"profile_gt\.constraints_gt\[(\d+)\]")


class Material(NamedTuple):
    """What a perturbation may use: the turn at the end of its dialogue, other dialogues, and a source of chance."""

    dialog: DialogTrace
    turn: TurnTrace
    others: Sequence[DialogTrace]
    chance: random.Random

    @property
    def reply(self) -> str:
        """The reply as recorded, "" where there is none."""
        return self.turn.pred_assistant_text or ""


class Expectation(NamedTuple):
    """Which way a measure (``M3.risk_coverage``: code and measure) must move."""

    measure: str
    direction: Direction


class Perturbation(NamedTuple):
    """One class of changes; ``change`` gives the changed turn, or None where it does not apply.

    Without ``expects`` it is a control: no measure may move.
    """

    name: str
    meaning: str
    change: Callable[[Material], TurnTrace | None]
    expects: tuple[Expectation, ...] = ()


def down(*measures: str) -> tuple[Expectation, ...]:
    """Measures that must fall."""
    return tuple(Expectation(measure, "down") for measure in measures)


def up(*measures: str) -> tuple[Expectation, ...]:
    """Measures that must rise."""
    return tuple(Expectation(measure, "up") for measure in measures)


def with_reply(turn: TurnTrace, reply: str | None) -> TurnTrace | None:
    """The turn with another reply, also in the record that it was made from; None for no reply."""
    if reply is None:
        return None
    return _with_source(msgspec.structs.replace(turn, pred_assistant_text=reply), "answer", reply)


def with_contexts(turn: TurnTrace, contexts: Sequence[str]) -> TurnTrace:
    """The turn with other retrieved passages, also in the record that it was made from."""
    items = [RecallItem(content=text, rank=rank) for rank, text in enumerate(contexts, 1)]
    recall = msgspec.structs.replace(turn.recall or RecallTrace(), items=items)
    return _with_source(msgspec.structs.replace(turn, recall=recall), "retrieved_contexts", list(contexts))


def _with_source(turn: TurnTrace, field: str, value: Any) -> TurnTrace:
    if isinstance(turn.source_record, msgspec.UnsetType):
        return turn
    record = msgspec.json.decode(turn.source_record, type=dict[str, Any])
    record[field] = value
    return msgspec.structs.replace(turn, source_record=msgspec.Raw(msgspec.json.encode(record)))


def _on_reply(edit: Callable[[str], str | None]) -> Callable[[Material], TurnTrace | None]:
    return lambda at: with_reply(at.turn, edit(at.reply))


def _said(kind: Literal["promise", "unsupported", "polite"]) -> Callable[[Material], TurnTrace | None]:
    def change(at: Material) -> TurnTrace | None:
        sentences: tuple[str, ...] = getattr(edits.words_of(at.reply), kind)
        return with_reply(at.turn, edits.add(at.reply, at.chance.choice(sentences)))

    return change


def bare_reply(at: Material) -> TurnTrace | None:
    """A reply that says nothing."""
    return with_reply(at.turn, at.chance.choice(edits.words_of(at.reply).bare))


# Finance


def recommend_forbidden(at: Material) -> TurnTrace | None:
    """A recommendation against one of the user's constraints."""
    constraints = (at.dialog.profile_gt.constraints_gt if at.dialog.profile_gt else None) or ()
    fitting = [
        advice.say
        for constraint in constraints
        for advice in edits.words_of(at.reply).forbidden
        if any(word in constraint for word in advice.any)
    ]
    return with_reply(at.turn, edits.add(at.reply, at.chance.choice(fitting))) if fitting else None


def forget_memory(at: Material) -> TurnTrace | None:
    """A memory that recalls nothing."""
    recall = at.turn.recall
    if recall is None or not (recall.items or recall.short_term() or recall.profile_context):
        return None
    return msgspec.structs.replace(at.turn, recall=RecallTrace(query=recall.query, items=[]))


def change_memory_number(at: Material) -> TurnTrace | None:
    """A memory in which an amount of a constraint that this turn needs is another one, wherever it stands."""
    recall = at.turn.recall
    constraints = (at.dialog.profile_gt.constraints_gt if at.dialog.profile_gt else None) or []
    keys = (at.turn.gt_turn_tags.memory_required_keys_gt if at.turn.gt_turn_tags else None) or []
    needed = {int(found[1]) for found in map(_CONSTRAINT_KEY.fullmatch, keys) if found}
    amounts = sorted(edits.amounts_in([constraints[place] for place in needed if place < len(constraints)]))
    if recall is None or not amounts:
        return None
    among, seed = {at.chance.choice(amounts)}, at.chance.random()

    def changed(text: str) -> str:
        found: str | None = text
        while found is not None:  # each pass changes one amount, and what it writes is no longer among those looked for
            text, found = found, edits.change_number(found, random.Random(seed), among)  # noqa: S311 - no secret
        return text

    after = RecallTrace(
        query=recall.query,
        short_term_context=changed(recall.short_term()),
        profile_context=changed(recall.profile_context or ""),
        items=[msgspec.structs.replace(item, content=changed(item.content)) for item in recall.items or ()],
    )
    same = (
        after.short_term_context == recall.short_term()
        and after.profile_context == (recall.profile_context or "")
        and after.items == (recall.items or [])
    )
    return None if same else msgspec.structs.replace(at.turn, recall=after)


# Clinical


def _slots(dialog: DialogTrace) -> dict[str, Any]:
    return dialog.slots_truth if isinstance(dialog.slots_truth, dict) else {}


def change_slot_number(at: Material) -> TurnTrace | None:
    """Another value for a number of the patient's record that the reply states."""
    slots = _slots(at.dialog)
    amounts = edits.amounts_in(slots) | {(number, "year_old") for number in edits.numbers_in(slots.get("age"))}
    return with_reply(at.turn, edits.change_number(at.reply, at.chance, amounts))


def wrong_patient(at: Material) -> TurnTrace | None:
    """Age, medicine or condition of another patient, of the same language, stated of this one."""
    own = _slots(at.dialog)
    words = edits.words_of(at.reply)
    known = edits.names_in(own)
    facts: list[str] = []
    for other in at.others:
        slots = _slots(other)
        if not own or detect_language(str(slots.get("primary_condition"))) != detect_language(at.reply):
            continue
        age, own_age = slots.get("age"), own.get("age")
        if isinstance(age, int) and isinstance(own_age, int) and abs(age - own_age) > 10:
            facts.append(_stated(words.age, str(age)))
        foreign = [name for name in slots.get("key_meds") or () if not edits.names_in(name) & known]
        facts += [_stated(words.takes, str(name)) for name in foreign]
        condition = str(slots.get("primary_condition"))
        if not any(edits.similarity(name, condition) > 0.3 for name in known):
            facts.append(_stated(words.has, condition))
    return with_reply(at.turn, edits.add(at.reply, at.chance.choice(facts))) if facts else None


def _stated(template: str, fact: str) -> str:
    before, slot, behind = template.partition("{x|을/를}")
    return before + with_particle(fact, "을/를") + behind if slot else template.replace("{x}", fact)


def advise_unsafe(at: Material) -> TurnTrace | None:
    """Advice that one of the patient's conditions forbids."""
    names = edits.names_in(_slots(at.dialog))
    fitting = [
        advice.say
        for advice in edits.words_of(at.reply).unsafe
        if any(word in name for word in advice.any for name in names)
    ]
    return with_reply(at.turn, edits.add(at.reply, at.chance.choice(fitting))) if fitting else None


def drop_slots(at: Material) -> TurnTrace | None:
    """Without the sentences that name something of the patient's record."""
    slots = _slots(at.dialog)
    names, numbers = edits.names_in(slots), edits.numbers_in(slots)

    def names_a_slot(said: str) -> bool:
        folded = fold_text(said)
        return any(name in folded for name in names) or bool(edits.numbers_in(said) & numbers)

    return with_reply(at.turn, edits.drop_sentences(at.reply, names_a_slot)) if slots else None


# Question answering over retrieved passages


def _contexts(turn: TurnTrace) -> list[str]:
    return [item.content for item in (turn.recall.items if turn.recall else None) or ()]


def _supporting(at: Material) -> list[bool]:
    """Of each retrieved passage: whether it is one of the case's own passages that answer the question."""
    gold = at.turn.ground_truth_contexts
    own = [] if isinstance(gold, msgspec.UnsetType) or gold is None else gold
    return [any(edits.similarity(text, one) > 0.8 for one in own) for text in _contexts(at.turn)]


def replace_supporting(at: Material) -> TurnTrace | None:
    """A passage of another case in place of every passage that answers the question."""
    supporting = _supporting(at)
    own = [at.turn.user_text, at.turn.gt_assistant_text, *_contexts(at.turn)]
    foreign = sorted(
        {
            text
            for other in at.others
            for turn in other.turns or ()
            for text in _contexts(turn)
            if detect_language(text) == detect_language(at.turn.user_text)
            and all(edits.similarity(text, one) < 0.3 for one in own)
        }
    )
    if not any(supporting) or not foreign:
        return None
    chosen = at.chance.choice(foreign)
    texts = [chosen if found else text for text, found in zip(_contexts(at.turn), supporting, strict=True)]
    return with_contexts(at.turn, texts)


def supporting_last(at: Material) -> TurnTrace | None:
    """Passages that answer the question moved behind those that do not."""
    supporting = _supporting(at)
    pairs = sorted(zip(supporting, _contexts(at.turn), strict=True), key=lambda pair: pair[0])
    if [found for found, _ in pairs] == supporting:
        return None
    return with_contexts(at.turn, [text for _, text in pairs])


def change_answer_number(at: Material) -> TurnTrace | None:
    """Another value for a number of the answer that a retrieved passage states."""
    return with_reply(at.turn, edits.change_number(at.reply, at.chance, edits.amounts_in(_contexts(at.turn))))


CONTROLS: tuple[Perturbation, ...] = (
    Perturbation("full_width_digits", "digits of full width", _on_reply(edits.full_width_digits)),
    Perturbation("extra_spaces", "double spaces between sentences", _on_reply(edits.extra_spaces)),
    Perturbation("polite_ending", "a polite ending", _said("polite")),
    Perturbation("reversed_bullets", "bullets in the opposite order", _on_reply(edits.reverse_bullets)),
)
"""Changes of the reply that change nothing it says; they serve every suite."""

PERTURBATIONS: Mapping[str, tuple[Perturbation, ...]] = {
    "finance": (
        Perturbation("forget_memory", "memory recalls nothing", forget_memory,
                     down("M1.key_coverage", "M1.strict_key_hit_rate")),
        Perturbation("change_memory_number", "the number of a constraint is another one in memory",
                     change_memory_number, down("M1.key_coverage")),
        Perturbation("recommend_forbidden", "a recommendation against a constraint of the user", recommend_forbidden,
                     up("M1.contradiction_rate")),
        Perturbation("drop_risk", "the sentences that disclose a risk are gone", _on_reply(edits.drop_risk),
                     down("M3.risk_coverage")),
        Perturbation("promise_return", "a promise of a return", _said("promise"),
                     (*up("M4.severe_violation_rate"), *down("M4.compliance_label_acc"))),
        Perturbation("bare_reply", "a reply that says nothing", bare_reply,
                     down("M3.risk_coverage", "M5.rubric_hit_rate", "M1b.key_use_rate")),
        *CONTROLS,
    ),
    "clinical": (
        Perturbation("change_slot_number", "a number of the record is another one", change_slot_number,
                     down("SFS.slot_factuality")),
        Perturbation("wrong_patient", "a fact of another patient's record", wrong_patient,
                     down("SFS.slot_factuality")),
        Perturbation("advise_unsafe", "advice that a condition forbids", advise_unsafe, up("CSP.safety_penalty")),
        Perturbation("drop_slots", "the sentences that name the record are gone", drop_slots,
                     down("CUS_improved.context_use")),
        Perturbation("bare_reply", "a reply that says nothing", bare_reply,
                     down("CUS_improved.context_use", "ASS.actionability")),
        *CONTROLS,
    ),
    "rag": (
        Perturbation("change_number", "a number of the answer is another one", change_answer_number,
                     down("FTH.faithfulness", "ACR.answer_correctness")),
        Perturbation("negate", "a sentence of the answer says the opposite", _on_reply(edits.negate),
                     down("FTH.faithfulness", "ACR.answer_correctness")),
        Perturbation("add_unsupported", "a statement that no passage supports", _said("unsupported"),
                     down("FTH.faithfulness")),
        Perturbation("replace_supporting", "a foreign passage in place of the one that answers", replace_supporting,
                     down("CRC.context_recall", "FTH.faithfulness",
                          "CRL.context_relevance")),
        Perturbation("supporting_last", "the passages that answer come last", supporting_last,
                     down("CPR.context_precision")),
        Perturbation("bare_reply", "an answer that says nothing", bare_reply,
                     down("ACR.answer_correctness", "ARL.answer_relevancy")),
        *CONTROLS,
    ),
}  # fmt: skip
"""The perturbations of each suite, in the order of reports."""
