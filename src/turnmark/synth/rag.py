"""RAG cases from a folder of documents: read, take facts, make questions, keep those that the judge sees answered."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.errors import UsageError
from turnmark.judges.catalog import make_judge
from turnmark.judges.protocol import Judge
from turnmark.language.script import detect_language
from turnmark.llm.budget import Spent
from turnmark.runs.folder import ArtifactWriter
from turnmark.schemas.problems import Problem
from turnmark.synth.documents.model import Document, Unit
from turnmark.synth.documents.reading import read_documents
from turnmark.synth.documents.units import Passage, passages
from turnmark.synth.judge_evidence import Evidence
from turnmark.synth.questions.model import KINDS, LANGUAGES, Candidate, Kind, Language, Persona
from turnmark.synth.questions.personas import persona_for, read_personas, said, shipped_personas
from turnmark.synth.questions.reading import unit_facts
from turnmark.synth.questions.selection import (
    VERSION,
    Chooser,
    Known,
    absent_candidates,
    by_interest,
    pair_candidates,
    plain_candidates,
)
from turnmark.synth.questions.speakers import speaker
from turnmark.synth.questions.topics import Topics


class RagRequest(NamedTuple):
    """What to make. ``language`` None: every document in its own. ``personas`` None: those that are shipped."""

    docs: Path
    wanted: int
    seed: int = 0
    language: Language | None = None
    personas: Path | None = None


class DocumentRead(msgspec.Struct, kw_only=True):
    """What was found in one document."""

    file: str
    encoding: str
    language: str
    characters: int
    units: int
    facts: int = 0


class SynthReport(msgspec.Struct, kw_only=True):
    """What came of it.

    ``left_out`` counts candidates that became no case, by reason. ``short`` says why there are fewer cases than wanted,
    "" when there are as many. ``spent`` is what a model used, None without one; ``stopped`` says which limit ended its
    calls.
    """

    wanted: int
    cases: int = 0
    by_kind: dict[str, int] = {}
    by_language: dict[str, int] = {}
    by_persona: dict[str, int] = {}
    documents: list[DocumentRead] = []
    left_out: dict[str, int] = {}
    short: str = ""
    problems: list[Problem] = []
    generator: dict[str, Any] = {}
    spent: Spent | None = None
    stopped: str | None = None


class Material(NamedTuple):
    """All that was read: facts and passages by language, and the words of every unit."""

    facts: dict[Language, list[Known]]
    passages: dict[Language, list[Passage]]
    evidence: Evidence
    report: SynthReport


def read_material(request: RagRequest, judge: Judge) -> Material:
    """Read every document of a folder; what cannot be read is a problem of the report, and the rest goes on.

    Raises: UsageError when the folder is none or holds no document; MissingExtraError without the extra.
    """
    report = SynthReport(wanted=request.wanted)
    material = Material({}, {}, Evidence(judge), report)
    for document in read_documents(request.docs):
        if isinstance(document, Problem):
            report.problems.append(document)
        else:
            _take(document, material, request)
    return material


def _take(document: Document, material: Material, request: RagRequest) -> None:
    result = list(passages(document))
    told = detect_language(document.text)
    read = DocumentRead(
        file=document.file,
        encoding=document.encoding,
        language=told,
        characters=len(document.text),
        units=len(result),
    )
    material.report.documents.append(read)
    material.evidence.add(passage.unit for passage in result)
    language = next((item for item in LANGUAGES if item == told), None)
    if language is None:
        problem = Problem(
            file=str(request.docs / document.file),
            expected="text in Chinese, Korean or English",
            found="another language, or no words",
            advice="no questions are asked about it",
        )
        material.report.problems.append(problem)
        return
    if request.language not in (None, language):
        return
    topics = Topics(result, language)
    facts = material.facts.setdefault(language, [])
    before = len(facts)
    for passage in result:
        topic = topics.topic(passage)
        facts += [Known(fact, topic) for fact in unit_facts(passage, topic, speaker(language))]
    read.facts = len(facts) - before
    material.passages.setdefault(language, []).extend(result)


def rag_cases(request: RagRequest, judge: Judge | None = None) -> tuple[list[dict[str, Any]], SynthReport]:
    """Cases made by rules, as records of `EvalCase`, and what came of it. The same request gives the same cases.

    Raises: UsageError for a folder or personas that cannot be used.
    """
    personas = personas_of(request)
    judging = judge or make_judge("rules")
    material = read_material(request, judging)
    report = material.report
    report.generator = {"name": "rules", "version": VERSION, "seed": request.seed, "judge": dict(judging.signature())}
    chosen = choose(material, request, personas)
    return write_up(asked_by(chosen, personas, many_documents=len(report.documents) > 1), report), report


def personas_of(request: RagRequest) -> tuple[Persona, ...]:
    """The personas of the user's file, or the shipped ones. Raises: UsageError."""
    return shipped_personas() if request.personas is None else read_personas(request.personas)


