"""Grades by a rubric of the user's, in the manner of G-Eval: criteria, steps to think through, a scale.

A model that is asked several times gives several grades; their mean is finer than any of them. G-Eval weighs grades by
the probabilities of their tokens, which most endpoints do not tell; repeats estimate the same mean. Source: Liu et al.,
G-Eval: NLG Evaluation using GPT-4 with Better Human Alignment, EMNLP 2023.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from turnmark.judges.llm.prompts import Language, digest, filled, language_of, prompt
from turnmark.judges.llm.quotes import located
from turnmark.llm.client import ChatClient
from turnmark.llm.fencing import data_block
from turnmark.llm.items import ItemReader, ask_items, entries_schema
from turnmark.llm.protocol import AnswerSchema, ChatRequest, Message

FIELD = "grades"
VERSION = "1.0.0"
_OUTPUT_TOKENS = 150
_SEEDS = 100


class Rubric(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rubric as a YAML file holds it.

    ``criteria`` say what is graded, ``steps`` how to come to a grade, ``levels`` what some of the grades mean.
    ``fields`` are shown, ``graded`` is the one that is graded and quoted. ``language`` of the prompt; auto: that of the
    graded text.
    """

    name: str
    version: str
    criteria: str
    low: int = 1
    high: int = 5
    steps: list[str] = []
    levels: dict[int, str] = {}
    fields: tuple[str, ...] = ("question", "answer")
    graded: str = "answer"
    language: Literal["zh", "ko", "en", "auto"] = "auto"

    def __post_init__(self) -> None:
        if self.low >= self.high:
            message = f"low {self.low} has to be below high {self.high}"
            raise ValueError(message)
        if self.graded not in self.fields:
            message = f"graded {self.graded!r} has to be one of fields {list(self.fields)}"
            raise ValueError(message)
        outside = sorted(level for level in self.levels if not self.low <= level <= self.high)
        if outside:
            message = f"levels {outside} lie outside of {self.low} to {self.high}"
            raise ValueError(message)


class Grade(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a rubric gives for one item.

    ``score`` is the mean over repeats, on the rubric's scale; None with a ``failure`` when there is none. ``reason``
    and ``quote`` are those of the grade closest to the mean; ``start`` and ``end`` are code points into the graded
    text. ``disagreement`` is the difference between the highest and the lowest grade over the width of the scale.
    """

    score: float | None = None
    reason: str = ""
    quote: str = ""
    start: int = 0
    end: int = 0
    disagreement: float | None = None
    failure: str = ""


class RubricJudge:
    """Grades items by one rubric."""

    def __init__(self, rubric: Rubric, client: ChatClient, *, repeat: int = 1) -> None:
        self.rubric = rubric
        self.client = client
        self._repeat = max(1, repeat)

    def signature(self) -> Mapping[str, Any]:
        """Rubric, model with its settings, digest of the prompts, repeats."""
        return {
            "judge": "llm.rubric",
            "version": VERSION,
            "rubric": msgspec.to_builtins(self.rubric, str_keys=True),
            "model": self.client.description,
            "prompts": digest(),
            "repeat": self._repeat,
        }

    async def grade(self, item: Mapping[str, Any]) -> Grade:
        """The grade of one item, whose fields are texts or lists of texts. What cannot be graded says why."""
        graded = item.get(self.rubric.graded)
        if not isinstance(graded, str) or not graded.strip():
            return Grade(failure=f"the item has no {self.rubric.graded}")
        language = language_of(self.rubric.language, graded)
        reader = ItemReader(FIELD, lambda _name, entry: self._read(entry, graded))
        answers = await asyncio.gather(
            *(
                ask_items(
                    self.client,
                    ["1"],
                    lambda _ids, number=number: self._request(item, language, number),  # type: ignore[misc]
                    reader,
                    prompt("again", language),
                )
                for number in range(self._repeat)
            )
        )
        found = [answer.found["1"] for answer in answers if answer.found]
        if not found:
            return Grade(failure=answers[0].failed["1"])
        return _mean(found, self.rubric.high - self.rubric.low)

    def _request(self, item: Mapping[str, Any], language: Language, number: int) -> ChatRequest:
        rubric = self.rubric
        steps = [f"{place}. {step}" for place, step in enumerate(rubric.steps, 1)]
        levels = [f"{level}: {text}" for level, text in sorted(rubric.levels.items())]
        words = "\n".join([rubric.criteria.strip(), *steps, *levels])
        system = filled("rubric", language, low=str(rubric.low), high=str(rubric.high), rubric=words)
        data = {"id": "1", **{field: item.get(field) for field in rubric.fields}, "graded": rubric.graded}
        return ChatRequest(
            messages=(Message("system", system), Message("user", data_block(data))),
            answer_schema=_schema(rubric),
            variation=_SEEDS * number,
            output_tokens=_OUTPUT_TOKENS,
        )

    def _read(self, entry: Mapping[str, Any], graded: str) -> Grade | None:
        score = entry.get("score")
        if isinstance(score, bool) or not isinstance(score, int | float):
            return None
        if not self.rubric.low <= score <= self.rubric.high:
            return None
        quote = entry.get("quote")
        start, end = (located(quote, graded) if isinstance(quote, str) else None) or (0, 0)
        reason = " ".join(str(entry.get("reason") or "").split())
        return Grade(score=float(score), reason=reason, quote=graded[start:end], start=start, end=end)


def _mean(grades: Sequence[Grade], width: int) -> Grade:
    scores = [grade.score for grade in grades if grade.score is not None]
    if len(scores) == 1:
        return grades[0]
    mean = sum(scores) / len(scores)
    closest = min(grades, key=lambda grade: abs((grade.score or 0.0) - mean))
    return msgspec.structs.replace(
        closest, score=round(mean, 6), disagreement=round((max(scores) - min(scores)) / width, 6)
    )


def _schema(rubric: Rubric) -> AnswerSchema:
    properties = {
        "id": {"type": "string"},
        "reason": {"type": "string"},
        "quote": {"type": "string"},
        "score": {"type": "integer", "enum": list(range(rubric.low, rubric.high + 1))},
    }
    return entries_schema("grades", FIELD, properties)
