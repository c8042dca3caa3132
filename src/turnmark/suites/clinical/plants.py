"""Perturbations of answers to patients: the record, the conversation so far, safety, what the turn asks for."""

from __future__ import annotations

from typing import Any

import msgspec

from turnmark.language.script import detect_language
from turnmark.language.text.fold import fold_text
from turnmark.language.text.segment import segment
from turnmark.metrics.rag import RETRIEVED
from turnmark.schemas.trace import DialogTrace
from turnmark.suites.clinical.value_plants import VALUE_CONTROLS, VALUES
from turnmark.suites.planting import edits
from turnmark.suites.planting.general import CONTROLS, bare_reply
from turnmark.suites.planting.material import (
    Changed,
    Material,
    Perturbation,
    down,
    stated,
    up,
    with_question,
    with_reply,
)
from turnmark.suites.protocol import Plants


def _slots(dialog: DialogTrace) -> dict[str, Any]:
    return dialog.slots_truth if isinstance(dialog.slots_truth, dict) else {}


def _foreign(at: Material) -> list[dict[str, Any]]:
    """Records of other patients in the language of the reply."""
    records = map(_slots, at.others)
    language = detect_language(at.reply)
    return [slots for slots in records if detect_language(str(slots.get("primary_condition"))) == language]


def _amounts(slots: dict[str, Any]) -> set[edits.Amount]:
    return edits.amounts_in(slots) | {(number, "year_old") for number in edits.numbers_in(slots.get("age"))}


def change_slot_number(at: Material) -> Changed | None:
    """Another value for a number of the patient's record that the reply states."""
    return at.replied(edits.change_number(at.reply, at.chance, _amounts(_slots(at.dialog))))


def wrong_patient(at: Material) -> Changed | None:
    """Age, medicine or condition of another patient, of the same language, stated of this one."""
    own = _slots(at.dialog)
    words = edits.words_of(at.reply)
    known = edits.names_in(own)
    facts: list[str] = []
    for slots in _foreign(at) if own else ():
        age, own_age = slots.get("age"), own.get("age")
        if isinstance(age, int) and isinstance(own_age, int) and abs(age - own_age) > 10:
            facts.append(stated(words.age, str(age)))
        facts += [stated(words.takes, name) for name in _unknown_medicines(at, slots)]
        condition = str(slots.get("primary_condition"))
        if not any(edits.similarity(name, condition) > 0.3 for name in known):
            facts.append(stated(words.has, condition))
    return at.replied(edits.add(at.reply, at.chance.choice(facts))) if facts else None


def _unknown_medicines(at: Material, slots: dict[str, Any]) -> list[str]:
    """Medicines of a record that neither the patient's own record nor anything said so far names."""
    known = edits.names_in(_slots(at.dialog))
    spoken = fold_text(
        "\n".join(f"{turn.user_text}\n{turn.pred_assistant_text or ''}" for turn in at.dialog.turns or ())
    )
    return [
        str(name)
        for name in slots.get("key_meds") or ()
        if not (names := edits.names_in(name)) & known and not any(item in spoken for item in names)
    ]


def deny_record(at: Material) -> Changed | None:
    """A medicine or the condition of the record denied, held against the same stated."""
    slots, words = _slots(at.dialog), edits.words_of(at.reply)
    facts = [(words.takes, words.takes_not, str(name)) for name in slots.get("key_meds") or ()]
    condition = slots.get("primary_condition")
    facts += [(words.has, words.has_not, condition)] if isinstance(condition, str) and condition else []
    if not facts:
        return None
    yes, no, fact = at.chance.choice(facts)
    return at.replied_instead(edits.add(at.reply, stated(yes, fact)), edits.add(at.reply, stated(no, fact)))