def choose(material: Material, request: RagRequest, personas: tuple[Persona, ...]) -> list[Candidate]:
    """The candidates that become cases: languages in turn, kinds in turn, within a kind in an order by the seed."""
    evidence, report = material.evidence, material.report
    languages = [language for language in LANGUAGES if material.facts.get(language)]
    chooser = Chooser(evidence.supported, evidence.answered)
    candidates = {
        language: _by_kind(material.facts[language], language, request.seed, personas) for language in languages
    }
    chosen: dict[Language, list[Candidate]] = {language: [] for language in languages}
    missing, giving = request.wanted, list(languages)
    while missing and giving:
        order, giving = giving, []
        for index, language in enumerate(order):
            share = -(-missing // (len(order) - index))
            result = chooser.choose(language, candidates[language], share)
            chosen[language] += result
            missing -= len(result)
            if len(result) == share:
                giving.append(language)
    report.left_out = dict(sorted(chooser.left.items()))
    if missing:
        report.short = _why_short(material, missing)
    return [candidate for language in languages for candidate in chosen[language]]


def _why_short(material: Material, missing: int) -> str:
    facts = sum(len(known) for known in material.facts.values())
    if not facts:
        return "the documents hold no sentence, entry or table cell that a question could be made of"
    left = ", ".join(f"{reason}: {count}" for reason, count in material.report.left_out.items())
    return f"{missing} fewer than wanted: the documents carry {facts} facts" + (
        f"; left out were candidates ({left})" if left else ""
    )


def _by_kind(
    facts: Sequence[Known], language: Language, seed: int, personas: tuple[Persona, ...]
) -> dict[Kind, Iterator[Candidate]]:
    choice = random.Random(f"{seed}/{language}")  # noqa: S311 - an order that can be had again, guards nothing
    speaking = speaker(language)
    own = tuple(persona for persona in personas if persona.lang == language)
    allowed = {kind for kind in KINDS if not own or any(not item.kinds or kind in item.kinds for item in own)}
    groups: dict[Kind, list[Candidate]] = {kind: [] for kind in KINDS}
    for candidate in (*plain_candidates(facts, speaking), *pair_candidates(facts, speaking, choice)):
        groups[candidate.kind].append(candidate)
    results: dict[Kind, Iterator[Candidate]] = {
        kind: iter(by_interest(groups[kind], own, choice)) for kind in KINDS if kind in allowed
    }
    if "unanswerable" in allowed:
        results["unanswerable"] = absent_candidates(facts, speaking, choice)
    return results


class AskedCase(NamedTuple):
    """A chosen candidate, who asks it, and in which words."""

    candidate: Candidate
    persona: Persona | None
    question: str


def asked_by(
    chosen: Iterable[Candidate], personas: tuple[Persona, ...], *, many_documents: bool
) -> Iterator[AskedCase]:
    """Chosen candidates, each given to a persona."""
    used: Counter[str] = Counter()
    for candidate in chosen:
        persona = persona_for(candidate, personas, used)
        used[persona.id if persona else ""] += 1
        question = said(candidate, persona, speaker(candidate.language), many_documents=many_documents)
        yield AskedCase(candidate, persona, question)


def write_up(asked: Iterable[AskedCase], report: SynthReport) -> list[dict[str, Any]]:
    """Questions as records of `EvalCase`, counted in the report."""
    used: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    languages: Counter[str] = Counter()
    records = []
    for candidate, persona, question in asked:
        used[persona.id if persona else "none"] += 1
        kinds[candidate.kind] += 1
        languages[candidate.language] += 1
        records.append(
            {
                "id": f"{candidate.language}-{languages[candidate.language]:04d}",
                "lang": candidate.language,
                "question": question,
                "ground_truth_answer": candidate.answer,
                "ground_truth_contexts": candidate.contexts,
                "answer": None,
                "retrieved_contexts": None,
                "source_units": [_source(unit) for unit in candidate.units],
                "persona": persona.recorded() if persona else None,
                "generation_params": {**report.generator, "kind": candidate.kind, "lang": candidate.language},
            }
        )
    report.cases = len(records)
    report.by_kind = {kind: kinds[kind] for kind in KINDS if kinds[kind]}
    report.by_language = {language: languages[language] for language in LANGUAGES if languages[language]}
    report.by_persona = dict(sorted(used.items()))
    return records


def _source(unit: Unit) -> dict[str, Any]:
    return {"id": unit.id, "file": unit.file, "start": unit.start, "end": unit.end, "text": unit.text}


def write_records(records: Iterable[dict[str, Any]], out: Path) -> None:
    """Write cases to a file that appears whole. Raises: UsageError when ``out`` is a folder."""
    if out.is_dir():
        message = f"{out} is a folder; expected the name of a file for the cases"
        raise UsageError(message)
    out.parent.mkdir(parents=True, exist_ok=True)
    writer = ArtifactWriter(out)
    try:
        for record in records:
            writer.write(msgspec.json.encode(record) + b"\n")
        writer.close()
        writer.commit()
    except BaseException:
        writer.discard()
        raise
