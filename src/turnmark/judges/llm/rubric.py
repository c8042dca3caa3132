"""Grades by a rubric of the user's, in the manner of G-Eval: criteria, steps to think through, a scale.

A model that is asked several times gives several grades; their mean is finer than any of them. G-Eval weighs grades by
the probabilities of their tokens, which most endpoints do not tell; repeats estimate the same mean. Source: Liu et al.,
G-Eval: NLG Evaluation using GPT-4 with Better Human Alignment, EMNLP 2023.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Literal

import msgspec

from turnmark.judges.llm.prompts import Language, digest, filled, language_of, prompt
from turnmark.judges.llm.quotes import located
from turnmark.llm.client import ChatClient
from turnmark.llm.fencing import data_block
from turnmark.llm.items import ItemReader, ask_items, entries_schema
from turnmark.llm.protocol import AnswerSchema, ChatRequest, Message
from turnmark.packs.loading import parse
from turnmark.schemas.judging.review import Grade

FIELD = "grades"
VERSION = "1.0.0"
_OUTPUT_TOKENS = 150
_SEEDS = 100


class RubricWords(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The words of a rubric in one language."""

    criteria: str
    steps: list[str] = []
    levels: dict[int, str] = {}


class Rubric(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rubric as a YAML file holds it.

    ``criteria`` say what is graded, ``steps`` how to come to a grade, ``levels`` what some of the grades mean.
    ``fields`` are shown, ``graded`` is the one that is graded and quoted. ``language`` of the prompt; auto: that of the
    graded text. ``translations`` hold the words for languages other than the one that the rubric is written in.
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
    translations: dict[Language, RubricWords] = {}

    def __post_init__(self) -> None:
        if self.low >= self.high:
            message = f"low {self.low} has to be below high {self.high}"
            raise ValueError(message)
        if self.graded not in self.fields:
            message = f"graded {self.graded!r} has to be one of fields {list(self.fields)}"
            raise ValueError(message)
        levels = [*self.levels, *(level for words in self.translations.values() for level in words.levels)]
        outside = sorted(level for level in levels if not self.low <= level <= self.high)
        if outside:
            message = f"levels {outside} lie outside of {self.low} to {self.high}"
            raise ValueError(message)

    def words(self, language: Language) -> str:
        """Criteria, steps and levels as they stand in a prompt of a language."""
        said = self.translations.get(language, self)
        steps = [f"{index}. {step}" for index, step in enumerate(said.steps, 1)]
        levels = [f"{level}: {text}" for level, text in sorted(said.levels.items())]
        return "\n".join([said.criteria.strip(), *steps, *levels])


@cache
def m5_rubric() -> Rubric:
    """The shipped rubric of M5's judge score."""
    file = resources.files("turnmark.judges").joinpath("rubrics", "m5.yaml")
    return parse(file.read_bytes(), "turnmark:m5.yaml", Rubric)


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
        language = self._language(graded)
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
        results = [answer.found["1"] for answer in answers if answer.found]
        if not results:
            return Grade(failure=answers[0].failed["1"])
        return _mean(results, self.rubric.high - self.rubric.low)

    def requests(self, item: Mapping[str, Any]) -> list[ChatRequest]:
        """The requests that the grade of an item takes when the model answers well; none for one without a text."""
        graded = item.get(self.rubric.graded)
        if not isinstance(graded, str) or not graded.strip():
            return []
        return [self._request(item, self._language(graded), number) for number in range(self._repeat)]

    def _language(self, graded: str) -> Language:
        return language_of(self.rubric.language, graded)

    def _request(self, item: Mapping[str, Any], language: Language, number: int) -> ChatRequest:
        rubric = self.rubric
        words = rubric.words(language)
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
