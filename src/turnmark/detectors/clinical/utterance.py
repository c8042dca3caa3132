"""One text of a conversation, an answer or a question, read once for all detectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from turnmark.detectors.clinical.facts.detector import facts_of
from turnmark.detectors.clinical.facts.fact import Fact
from turnmark.detectors.clinical.read.chart import Chart, read_chart
from turnmark.detectors.clinical.read.context_cues import ContextCue, find_cues
from turnmark.detectors.clinical.read.reading import NO_QUESTION, Question, Reading, read_question
from turnmark.detectors.clinical.read.slot_words import slot_words
from turnmark.detectors.clinical.read.vocabulary import Named, vocabulary
from turnmark.detectors.clinical.safety.stance import AdviceStanceReader
from turnmark.language.analysis import Analysis, analyse
from turnmark.language.computed import computed
from turnmark.language.match.matcher import Hit
from turnmark.language.text.fold import fold
from turnmark.packs.clinical_slots import SlotDefinitions


class Name(NamedTuple):
    """A name of the vocabulary in a text, with its span in the original."""

    named: Named
    start: int
    end: int


class Utterance:
    """What detectors ask of one text beside the patient's chart; each part is read when it is first asked for.

    ``asked`` is the question that an answer answers; None for a question itself.
    """

    def __init__(self, analysis: Analysis, chart: Chart, asked: Utterance | None = None) -> None:
        self.analysis = analysis
        self.text = analysis.text
        self.chart = chart
        self.asked = asked

    @computed
    def _named(self) -> Sequence[Named]:
        if self.asked is None:
            return _read_question(self.text).names
        folded = self.analysis.folded
        return vocabulary().find(folded.text, folded.base)

    @computed
    def names(self) -> list[Name]:
        """The names of the vocabulary, in order."""
        folded = self.analysis.folded
        if folded.same_length:
            return [Name(named, named.start, named.end) for named in self._named]
        return [Name(named, *folded.to_original(named.start, named.end)) for named in self._named]

    @computed
    def context(self) -> Question:
        """What a question tells the reader of its answer."""
        return _read_question(self.text).context

    @computed
    def facts(self) -> tuple[Fact, ...]:
        """Every clinical mention, with what it claims of the patient, in order."""
        context = NO_QUESTION if self.asked is None else self.asked.context
        slots = slot_words(self.chart.definitions)
        return facts_of(Reading(self.analysis, self.chart.record, self._named, context, slots))

    @computed
    def cues(self) -> list[Hit[ContextCue]]:
        """Words that stand for something of a record, in order."""
        return find_cues(self.analysis)

    @computed
    def stance(self) -> AdviceStanceReader:
        """How the text stands to the things it names."""
        return AdviceStanceReader(self.analysis)


class _QuestionRead(NamedTuple):
    names: tuple[Named, ...]
    context: Question


@lru_cache(maxsize=1024)
def _read_question(text: str) -> _QuestionRead:
    """What a question is by its words alone; scripts put the same ones to many patients and systems."""
    folded = fold(text)
    names = tuple(vocabulary().find(folded.text, folded.base))
    return _QuestionRead(names, read_question(folded.text, names))


def read_utterance(
    text: str | Analysis, slots: Mapping[str, Any], question: str = "", definitions: SlotDefinitions | None = None
) -> Utterance:
    """An answer to a question beside the slots of a patient; without a question, a text of its own.

    ``definitions`` say what the slots hold; without any, the shipped ones do.
    """
    chart = read_chart(slots, definitions)
    asked = Utterance(analyse(question), chart) if question else None
    return Utterance(text if isinstance(text, Analysis) else analyse(text), chart, asked)


def extract_facts(answer: str | Analysis, slots_truth: Mapping[str, Any], question: str = "") -> list[Fact]:
    """The clinical facts of an answer in order.

    Args:
        answer: The answer, or its analysis when it is at hand.
        slots_truth: The true record of the patient; empty slots are unknown.
        question: What was asked; tells a caregiver who asks for someone from a patient.

    """
    return list(read_utterance(answer, slots_truth, question).facts)
