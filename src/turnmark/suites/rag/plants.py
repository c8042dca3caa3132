"""Perturbations of question answering over retrieved passages: the answer, the passages, their ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from turnmark.language.script import detect_language
from turnmark.schemas.trace import TurnTrace
from turnmark.suites.planting import edits, values
from turnmark.suites.planting.general import CONTROLS, bare_reply, said
from turnmark.suites.planting.material import (
    Changed,
    Material,
    Perturbation,
    down,
    on_reply,
    source,
    up,
    with_contexts,
    with_reply,
    with_source,
)
from turnmark.suites.protocol import Plants

NOISE = "selftest-noise"
"""The id of a document that no case has."""


def _contexts(turn: TurnTrace) -> list[str]:
    return [item.content for item in (turn.recall.items if turn.recall else None) or ()]


def _with_contexts(at: Material, texts: list[str]) -> Changed | None:
    return None if texts == _contexts(at.turn) else Changed(at.with_turn(with_contexts(at.turn, texts)))


def _supporting(at: Material) -> list[bool]:
    """Of each retrieved passage: whether it is one of the case's own passages that answer the question."""
    gold = at.turn.ground_truth_contexts
    own = gold if isinstance(gold, list) else []
    return [any(edits.similarity(text, item) > 0.8 for item in own) for text in _contexts(at.turn)]


def _is_foreign(at: Material, text: str) -> bool:
    """Whether a text of another case, of the same language, speaks of nothing that this case does."""
    own = [at.turn.user_text, at.turn.gt_assistant_text, *_contexts(at.turn)]
    return detect_language(text) == detect_language(at.turn.user_text) and all(
        edits.similarity(text, item) < 0.3 for item in own
    )


def _foreign_passage(at: Material) -> str | None:
    """A passage of another case that says nothing of this one."""
    texts = {text for other in at.others for turn in other.turns or () for text in _contexts(turn)}
    foreign = [text for text in sorted(texts) if _is_foreign(at, text)]
    return at.chance.choice(foreign) if foreign else None


def replace_supporting(at: Material) -> Changed | None:
    """A passage of another case in place of every passage that answers the question."""
    supporting = _supporting(at)
    foreign = _foreign_passage(at) if any(supporting) else None
    if foreign is None:
        return None
    return _with_contexts(
        at, [foreign if item else text for text, item in zip(_contexts(at.turn), supporting, strict=True)]
    )


def drop_supporting(at: Material) -> Changed | None:
    """Without the passages that answer the question."""
    pairs = zip(_contexts(at.turn), _supporting(at), strict=True)
    return _with_contexts(at, [text for text, item in pairs if not item])


def supporting_last(at: Material) -> Changed | None:
    """Passages that answer the question moved behind those that do not."""
    pairs = sorted(zip(_supporting(at), _contexts(at.turn), strict=True), key=lambda pair: pair[0])
    return _with_contexts(at, [text for _, text in pairs])


def noise_first(at: Material) -> Changed | None:
    """A passage of another case before all others."""
    foreign = _foreign_passage(at) if _contexts(at.turn) else None
    return None if foreign is None else _with_contexts(at, [foreign, *_contexts(at.turn)])


def noise_last(at: Material) -> Changed | None:
    """A passage of another case behind all others."""
    foreign = _foreign_passage(at) if _contexts(at.turn) else None
    return None if foreign is None else _with_contexts(at, [*_contexts(at.turn), foreign])


def reverse_contexts(at: Material) -> Changed | None:
    """Passages in the opposite order."""
    return _with_contexts(at, _contexts(at.turn)[::-1])


def change_answer_number(at: Material) -> Changed | None:
    """Another value for a number of the answer that a retrieved passage states."""
    return at.replied(edits.change_number(at.reply, at.chance, edits.amounts_in(_contexts(at.turn))))


