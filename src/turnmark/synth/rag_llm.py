"""RAG cases from documents by a language model: tasks planned by the seed, answers judged like those of the rules."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any, NamedTuple

from turnmark.judges.catalog import make_judge
from turnmark.judges.llm.config import JudgeConfig, make_client
from turnmark.judges.protocol import Judge
from turnmark.llm.client import ChatClient
from turnmark.llm.http import require_http
from turnmark.llm.in_order import SPARE, in_order
from turnmark.llm.items import Answered
from turnmark.pipeline.judging.judge import with_cache
from turnmark.synth.documents.units import Passage
from turnmark.synth.questions.llm import VERSION, Task, Written, candidate_of, digest, write_questions
from turnmark.synth.questions.model import KINDS, LANGUAGES, Kind, Language, Persona
from turnmark.synth.questions.selection import Chooser
from turnmark.synth.rag import (
    AskedCase,
    Material,
    RagRequest,
    SynthReport,
    personas_of,
    read_material,
    write_up,
)

_TASKS_A_CALL = 5
_ROUNDS = 3
"""How often tasks are planned for what is still missing: a model whose answers are refused is not asked for ever."""
_SHORTEST_UNIT = 30
"""Characters; less gives nothing to ask about."""
_LOOKED_AT = 24
"""Units among which the one that shares most with the first is found, for questions over two units."""
_TWO_UNITS: frozenset[Kind] = frozenset({"comparison", "multi_hop"})


class _Call(NamedTuple):
    tasks: tuple[Task, ...]
    language: Language


def rag_cases_by_model(
    request: RagRequest, config: JudgeConfig, out: Path, judge: Judge | None = None
) -> tuple[list[dict[str, Any]], SynthReport]:
    """As `turnmark.synth.rag.rag_cases`, with questions and answers written by a model.

    Answers of the model are kept in the cache of the configuration, or beside ``out``.

    Raises: UsageError for a folder, personas or settings that cannot be used; DataError when the cache file is none;
    MissingExtraError without the extra http.
    """
    personas = personas_of(request)
    client = make_client(with_cache(config, out))
    require_http()
    return asyncio.run(_made(request, config, client, judge or make_judge("rules"), personas))


async def _made(
    request: RagRequest, config: JudgeConfig, client: ChatClient, judge: Judge, personas: tuple[Persona, ...]
) -> tuple[list[dict[str, Any]], SynthReport]:
    try:
        material = read_material(request, judge)
        report = material.report
        report.generator = {
            "name": "llm",
            "version": VERSION,
            "seed": request.seed,
            "model": client.description,
            "prompts": digest(),
            "judge": dict(judge.signature()),
        }
        chooser = Chooser(material.evidence.to_the_point, material.evidence.answered)
        asked = await _rounds(request, config, client, material, personas, chooser)
    finally:
        await client.aclose()
    report.left_out = dict(sorted(chooser.left.items()))
    report.spent = client.spent
    report.stopped = client.budget.exhausted
    missing = request.wanted - len(asked)
    if missing and not material.passages:
        report.short = "the documents hold no passage in Chinese, Korean or English that is long enough"
    elif missing:
        left = ", ".join(f"{reason}: {count}" for reason, count in report.left_out.items())
        report.short = f"{missing} fewer than wanted in {_ROUNDS} rounds of questions" + (f" ({left})" if left else "")
    order = {language: index for index, language in enumerate(LANGUAGES)}
    return write_up(sorted(asked, key=lambda one: order[one.candidate.language]), report), report


async def _rounds(
    request: RagRequest,
    config: JudgeConfig,
    client: ChatClient,
    material: Material,
    personas: tuple[Persona, ...],
    chooser: Chooser,
) -> list[AskedCase]:
    asked: list[AskedCase] = []
    kinds: Counter[tuple[Language, Kind]] = Counter()
    plan = _Plan(request, material, personas)

    async def work(call: _Call) -> tuple[_Call, Answered[Written]]:
        return call, await write_questions(client, call.tasks, call.language)

    for _ in range(_ROUNDS):
        missing = request.wanted - len(asked)
        if missing <= 0 or not plan.languages or client.budget.exhausted:
            break
        answers = in_order(plan.calls(missing, kinds), work, config.concurrency + SPARE)
        async with aclosing(answers) as each:  # type: ignore[type-var]
            async for call, answered in each:
                for item in _taken(call, answered, chooser):
                    if len(asked) < request.wanted:
                        asked.append(item)
                        kinds[call.language, item.candidate.kind] += 1
    return asked


def _taken(call: _Call, answered: Answered[Written], chooser: Chooser) -> Iterator[AskedCase]:
    """The questions of one call that hold before the judge; all others are counted with their reasons."""
    for number, task in enumerate(call.tasks, 1):
        written = answered.found.get(str(number))
        if written is None:
            chooser.left[f"no answer of the model: {answered.failed.get(str(number), 'unknown')}"] += 1
        elif not written.question:
            chooser.left["the model saw no question in the passage"] += 1
        else:
            candidate = candidate_of(task, written, call.language)
            if chooser.accepts(candidate):
                yield AskedCase(candidate, task.persona, written.question)


class _Plan:
    """Which tasks there are: languages, kinds, personas and units in turn, by the seed."""

    def __init__(self, request: RagRequest, material: Material, personas: tuple[Persona, ...]) -> None:
        self._choice = random.Random(f"{request.seed}/llm")  # noqa: S311 - a plan that can be had again, guards nothing
        self._passages: dict[Language, list[Passage]] = {}
        for language in LANGUAGES:
            own = [item for item in material.passages.get(language, ()) if len(item.unit.text) >= _SHORTEST_UNIT]
            if own:
                self._passages[language] = own
        self._personas: dict[Language, list[Persona | None]] = {
            language: [*(persona for persona in personas if persona.lang == language)] or [None]
            for language in self._passages
        }
        self._turns: dict[Language, Iterator[Passage]] = {}
        self._asked: Counter[Language] = Counter()

    @property
    def languages(self) -> list[Language]:
        """The languages that there are passages in."""
        return list(self._passages)

    def calls(self, missing: int, done: Counter[tuple[Language, Kind]]) -> list[_Call]:
        """Calls for as many tasks as cases are missing; kinds of which there are few come first."""
        languages = self.languages
        shares = {language: missing // len(languages) for language in languages}
        for language in languages[: missing % len(languages)]:
            shares[language] += 1
        calls = []
        for language in languages:
            tasks = [self._task(language, done) for _ in range(shares[language])]
            calls += [
                _Call(tuple(tasks[at : at + _TASKS_A_CALL]), language) for at in range(0, len(tasks), _TASKS_A_CALL)
            ]
        return calls

    def _task(self, language: Language, done: Counter[tuple[Language, Kind]]) -> Task:
        number = self._asked[language]
        self._asked[language] += 1
        own = self._personas[language]
        # Kinds go round faster than personas, so that each persona comes to ask every kind.
        persona = own[(number + number // len(KINDS)) % len(own)]
        kinds = [kind for kind in KINDS if persona is None or not persona.kinds or kind in persona.kinds]
        many = len(self._passages[language]) > 1
        kinds = [kind for kind in kinds if many or kind not in _TWO_UNITS] or ["fact"]
        kinds.sort(key=lambda kind: done[language, kind])
        kind = kinds[number % len(kinds)]
        first = self._next(language)
        units = (first.unit, self._partner(first, language).unit) if kind in _TWO_UNITS else (first.unit,)
        return Task(kind, units, persona)

    def _next(self, language: Language) -> Passage:
        """The next passage: all in an order by chance, then all again in another."""
        turn = self._turns.get(language)
        result = next(turn, None) if turn is not None else None
        if result is None:
            order = list(self._passages[language])
            self._choice.shuffle(order)
            self._turns[language] = iter(order)
            result = next(self._turns[language])
        return result

    def _partner(self, first: Passage, language: Language) -> Passage:
        """Of some other passages the one that shares most pairs of characters: it speaks of something alike."""
        others: Sequence[Passage] = [one for one in self._passages[language] if one.unit.id != first.unit.id]
        if len(others) > _LOOKED_AT:
            others = self._choice.sample(list(others), _LOOKED_AT)
        pairs = _pairs(first.unit.text)
        return max(others, key=lambda one: len(pairs & _pairs(one.unit.text)) / (len(one.unit.text) + 1))


def _pairs(text: str) -> set[str]:
    return {text[index : index + 2] for index in range(len(text) - 1)}