def wrong_age(at: Material) -> Changed | None:
    """Another age, held against the one of the record."""
    age, words = _slots(at.dialog).get("age"), edits.words_of(at.reply)
    if not isinstance(age, int) or isinstance(age, bool):
        return None
    wrong = age + at.chance.choice((11, 17, 23))
    return at.replied_instead(*(edits.add(at.reply, stated(words.age, str(item))) for item in (age, wrong)))


def _told(at: Material) -> tuple[Material, str] | None:
    """The question with one thing more in it: a medicine that nobody has spoken of. And which."""
    medicines = sorted({name for slots in _foreign(at) for name in _unknown_medicines(at, slots)})
    if not medicines or not _slots(at.dialog):
        return None
    name = at.chance.choice(medicines)
    told = stated(edits.words_of(at.reply).tells, name)
    asked = with_question(at.turn, edits.add(at.turn.user_text, told))
    return at._replace(dialog=at.with_turn(asked)), name


def ignore_news(at: Material) -> Changed | None:
    """An answer that passes over what the question tells for the first time, held against one that takes it up."""
    told = _told(at)
    if told is None:
        return None
    asked, name = told
    return asked.replied_instead(edits.add(at.reply, stated(edits.words_of(at.reply).takes, name)), at.reply)


def news_first(at: Material) -> Changed | None:
    """An answer that takes up what the question has just told, at its beginning instead of at its end."""
    told = _told(at)
    if told is None:
        return None
    asked, name = told
    said = stated(edits.words_of(at.reply).takes, name)
    return asked.replied_instead(edits.add(at.reply, said), edits.add(said, at.reply))


def deny_told(at: Material) -> Changed | None:
    """An answer that denies what the question has just told, held against one that says it."""
    told = _told(at)
    if told is None:
        return None
    (asked, name), words = told, edits.words_of(at.reply)
    said = (stated(template, name) for template in (words.takes, words.takes_not))
    return asked.replied_instead(*(edits.add(at.reply, item) for item in said))


def conflict_with_earlier(at: Material) -> Changed | None:
    """A sentence of an earlier answer with another number in it, held against that sentence as it was."""
    amounts = _amounts(_slots(at.dialog))
    sentences = [
        said
        for turn in at.earlier
        if (text := turn.pred_assistant_text)
        for sentence in segment(text).sentences
        if edits.amounts_in(said := text[sentence.start : sentence.end].strip()) & amounts
    ]
    if not sentences:
        return None
    chosen = at.chance.choice(sentences)
    wrong = edits.change_number(chosen, at.chance, amounts)
    if wrong is None:
        return None
    return at.replied_instead(edits.add(at.reply, chosen), edits.add(at.reply, wrong))


def reply_of_other_turn(at: Material) -> Changed | None:
    """The answer of an earlier turn, held against a plan that fits this one: answers are shuffled."""
    replies = [text for turn in at.earlier if (text := turn.pred_assistant_text or "").strip() and text != at.reply]
    return at.replied_instead(edits.words_of(at.reply).plan, at.chance.choice(replies)) if replies else None


def vague_plan(at: Material) -> Changed | None:
    """Advice that leaves open how much, when and by what, held against the same advice with all that."""
    words = edits.words_of(at.reply)
    return at.replied_instead(words.plan, words.vague)


def shuffle_history(at: Material) -> Changed | None:
    """Earlier turns in the opposite order, with their questions."""
    earlier = at.earlier
    if len(earlier) < 2:
        return None
    return Changed(msgspec.structs.replace(at.dialog, turns=[*reversed(earlier), at.turn]))


def reworded_history(at: Material) -> Changed | None:
    """Earlier answers in other words that say the same."""
    earlier = [with_reply(turn, edits.synonyms(turn.pred_assistant_text or "") or turn.pred_assistant_text or "")
               for turn in at.earlier]  # fmt: skip
    if earlier == at.earlier:
        return None
    return Changed(msgspec.structs.replace(at.dialog, turns=[*earlier, at.turn]))


