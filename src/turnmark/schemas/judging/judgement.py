"""Claims, queries and verdicts: what a judge is asked and what it answers."""

from __future__ import annotations

from typing import Literal

import msgspec

Relation = Literal["support", "entailment", "conflict", "agreement", "relevance", "directness", "sameness"]
"""What is asked of a claim and its material.

* ``support``: does the material (contexts) say what the claim (of an answer) says?
* ``entailment``: does the material, a sentence or two, imply the claim?
* ``conflict``: does the material (contexts, earlier turns) say the opposite of the claim?
* ``agreement``: does the material (one other answer to the same question) say what the claim says?
* ``relevance``: does the claim (a whole retrieved context) help to answer the question? The material is empty.
* ``directness``: does the claim (of an answer) answer the question? The material is the whole answer, and the retrieved
  contexts where there are any: a judge may go by the context from which an answer is drawn.
* ``sameness``: is the claim (a whole retrieved context) one of the material (the reference contexts)?
"""

Label = Literal["supported", "contradicted", "undetermined", "not_decided", "relevant", "irrelevant", "failed"]
"""``support``, ``entailment``, ``agreement`` and ``sameness`` are answered by supported, contradicted or undetermined
(the material does not say so); ``conflict`` by contradicted or undetermined; ``relevance`` and ``directness`` by
relevant or irrelevant. Every relation may be answered by not_decided, when the judge cannot tell and says so, and by
failed, when there is no answer to be had. Neither counts as right or wrong."""


class Claim(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One statement of a text (or a whole text, where whole texts are judged).

    ``text`` is what is judged; it may be completed by words from elsewhere (a heading, a subject that the clause
    leaves out). ``start`` and ``end`` are code points into the original text that ``source`` names (``answer``,
    ``ground_truth_answer``, ``retrieved_contexts[2]``); the words there are the quote. ``hedged`` is true when the
    text only says that it may be so.
    """

    text: str
    start: int
    end: int
    source: str = "answer"
    hedged: bool = False


class Query(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Claims to be judged against one material in one relation.

    ``material`` are the texts the judge may go by, in order; ``sources`` names each of them
    (``retrieved_contexts[0]`` …) and has the same length. ``question`` is the question of the case. ``language`` is
    that of the claims: zh, ko, en or und.
    """

    relation: Relation
    claims: tuple[Claim, ...]
    material: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    question: str = ""
    language: str = "und"


class SecondOpinion(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What a model said of a claim that was decided before; it changes nothing. Fields as those of `Verdict`."""

    label: Label
    by: str
    quote: str = ""
    reason: str = ""


class Verdict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What a judge says of one claim.

    ``probability`` is the chance that the claim is supported or relevant (for ``conflict``: contradicted), from 0 to 1;
    for ``directness`` it is the degree to which the claim answers (1 directly, 0 not at all). ``material`` is the
    index of the text that decided, None when none did; ``start`` and ``end`` are code points into it:
    ``material[start:end] == quote`` (for ``relevance`` into the claim itself). ``reason`` is a short reason of the
    rules judge (``number 5% ≠ 3.5%``) or a sentence of a model; for a failed verdict it says what went wrong.
    ``disagreement`` is the share of repeated judgements that said otherwise. Where several judges share the work,
    ``by`` names the one that decided (``rules``, ``nli:FOLDER``, ``llm:MODEL``; "" when none did) and ``audit`` is what
    the model says of a claim that another judge had decided.
    """

    label: Label
    probability: float | None = None
    quote: str = ""
    material: int | None = None
    start: int = 0
    end: int = 0
    reason: str = ""
    disagreement: float | None = None
    by: str = ""
    audit: SecondOpinion | None = None