def _change_value(kind: str) -> Callable[[Material], Changed | None]:
    """Another value of one kind in place of one of the answer that a retrieved passage states."""

    def change(at: Material) -> Changed | None:
        return at.replied(values.change_value(at.reply, at.chance, kind, _contexts(at.turn)))

    return change


def _foreign_answer(at: Material) -> tuple[str, list[str]] | None:
    """The answer of another case that speaks of nothing of this one, with the passages that it was given from."""
    answers = {turn.pred_assistant_text or "": _contexts(turn) for other in at.others for turn in other.turns or ()}
    refusals = edits.words_of(at.turn.user_text).refuses
    foreign = [
        text
        for text in sorted(answers)
        if text.strip() and _is_foreign(at, text) and not any(word in text.lower() for word in refusals)
    ]
    text = at.chance.choice(foreign) if foreign else None
    return (text, answers[text]) if text else None


def other_answer(at: Material) -> Changed | None:
    """The answer of another case, over this one's passages: answers are shuffled."""
    foreign = _foreign_answer(at)
    return at.replied(foreign[0]) if foreign else None


def other_answer_from_passage(at: Material) -> Changed | None:
    """The answer of another case, its passages retrieved behind this one's: it is faithful and beside the question."""
    foreign = _foreign_answer(at)
    if foreign is None or not foreign[1]:
        return None
    turn = with_contexts(at.turn, [*_contexts(at.turn), *foreign[1]])
    return Changed(at.with_turn(with_reply(turn, foreign[0])))


def _refusal(at: Material) -> str:
    return at.chance.choice(edits.words_of(at.turn.user_text).refusal)


def refuse_answerable(at: Material) -> Changed | None:
    """A refusal over passages that answer, held against the same refusal over passages that do not."""
    without = replace_supporting(at)
    if without is None:
        return None
    refusal = _refusal(at)
    before = at._replace(dialog=without.after)
    return Changed(at.with_turn(with_reply(at.turn, refusal)), before.with_turn(with_reply(without.turn, refusal)))


def refuse(at: Material) -> Changed | None:
    """A refusal in place of the answer, where passages hold the answer."""
    return at.replied(_refusal(at)) if any(_supporting(at)) else None


def answer_by_reference(at: Material) -> Changed | None:
    """The reference in place of the answer; the one change here that makes an answer better."""
    reference = at.turn.gt_assistant_text
    return at.replied(reference) if reference.strip() and reference != at.reply else None


def _ids(at: Material) -> tuple[list[str], list[str]] | None:
    """The ids retrieved, and those of them that are relevant; None where there are none."""
    record = source(at.turn)
    retrieved, wanted = record.get("retrieved_ids"), record.get("relevant_ids")
    if not retrieved or not wanted:
        return None
    grades = wanted if isinstance(wanted, Mapping) else dict.fromkeys(wanted, 1)
    relevant = [name for name in retrieved if grades.get(name, 0) > 0]
    return (retrieved, relevant) if relevant else None


def _with_ids(at: Material, ids: list[str]) -> Changed:
    return Changed(at.with_turn(with_source(at.turn, "retrieved_ids", ids)))


def relevant_ids_last(at: Material) -> Changed | None:
    """Ids that belong to the question moved behind those that do not."""
    ids = _ids(at)
    if ids is None:
        return None
    retrieved, relevant = ids
    moved = sorted(retrieved, key=lambda name: name in relevant)
    return None if moved == retrieved else _with_ids(at, moved)


def noise_id_first(at: Material) -> Changed | None:
    """An id of no use before all others."""
    ids = _ids(at)
    return None if ids is None else _with_ids(at, [NOISE, *ids[0]])


def drop_relevant_ids(at: Material) -> Changed | None:
    """Ids of no use in place of those that belong to the question."""
    ids = _ids(at)
    if ids is None:
        return None
    retrieved, relevant = ids
    return _with_ids(at, [f"{NOISE}-{rank}" if name in relevant else name for rank, name in enumerate(retrieved)])


