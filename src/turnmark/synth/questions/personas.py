"""Who asks: the personas of a user's file, or those that come with turnmark."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

from turnmark.errors import UsageError
from turnmark.packs.loading import parse, read, shipped
from turnmark.synth.questions.model import Candidate, Persona, Personas
from turnmark.synth.questions.reading import Speaker

_SHIPPED = "rag/synth/personas.yaml"


@cache
def shipped_personas() -> tuple[Persona, ...]:
    """Three personas a language: plain, careful of costs, new to the subject."""
    return tuple(parse(shipped(_SHIPPED), _SHIPPED, Personas).personas)


def read_personas(path: Path) -> tuple[Persona, ...]:
    """The personas of a YAML or JSON file. Raises: UsageError (PackError) naming every fault with its line."""
    result, _ = read(path, Personas)
    twice = [name for name, count in Counter(persona.id for persona in result.personas).items() if count > 1]
    if twice or not result.personas:
        what = f"{', '.join(sorted(twice))} more than once" if twice else "none"
        message = f"{path}: $.personas: expected personas, each with an id of its own, found {what}"
        raise UsageError(message)
    return tuple(result.personas)


def persona_for(candidate: Candidate, personas: tuple[Persona, ...], used: Counter[str]) -> Persona | None:
    """The persona to ask a question: one whose interest it meets before others, then the one that asked least."""
    fitting = [
        persona
        for persona in personas
        if persona.lang == candidate.language and (not persona.kinds or candidate.kind in persona.kinds)
    ]
    text = f"{candidate.wording.plain} {candidate.answer}".lower()

    def rank(persona: Persona) -> int:
        return used[persona.id] - 2 * any(word.lower() in text for word in persona.interest)

    return min(fitting, key=rank) if fitting else None


def said(candidate: Candidate, persona: Persona | None, speaker: Speaker, *, many_documents: bool) -> str:
    """The question as a persona asks it; with the title of its document where its words alone do not say which."""
    question = candidate.wording.plain if persona is None else candidate.wording.toned(persona.tone)
    if many_documents and candidate.document:
        question = speaker.in_document(question, candidate.document)
    if persona is not None and persona.shape == "situated":
        question = speaker.situated(persona.opening.strip(), question)
    return question