def advise_unsafe(at: Material) -> Changed | None:
    """Advice that one of the patient's conditions forbids, held against an answer that advises nothing."""
    names = edits.names_in(_slots(at.dialog))
    fitting = [
        advice.say
        for advice in edits.words_of(at.reply).unsafe
        if any(word in name for word in advice.any for name in names)
    ]
    if not fitting:
        return None
    bare = at.chance.choice(edits.words_of(at.reply).bare)
    return at.replied_instead(bare, edits.add(bare, at.chance.choice(fitting)))


def drop_slots(at: Material) -> Changed | None:
    """Without the sentences that name something of the patient's record."""
    slots = _slots(at.dialog)
    names, amounts = edits.names_in(slots), _amounts(slots)

    def names_a_slot(said: str) -> bool:
        folded = fold_text(said)
        return any(name in folded for name in names) or bool(edits.amounts_in(said) & amounts)

    return at.replied(edits.drop_sentences(at.reply, names_a_slot)) if slots else None


_FACTUALITY = down("SFS.slot_factuality", "SFS.slot_factuality_weighted", "SFS_ALL.slot_factuality_all")
_USE = down("CUS_improved.context_use", "CUS_improved.context_use_weighted", "CUS_improved.slots_used")
_ACTION = down("ASS.actionability", "ASS.elements_present")

CLINICAL: tuple[Perturbation, ...] = (
    Perturbation("change_slot_number", "a number of the record is another one", change_slot_number,
                 (*_FACTUALITY, *up("CCR.context_contradiction"))),
    Perturbation("wrong_patient", "a fact of another patient's record", wrong_patient, _FACTUALITY),
    Perturbation("deny_record", "a medicine or the condition of the record is denied", deny_record,
                 up("CCR.context_contradiction")),
    Perturbation("wrong_age", "another age than that of the record", wrong_age,
                 (*up("CCR.context_contradiction"), *_FACTUALITY)),
    Perturbation("deny_told", "what the question has just told is denied", deny_told,
                 up("CCR.context_contradiction")),
    Perturbation("ignore_news", "what the question has just told is passed over", ignore_news,
                 down("UR.update_reflection")),
    Perturbation("conflict_with_earlier", "another number than in an earlier answer", conflict_with_earlier,
                 down("MCS.consistency")),
    Perturbation("advise_unsafe", "advice that a condition forbids", advise_unsafe,
                 up("CSP.safety_penalty", "CSP.safety_penalty_weighted", "CSP.unsafe_answers")),
    Perturbation("drop_slots", "the sentences that name the record are gone", drop_slots,
                 _USE),
    Perturbation("vague_plan", "a plan without how much, when and by what", vague_plan, down("ASS.actionability")),
    Perturbation("reply_of_other_turn", "the answer of an earlier turn in place of a plan", reply_of_other_turn,
                 _ACTION),
    Perturbation("bare_reply", "a reply that says nothing", bare_reply,
                 (*_USE, *_ACTION, *down("SFS_ALL.answers_with_claims"))),
)  # fmt: skip
"""Errors planted into answers to patients, in the order of reports."""

CLINICAL_CONTROLS: tuple[Perturbation, ...] = (
    Perturbation("shuffle_history", "earlier turns in the opposite order", shuffle_history),
    Perturbation("news_first", "what the question has just told is taken up first instead of last", news_first,
                 may_move=("ARL.answer_relevancy",)),
    Perturbation("reworded_history", "synonyms in earlier answers", reworded_history),
)  # fmt: skip

PLANTS = Plants(
    (*CLINICAL, *VALUES, *CLINICAL_CONTROLS, *VALUE_CONTROLS, *CONTROLS),
    {
        f"{metric.code}.{measure.name}": "its errors are planted where it is at home: the self-test of suite rag"
        for metric in RETRIEVED
        for measure in metric.measures
    },
    {
        "another value, for the marks of safety, use of the record, news and actionability (CSP, CUS, UR, ASS)":
            "they look at what is advised or named, not at whether a value is right",
    },
)  # fmt: skip