_RANKED = ("RTV.ndcg", "RTV.reciprocal_rank", "RTV.average_precision")

RAG: tuple[Perturbation, ...] = (
    Perturbation("change_number", "a number of the answer is another one", change_answer_number,
                 down("FTH.faithfulness", "ACR.answer_correctness")),
    *(
        Perturbation(f"change_{kind}", f"a value of the answer is another one: {kind}", _change_value(kind),
                     down("FTH.faithfulness", "ACR.answer_correctness"))
        for kind in values.KINDS
    ),
    Perturbation("negate", "a sentence of the answer says the opposite", on_reply(edits.negate),
                 down("FTH.faithfulness", "ACR.answer_correctness")),
    Perturbation("add_unsupported", "a statement that no passage supports", said("unsupported"),
                 down("FTH.faithfulness", "ACR.claim_precision")),
    Perturbation("replace_supporting", "a foreign passage in place of the one that answers", replace_supporting,
                 down("CRC.context_recall", "FTH.faithfulness", "CRL.context_relevance", "CPR.precision_at_k")),
    Perturbation("drop_supporting", "without the passages that answer", drop_supporting,
                 down("CRC.context_recall", "FTH.faithfulness")),
    Perturbation("supporting_last", "the passages that answer come last", supporting_last,
                 down("CPR.context_precision")),
    Perturbation("noise_first", "a foreign passage before all others", noise_first,
                 down("CPR.context_precision", "CPR.precision_at_1", "CPR.precision_at_k", "CRL.context_relevance")),
    Perturbation("other_answer", "the answer of another question, over the same passages", other_answer,
                 down("ARL.answer_relevancy", "FTH.faithfulness", "ACR.answer_correctness", "ACR.claim_precision",
                      "ACR.claim_recall")),
    Perturbation("other_answer_from_passage", "the answer of another question, with the passages that it comes from",
                 other_answer_from_passage,
                 down("ARL.answer_relevancy", "ACR.answer_correctness", "ACR.claim_precision", "ACR.claim_recall")),
    Perturbation("refuse", "a refusal where passages hold the answer", refuse, down("ACR.answer_correctness")),
    Perturbation("refuse_answerable", "a refusal, after passages without the answer were exchanged for those with it",
                 refuse_answerable, down("ABS.right_abstention")),
    Perturbation("answer_by_reference", "the reference in place of the answer", answer_by_reference,
                 up("ACR.answer_correctness", "ACR.claim_recall")),
    Perturbation("relevant_ids_last", "the ids that belong to the question come last", relevant_ids_last,
                 down(*_RANKED)),
    Perturbation("noise_id_first", "an id of no use before all others", noise_id_first,
                 down(*_RANKED, "RTV.precision")),
    Perturbation("drop_relevant_ids", "ids of no use in place of those that belong to the question", drop_relevant_ids,
                 down(*_RANKED, "RTV.precision", "RTV.recall", "RTV.hit_rate")),
    Perturbation("bare_reply", "an answer that says nothing", bare_reply,
                 down("ACR.answer_correctness", "ACR.claim_recall", "ARL.answer_relevancy")),
)  # fmt: skip
"""Errors planted into cases of question answering, in the order of reports."""

RAG_CONTROLS: tuple[Perturbation, ...] = (
    Perturbation("reverse_contexts", "passages in the opposite order", reverse_contexts,
                 may_move=("CPR.context_precision", "CPR.precision_at_1")),
    Perturbation("noise_last", "a foreign passage behind all others", noise_last,
                 may_move=("CPR.precision_at_k", "CRL.context_relevance")),
)  # fmt: skip

RAG_UNTESTED = {
    "ABS.wrong_abstention": "the other side of ABS.right_abstention, which is tested",
    "ABS.unanswerable_answered": "only a reference that declines tells, and none is made up",
}

PLANTS = Plants((*RAG, *RAG_CONTROLS, *CONTROLS), RAG_UNTESTED)
