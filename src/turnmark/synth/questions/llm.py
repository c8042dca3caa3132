"""Questions written by a language model: several tasks a request, documents as fenced data."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from turnmark.llm.client import ChatClient
from turnmark.llm.fencing import data_block
from turnmark.llm.items import Answered, ItemReader, ask_items, entries_schema
from turnmark.llm.protocol import ChatRequest, Message
from turnmark.synth.documents.model import Unit
from turnmark.synth.questions.model import Candidate, Kind, Language, Persona, Wording
from turnmark.synth.questions.speakers import speaker

VERSION = "1.0.0"
FIELD = "questions"
SCHEMA = entries_schema(
    "questions", FIELD, {"id": {"type": "string"}, "question": {"type": "string"}, "answer": {"type": "string"}}
)
_TOKENS_A_TASK = 160
_LONGEST = 600
_FOLDER = "prompts"


class Task(NamedTuple):
    """What is to be written: a question of a kind about some units, as a persona asks it."""

    kind: Kind
    units: tuple[Unit, ...]
    persona: Persona | None


class Written(NamedTuple):
    """A question and its answer; the answer is empty where there shall be none."""

    question: str
    answer: str


@cache
def prompt(name: str, language: Language) -> str:
    """The prompt of a name, ``questions`` or ``again``, in a language."""
    file = resources.files("turnmark.synth").joinpath(_FOLDER, f"{name}.{language}.md")
    return file.read_text("utf-8").strip()


@cache
def digest() -> str:
    """The first 16 hex digits of a hash over all prompt files and their names."""
    total = hashlib.sha256()
    folder = resources.files("turnmark.synth").joinpath(_FOLDER)
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".md"):
            total.update(file.name.encode() + b"\0" + file.read_text("utf-8").encode() + b"\0")
    return total.hexdigest()[:16]


async def write_questions(client: ChatClient, tasks: Sequence[Task], language: Language) -> Answered[Written]:
    """One question a task, by its number from 1; a task without a usable one has a reason instead."""
    names = [str(number) for number in range(1, len(tasks) + 1)]

    def request(ids: Sequence[str]) -> ChatRequest:
        return _request([(name, tasks[int(name) - 1]) for name in ids], language)

    def read(name: str, entry: Mapping[str, Any]) -> Written | None:
        question, answer = (" ".join(str(entry.get(field) or "").split()) for field in ("question", "answer"))
        wants_answer = tasks[int(name) - 1].kind != "unanswerable"
        if len(question) > _LONGEST or len(answer) > _LONGEST or (question and wants_answer and not answer):
            return None
        return Written(question, answer if wants_answer else "")

    return await ask_items(client, names, request, ItemReader(FIELD, read), prompt("again", language))


def _request(tasks: Sequence[tuple[str, Task]], language: Language) -> ChatRequest:
    passages: dict[str, str] = {}
    listed = []
    for name, task in tasks:
        texts = []
        for unit in task.units:
            text = "\n".join((*unit.headings, unit.text))
            texts.append(passages.setdefault(text, f"P{len(passages) + 1}"))
        persona = task.persona
        asks = {"name": persona.name, "tone": persona.tone, "interest": persona.interest} if persona else {}
        if persona and persona.shape == "situated":
            asks["opens_with"] = persona.opening
        listed.append({"id": name, "kind": task.kind, "passages": texts, "persona": asks})
    data = {"passages": {name: text for text, name in passages.items()}, "tasks": listed}
    return ChatRequest(
        messages=(Message("system", prompt("questions", language)), Message("user", data_block(data))),
        answer_schema=SCHEMA,
        output_tokens=_TOKENS_A_TASK * len(tasks),
    )


def candidate_of(task: Task, written: Written, language: Language) -> Candidate:
    """What a model wrote as a candidate, to be judged like any other."""
    wording = Wording(written.question, written.question, written.question)
    if task.kind == "unanswerable":
        return Candidate(task.kind, wording, speaker(language).unknown(), "", (), language)
    return Candidate(task.kind, wording, written.answer, written.answer, task.units, language)
