"""RAG cases and their results. Source: RAG evaluation metrics and field relations, fields of ``EvalCase``."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from turnmark.schemas.judging.judgement import Claim, Verdict

Status = Literal["scored", "not_decided", "not_applicable", "failed"]


class JudgedClaim(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A claim, what was said of it, and by which words.

    ``quote`` are the words of the claim: ``text[claim.start:claim.end]`` of the text that ``claim.source`` names.
    ``material`` names the text that ``verdict.quote`` stands in (``retrieved_contexts[0]``), "" when there is none.
    """

    claim: Claim
    quote: str
    verdict: Verdict
    material: str = ""


class EvalResult(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What one metric says of one case.

    ``score`` is a number from 0 to 1 when ``status`` is scored and None otherwise: never nan. A result is
    ``not_decided`` when the judge could tell of nothing in it. ``reason`` says why there is no score, or what decided a
    score that is no plain share. ``hits`` of ``total`` are the counts behind the score, where it is a share, and
    ``undecided`` what was left out of both because the judge could not tell. ``details`` holds further figures
    (``precision@1``). ``signature`` is a hash of what shaped the result (judge, weights or model and prompts,
    versions); ``cost`` what the judge used for this case (``calls``, ``prompt_tokens`` …), shared by its metrics.
    """

    metric: str
    status: Status = "scored"
    score: float | None = None
    reason: str = ""
    hits: float | None = None
    total: float | None = None
    undecided: float = 0.0
    details: dict[str, float] = {}
    claims: list[JudgedClaim] = []
    judge: str = ""
    signature: str = ""
    cost: dict[str, float] = {}


class EvalCase(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One question of a RAG evaluation set, with the system's answer once it is there.

    Texts: ``question``; ``ground_truth_answer`` and ``ground_truth_contexts`` (the reference); ``answer`` and
    ``retrieved_contexts`` (the system). None means not filled in, an empty list means that nothing was found.
    Document ids: ``retrieved_ids`` in order and ``relevant_ids``, a list or a map from id to grade (0 and more).
    Provenance: ``source_units``, ``persona``, ``generation_params``. ``results`` are filled by evaluation, by name
    of metric. ``earlier_turns`` are texts of the same dialogue that may support an answer when that is asked for.
    ``finish_reason`` is why the answer ended, as the endpoint says: "length" for one that it cut off. ``metadata`` is
    whatever else its record held; nothing reads it.
    """

    question: str
    ground_truth_answer: str | None = None
    ground_truth_contexts: list[str] | None = None
    answer: str | None = None
    retrieved_contexts: list[str] | None = None
    source_units: list[dict[str, Any]] = []
    persona: dict[str, Any] | None = None
    generation_params: dict[str, Any] = {}
    results: dict[str, EvalResult] = {}
    id: str | None = None
    lang: str | None = None
    retrieved_ids: list[str] | None = None
    relevant_ids: list[str] | dict[str, float] | None = None
    earlier_turns: list[str] = []
    finish_reason: str | None = None
    metadata: dict[str, Any] = {}
