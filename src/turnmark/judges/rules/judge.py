"""The judge ``rules``: verdicts from measured overlap and explicit conflicts. Offline, deterministic, no model."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from turnmark.judges.claims import split_claims
from turnmark.judges.protocol import Passage
from turnmark.judges.rules.agreeing import agree
from turnmark.judges.rules.answerability import answerability
from turnmark.judges.rules.asked.consent import on_condition
from turnmark.judges.rules.asked.whether import whether
from turnmark.judges.rules.conflicts import Conflict, find_conflict
from turnmark.judges.rules.deciding import (
    NEEDED,
    answer_yes_or_no,
    by_threshold,
    decide,
    stands_against,
    unless_of_another_case,
)
from turnmark.judges.rules.decision import THRESHOLD, Decision, Read
from turnmark.judges.rules.directness import Degree, degrees, last_turn, polarity_of
from turnmark.judges.rules.learned.features import ALL, Measured, measure, measure_back
from turnmark.judges.rules.learned.model import OWN, Model, Weights, read_weights, shipped_weights
from turnmark.judges.rules.material import Material
from turnmark.judges.rules.passages import Helpful, helpful, helpful_alone, helpful_by_labels
from turnmark.judges.rules.plain.openings import Opening, echoes, read_opening, unless_supported, with_opening
from turnmark.judges.rules.reading import Reading
from turnmark.judges.rules.source import Drawn, drawn, weigh
from turnmark.judges.rules.version import NAME, VERSION
from turnmark.schemas.judging.judgement import Claim, Label, Query, Relation, Verdict

_TELLING = ("number_differs", "negated_here", "negated_there", "parity", "opposite", "name_lost")
"""Measures without which there is no explicit conflict to look for."""
_SAME_THING = 0.35
"""A sentence that covers less of a claim speaks of something else: it cannot stand against it."""
_RARE = 0.7
"""From this weight on (as a part of that of an unseen word) a missing word may be a name."""
_SUPPORTING = ("support", "entailment")
_AGAINST = 0.5
"""What a conflict leaves of the probability of support."""
_QUOTED_FROM = 0.25
"""A sentence that covers less of a claim is not quoted."""


class RulesJudge:
    """Judges by rules. ``weights`` are the shipped ones, or a file that ``turnmark calibrate`` wrote.

    Raises: UsageError when the file cannot be read or holds no weights.
    """

    name = NAME

    def __init__(self, weights: Weights | Path | None = None) -> None:
        self.weights = read_weights(weights) if isinstance(weights, Path) else weights or shipped_weights()
        # The texts of a case come several times: as context of all, of one, as reference.
        self._reading = lru_cache(maxsize=128)(Reading)
        self._material = lru_cache(maxsize=16)(self._read_material)
        self._models = cache(self._read_models)
        self._verdict = lru_cache(maxsize=64)(self._read_verdict)
        # Relevance of passages and of the answer that is drawn from them go by the same.
        self._helpful = lru_cache(maxsize=4)(self._read_helpful)

    def _read_material(self, texts: tuple[str, ...]) -> Material:
        return Material([self._reading(text) for text in texts])

    def signature(self) -> Mapping[str, Any]:
        """Name, version and the digest of the weights."""
        return {"judge": self.name, "version": VERSION, "weights": self.weights.digest}

    def claims(self, passages: Sequence[Passage]) -> list[list[Claim]]:
        """The claims of each passage, by sentences, clauses, list items and table cells."""
        readings = [self._reading(passage.text) for passage in passages]
        return [
            split_claims(reading.segments, passage.source) for passage, reading in zip(passages, readings, strict=True)
        ]

    def verdicts(self, queries: Sequence[Query]) -> list[list[Verdict]]:
        """One verdict a claim, for each query in order."""
        return [self._answered(query) for query in queries]

    def _answered(self, query: Query) -> list[Verdict]:
        if query.relation == "directness":
            return self._directness(query)
        if query.relation == "sameness":
            return [self._sameness(query, claim) for claim in query.claims]
        if query.relation == "relevance":
            return self._relevance(query)
        if not any(text.strip() and self._says_something(text) for text in query.material):
            return [Verdict(label="undetermined", probability=0.0, reason="no material") for _ in query.claims]
        # Two metrics may hold the same words against the same material.
        of_reference = query.relation == "agreement" and query.sources != ("ground_truth_answer",)
        return [
            self._verdict(query.relation, claim.text, query.material, query.question, of_reference)
            for claim in query.claims
        ]

    def _says_something(self, text: str) -> bool:
        """Whether a text holds a word or a value: +++ is one."""
        reading = self._reading(text)
        return bool(reading.units or reading.passage.values)

    def measured(self, query: Query, claim: Claim, wanted: Collection[str] = ALL) -> Measured:
        """What is measured on one claim of a query: the input of its model. ``wanted`` names what is needed of it."""
        if query.relation == "relevance":
            return measure(self._reading(query.question), self._material((claim.text,)), wanted=wanted)
        return self._measured(query.relation, claim.text, query.material, query.question, wanted)

    def _measured(
        self, relation: str, text: str, material: tuple[str, ...], asked: str, wanted: Collection[str]
    ) -> Measured:
        question = self._reading(asked) if asked else None
        reading = self._reading(text)
        if question is not None and polarity_of(text):
            # A bare yes or no says what the question asks, or its opposite.
            reading, question = question, None
        result = measure(reading, self._material(material), question, wanted)
        if relation == "agreement":
            result.values.update(measure_back(reading, self._reading(material[0])))
        return result

    def _read_models(self, relation: str, language: str) -> tuple[list[Model], frozenset[str]]:
        """The models of a relation, and the measures that they need.

        What supports a claim agrees with it too, though it be worded at length.
        """
        results = [self.weights.model(relation, language)]
        if relation == "agreement" and OWN not in results[0].sets:
            results.append(self.weights.model("support", language))
        return results, NEEDED.union(*[model.wanted for model in results])

    def left_by_conflict(self, query: Query, claim: Claim, measured: Measured) -> float:
        """The part of the probability of support that an explicit conflict leaves; 1 without one."""
        if query.relation not in _SUPPORTING or self._conflict(claim.text, query.material, measured) is None:
            return 1.0
        return _AGAINST

    def _conflict(self, text: str, material: tuple[str, ...], measured: Measured) -> Conflict | None:
        values = measured.values
        if values["covered_by_one"] < _SAME_THING:
            return None
        if values["rarest_missing"] < _RARE and not any(values[name] for name in _TELLING):
            return None
        return find_conflict(self._reading(text), self._material(material), measured)

    def _read_verdict(
        self,
        relation: Relation,
        text: str,
        material: tuple[str, ...],
        question: str,
        of_reference: bool,
    ) -> Verdict:
        """What is said of one claim; its words, the material and the question decide alone."""
        read = self._read(relation, text, material, question)
        probability = read.probability
        decision = self._decision(relation, read, of_reference=of_reference)
        if relation in _SUPPORTING and (read.conflict is not None or decision.label == "contradicted"):
            probability *= _AGAINST
        return self._told(decision, read.measured, probability, read.material)

    def _read(self, relation: Relation, text: str, material: tuple[str, ...], question: str) -> Read:
        """All that decides on one claim."""
        models, wanted = self._models(relation, self._reading(text).language)
        measured = self._measured(relation, text, material, question, wanted)
        probability = max([model.probability(measured.values) for model in models])
        if question and polarity_of(text) < 0:
            probability = 1.0 - probability
        # What stands against a bare yes stands against what it answers.
        conflict = self._conflict(question if question and polarity_of(text) else text, material, measured)
        asked = self._reading(question) if question else None
        return Read(self._reading(text), self._material(material), asked, measured, probability, conflict)

    def _told(self, decision: Decision, measured: Measured, probability: float, material: Material) -> Verdict:
        """A decision as a verdict, with the words that decided, else the sentence that comes closest."""
        if decision.place is not None:
            position, first, _ = decision.place
            sentences = material.readings[position].sentences
            sentence = next((each for each in sentences if first < each.end), sentences[-1])
        elif self.comes_close(measured):
            number = measured.closest[0]
            position, sentence = material.place(number), material.sentences[number]
        else:
            reason = decision.reason or "no sentence comes close"
            return Verdict(label=decision.label, probability=round(probability, 6), reason=reason)
        return Verdict(
            label=decision.label,
            probability=round(probability, 6),
            quote=sentence.text,
            material=position,
            start=sentence.start,
            end=sentence.end,
            reason=decision.reason,
        )

    def _decision(self, relation: Relation, read: Read, *, of_reference: bool) -> Decision:
        if OWN in self.weights.model(relation, read.claim.language).sets:
            return by_threshold(read, relation)
        if relation == "agreement":
            return agree(read, of_reference=of_reference)
        if relation == "conflict":
            return stands_against(read)
        polarity = polarity_of(read.claim.text) if read.question is not None else 0
        opening = None if polarity else _opening_of(read)
        told = self._whether(read, polarity, opening)
        if told is not None and told.label != "not_decided":
            return unless_of_another_case(read, told)
        if polarity:
            return answer_yes_or_no(read, polarity)
        decision = self._behind_opening(relation, read, opening) or decide(read)
        # What a clause says of the yes or no, no opposite word behind that takes back.
        takes_back = told is not None and decision.label == "contradicted" and decision.reason.startswith("opposite")
        return told if told is not None and takes_back else decision

    def _whether(self, read: Read, polarity: int, opening: Opening | None) -> Decision | None:
        """What is said of an answer to a question for yes or no by the clause about what that asks."""
        if read.question is None or len(read.claim.sentences) != 1:
            return None
        polarity = polarity or echoes(read.claim, read.question)
        if polarity or opening is None:
            side, rest = polarity, "" if polarity else read.claim.compact
        else:
            side, rest = opening.polarity, self._reading(opening.rest).compact
        return on_condition(read, side, rest) or whether(read, side, rest)

    def _behind_opening(self, relation: Relation, read: Read, opening: Opening | None) -> Decision | None:
        """What is said of a text that opens with a yes or a no by the statement behind it; None for any other text."""
        question = read.question
        if question is None or opening is None or polarity_of(opening.rest):
            return None
        rest = self._read(relation, opening.rest, tuple([each.text for each in read.material.readings]), question.text)
        return with_opening(rest, decide(rest), opening) or unless_supported(read, decide(read))

    def comes_close(self, measured: Measured) -> bool:
        """Whether the closest sentence says enough of a claim to be quoted."""
        return measured.values["covered_by_two"] >= _QUOTED_FROM

    def _relevance(self, query: Query) -> list[Verdict]:
        """Passages retrieved together are held against each other; one that comes alone is judged by itself."""
        verdicts = []
        texts = tuple([claim.text for claim in query.claims])
        for claim, each, found in zip(query.claims, *self._helpful(query.question, texts), strict=True):
            sentence = self._material((claim.text,)).sentences[each.closest[0]]
            verdicts.append(
                Verdict(
                    label=found.label,
                    probability=round(found.probability, 6),
                    quote=sentence.text,
                    start=sentence.start,
                    end=sentence.end,
                    reason=found.reason,
                )
            )
        return verdicts

    def _read_helpful(self, asked: str, texts: tuple[str, ...]) -> tuple[list[Measured], list[Helpful]]:
        """What is measured on each of the passages retrieved for a question, and how far it helps to answer."""
        question = self._reading(asked)
        model = self.weights.model("relevance", question.language)
        query = Query(relation="relevance", claims=tuple([_whole(text) for text in texts]), question=asked)
        measured = [self.measured(query, claim, model.wanted) for claim in query.claims]
        readings = [self._reading(text) for text in texts]
        if OWN in model.sets:
            return measured, [helpful_by_labels(model.probability(each.values)) for each in measured]
        if len(readings) == 1:
            return measured, [helpful_alone(question, readings[0], model.probability(measured[0].values))]
        scores = [model.score(each.values) for each in measured]
        return measured, helpful(question, readings, scores, self.weights.model("beside", question.language))

    def _directness(self, query: Query) -> list[Verdict]:
        """Claims of one answer, judged together, with the answer as material; without, each is a passage by itself."""
        readings = [self._reading(claim.text) for claim in query.claims]
        question = self._reading(last_turn(query.question))
        if not query.material:
            return [_directly(answerability(each, question)) for each in readings]
        answer = self._reading(query.material[0])
        ends = [sentence.end for sentence in answer.sentences]
        places = [bisect_left(ends, claim.end) for claim in query.claims]
        links = [item == other for item, other in pairwise([-1, *places])]
        result = degrees(readings, links, question, self.nearness(query))
        return [_directly(each) for each in weigh(result, readings, answer, question, self._source(query, answer))]

    def _source(self, query: Query, answer: Reading) -> Drawn | None:
        """From what an answer is drawn, where the passages are known that were retrieved for it."""
        texts = query.material[1:]
        if not texts:
            return None
        found = self._helpful(query.question, texts)[1]
        result = drawn(answer, [self._reading(text) for text in texts], [each.probability for each in found])
        # Where meaning is known, words that are nowhere tell nothing.
        return result if result.side >= -1 or not self.nearness(query) else result._replace(side=0)

    def nearness(self, query: Query) -> Sequence[float]:  # noqa: ARG002 - for judges that know it
        """How near each claim is to the question in meaning, from 0 to 1; nothing, since rules do not know."""
        return ()

    def _sameness(self, query: Query, claim: Claim) -> Verdict:
        """The same passage: most of the shorter text's words stand in the other, in the same neighbourhoods."""
        best, where = 0.0, 0
        mine = self._reading(claim.text)
        for index, text in enumerate(query.material):
            share = _same_passage(mine, self._reading(text))
            if share > best:
                best, where = round(share, 6), index
            if share == 1.0:
                break
        if not best:
            return Verdict(label="undetermined", probability=0.0)
        label: Label = "supported" if best >= THRESHOLD else "undetermined"
        text = query.material[where]
        return Verdict(label=label, probability=best, material=where, quote=text, start=0, end=len(text))


def _opening_of(read: Read) -> Opening | None:
    """The yes or no that opens a claim of one sentence which answers a question; None for any other claim."""
    if read.question is None or len(read.claim.sentences) != 1:
        return None
    return read_opening(read.claim, read.question)


def _whole(text: str) -> Claim:
    return Claim(text=text, start=0, end=len(text))


def _directly(found: Degree) -> Verdict:
    """A degree as a verdict; one that nothing tells of is not decided."""
    label: Label = "relevant" if found.degree >= THRESHOLD else "irrelevant"
    if not found.decided:
        label = "not_decided"
    return Verdict(label=label, probability=round(found.degree, 6), reason=found.reason)


def _same_passage(one: Reading, other: Reading) -> float:
    """Share of neighbouring units of the shorter text that are neighbours in the other; of units for single words."""
    if one.compact == other.compact:
        return 1.0
    short, long = sorted((one, other), key=lambda reading: len(reading.compact))
    if short.pair_set:
        return len(short.pair_set & long.pair_set) / len(short.pair_set)
    return len(short.weights.keys() & long.weights.keys()) / len(short.weights) if short.weights else 0.0
