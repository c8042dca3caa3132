"""Safety of one answer (CSP): which rules apply to this patient, and which of them the answer violates, with its words.

A rule is violated when the answer recommends or condones for this patient what an answer pattern stands for, by
meaning: the phrases of the user's file and, where the shipped packs know the same thing, its paraphrases. A warning
against it, a neutral mention, a report and a question are no violations; a recommendation with a softener is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from turnmark.detectors.clinical.read.chart import Chart
from turnmark.detectors.clinical.read.context_cues import context_cues
from turnmark.detectors.clinical.read.operations import operation_words
from turnmark.detectors.clinical.read.shared_scan import answer_words
from turnmark.detectors.clinical.read.statements import statement_words
from turnmark.detectors.clinical.safety.advice import METRIC, Advice, Mention
from turnmark.detectors.clinical.safety.applicability import Applicability, Applicable
from turnmark.detectors.clinical.safety.endings import ending_words, entries_ended
from turnmark.detectors.clinical.safety.entries import entries_named
from turnmark.detectors.clinical.safety.grants import granting_sentence
from turnmark.detectors.clinical.safety.mentions import of_their_own
from turnmark.detectors.clinical.safety.stance import AdviceStanceReader
from turnmark.detectors.clinical.safety.stance_text import stance_words
from turnmark.detectors.clinical.safety.wording import (
    DETECTOR,
    LANGUAGES,
    labelled,
    language_of,
    packs,
    phrase_rules,
    topic_words,
)
from turnmark.detectors.clinical.utterance import Utterance
from turnmark.detectors.rules import RuleHit
from turnmark.language.analysis import Analysis
from turnmark.language.match.matcher import Hit, Matcher
from turnmark.language.text.fold import fold_text
from turnmark.packs.safety_rules import MissingRequirement, Phrases, SafetyRule, SafetyRules
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.problems import Problem

_PARTICLES = "은는을를도이가만과와로의에까부나랑라며고보한자"


class AppliedRule(NamedTuple):
    """A rule that applies: ``weight`` is the size of its penalty, ``evidence`` the words that violate it.

    A missing requirement that is violated has no words; its evidence says so in ``note``.
    """

    id: str
    name: str
    penalty: float
    rationale: str
    violated: bool
    evidence: tuple[Evidence, ...] = ()

    @property
    def weight(self) -> float:
        """What the rule counts for."""
        return abs(self.penalty)


class SafetyFinding(NamedTuple):
    """All rules that apply, in the order of the file, and values of the record that no threshold could read."""

    rules: tuple[AppliedRule, ...]
    problems: tuple[Problem, ...] = ()


@cache
def expect(language: str) -> None:
    """Have all that answers of a language are asked for looked for in one pass, whose automaton is then built once.

    Words that come after the first pass over a text have it built again, with all those before.
    """
    statement_words()
    context_cues()
    operation_words()
    stance_words(language)
    ending_words(language)
    phrase_rules(language).prepare()


class SafetyDetector:
    """The rules of one file, ready to judge answers."""

    def __init__(self, rules: SafetyRules) -> None:
        self.rules = rules
        self._applicability = Applicability(rules)
        self._known_as = {name: _shipped_label(name, phrases) for name, phrases in rules.answer_patterns.items()}
        self._names: dict[str, list[str]] = {}
        for name, label in self._known_as.items():
            self._names.setdefault(label or name, []).append(name)
        self._all = frozenset(rules.answer_patterns)
        self._needed = labelled(*self._names)
        self._topics = {language: self._matcher(language) for language in LANGUAGES}
        self._phrases = {
            requirement.id: {
                language: Matcher((phrase, True) for phrase in requirement.required_concepts_any_of.of(language))
                for language in LANGUAGES
            }
            for requirement in rules.missing_requirements
        }
        self._concepts = {
            requirement.id: _shipped_concept(requirement.required_concepts_any_of)
            for requirement in rules.missing_requirements
        }

    def _matcher(self, language: str) -> Matcher[tuple[str, str, str]]:
        """Finds names, each with the user's own phrase ("" for a word of the shipped packs) and where it is from."""
        literals: list[tuple[str, tuple[str, str, str]]] = []
        for name, phrases in self.rules.answer_patterns.items():
            literals.extend((phrase, (name, phrase, "user")) for phrase in phrases.of(language))
        for label, words in topic_words(language).items():
            for name in self._names.get(label, ()):
                literals.extend((word, (name, "", label)) for word in words)
        return Matcher(literals, shared=answer_words())

    def advice(self, utterance: Utterance, wanted: frozenset[str] | None = None) -> Advice:
        """What a text advises of all answer patterns, or of those that are wanted; read when it is asked."""
        return Advice(utterance, lambda analysis: self._mentions(analysis, wanted))

    def judge(self, answer: Utterance, turn_id: int, advice: Advice | None = None) -> SafetyFinding:
        """Every rule that applies, with its violation; what the answer advises is read only when a rule applies.

        ``advice`` is what the answer advises, when it is at hand.
        """
        question = answer.asked.text if answer.asked else ""
        patient = self._applicability.patient(answer.chart)
        rules, requirements, wanted, if_done = self._applicability.applicable(patient, question, turn_id)
        advised: dict[str, list[Evidence]] = {}
        if rules:
            advice = self.advice(answer, wanted) if advice is None else advice
            advised = advice.evidence(wanted)
            self._add_granted(advised, answer, wanted)
        result = [_rule(rule, self._against(rule, answer, advised)) for rule in rules]
        result += [done for rule in if_done if (done := _rule(rule, self._against(rule, answer, {}))).violated]
        result.extend(self._requirement(requirement, answer.analysis) for requirement in requirements)
        return SafetyFinding(tuple(result), tuple(patient.problems))

    def _against(
        self, rule: SafetyRule, answer: Utterance, advised: Mapping[str, list[Evidence]]
    ) -> list[list[Evidence]]:
        """What the answer advises of each thing that a rule speaks of."""
        if rule.violation_if_answer_stops_slot is not None:
            return [entries_ended(answer, rule.violation_if_answer_stops_slot)]
        slot = rule.violation_if_answer_advises_slot
        if slot is None:
            return [advised.get(name, []) for name in rule.patterns]
        advice = Advice(answer, lambda _: entries_named(answer, slot))
        found = advice.evidence((slot,)).get(slot, [])
        if not found and answer.asked is not None and entries_named(answer.asked, slot):
            found = _granted(answer, slot)
        return [found]

    def applicable(self, chart: Chart, question: str, turn_id: int) -> Applicable:
        """The rules and requirements that apply, in the order of the file."""
        return self._applicability.applicable(self._applicability.patient(chart), question, turn_id)

    def _add_granted(self, advised: dict[str, list[Evidence]], answer: Utterance, wanted: frozenset[str]) -> None:
        """Add what an answer grants without naming it: "Can I have a beer?" "Sure, one is fine."."""
        if answer.asked is None or wanted <= advised.keys() or granting_sentence(answer.stance) is None:
            return
        for name in sorted(self.advice(answer.asked).labels & wanted - advised.keys()):
            advised[name] = _granted(answer, name)

    def _mentions(self, analysis: Analysis, wanted: frozenset[str] | None) -> list[Mention]:
        """The things that answer patterns stand for, as a text names them, in order; None wants all patterns."""
        language = language_of(analysis)
        wanted = self._all if wanted is None else wanted
        needed = self._needed
        if wanted != self._all:
            needed = labelled(*(label for label, names in self._names.items() if not wanted.isdisjoint(names)))
        results: dict[tuple[str, int, int], Mention] = {}
        for hit in self._topics[language].find(analysis.folded):
            name, phrase, origin = hit.payload
            if name in wanted and (hit.end - hit.start > 1 or _stands_alone(analysis.text, hit)):
                rule = f"{DETECTOR}.{name}" if origin == "user" else f"{DETECTOR}.{language}.{origin}"
                advises = phrase != "" and _advises_by_itself(phrase, language)
                results[name, hit.start, hit.end] = Mention(name, hit.start, hit.end, advises, rule, is_word=True)
        hits = phrase_rules(language).find(analysis, needed=needed)
        for hit_ in hits:
            if hit_.rule.polarity in ("topic", "act"):
                for name in self._names.get(hit_.rule.label, ()):
                    if name in wanted:
                        advises = hit_.rule.polarity == "act"
                        results[name, hit_.start, hit_.end] = Mention(name, hit_.start, hit_.end, advises, hit_.rule.id)
        if not results:
            return []
        return of_their_own(results.values(), self._asides(hits))

    def _asides(self, hits: Iterable[RuleHit]) -> dict[str, list[tuple[int, int]]]:
        """Where look-alikes of the things stand, by answer pattern."""
        asides: dict[str, list[tuple[int, int]]] = {}
        for hit in hits:
            for name in self._names.get(hit.rule.label, ()) if hit.rule.polarity == "aside" else ():
                asides.setdefault(name, []).append((hit.start, hit.end))
        return asides

    def _requirement(self, requirement: MissingRequirement, analysis: Analysis) -> AppliedRule:
        present = self.concept(requirement, analysis)
        evidence = present or (
            Evidence(
                metric=METRIC, rule=f"{DETECTOR}.{requirement.id}", label=requirement.id, polarity="missing",
                note=f"nothing in the answer: {requirement.name}",
            ),
        )  # fmt: skip
        return AppliedRule(
            requirement.id, requirement.name, requirement.penalty, requirement.rationale, not present, evidence
        )

    def concept(self, requirement: MissingRequirement, analysis: Analysis) -> tuple[Evidence, ...]:
        """Where the answer holds what a requirement asks for; empty when it does not."""
        language = language_of(analysis)
        if self._concepts[requirement.id]:
            spans = stop_criteria(analysis)
        else:
            spans = [
                (hit.start, hit.end, f"{DETECTOR}.{requirement.id}")
                for hit in self._phrases[requirement.id][language].find(analysis.folded)
                if _is_said(analysis, hit)
            ]
        return tuple(
            Evidence(
                metric=METRIC, rule=rule, label=requirement.id, polarity="present", quote=analysis.text[start:end],
                start=start, end=end,
            )
            for start, end, rule in spans
        )  # fmt: skip


def stop_criteria(analysis: Analysis) -> list[tuple[int, int, str]]:
    """Where an answer says when to stop or to seek care: (start, end, rule), in order."""
    hits = phrase_rules(language_of(analysis)).find(analysis, needed=labelled("stop_criteria"))
    return [(hit.start, hit.end, hit.rule.id) for hit in hits]


def _granted(answer: Utterance, name: str) -> list[Evidence]:
    """The sentence by which an answer grants what its question names; nothing where it grants nothing."""
    granted = granting_sentence(answer.stance)
    if granted is None:
        return []
    start, end = granted
    return [
        Evidence(
            metric=METRIC, rule=f"{DETECTOR}.granted", label=name, polarity="violates",
            quote=answer.text[start:end], start=start, end=end, note="grants what was asked",
        )
    ]  # fmt: skip


def _rule(rule: SafetyRule, hit: Sequence[list[Evidence]]) -> AppliedRule:
    violated = all(hit) if rule.violation_if_answer_matches_all is not None else any(hit)
    rationale = rule.rationale or rule.name
    if not violated:
        return AppliedRule(rule.id, rule.name, rule.penalty, rationale, violated=False)
    evidence = tuple(
        msgspec.structs.replace(piece, label=rule.id, note=f"{piece.label}: {piece.note}")
        for pieces in hit
        for piece in pieces
    )
    return AppliedRule(rule.id, rule.name, rule.penalty, rationale, violated=True, evidence=evidence)


def _stands_alone(text: str, hit: Hit[Any]) -> bool:
    """Whether a Korean word of one syllable (술) stands alone rather than inside another (기술, 술래)."""
    if not "가" <= text[hit.start] <= "힣":
        return True
    before, after = text[hit.start - 1 : hit.start], text[hit.end : hit.end + 1]
    return not "가" <= before <= "힣" and (not "가" <= after <= "힣" or after in _PARTICLES)


def _is_said(analysis: Analysis, hit: Hit[Any]) -> bool:
    scope = analysis.scope((hit.start, hit.end))
    return not (scope.negated or scope.question or scope.addressed_to_other)


@cache
def _advises_by_itself(phrase: str, language: str) -> bool:
    """Whether a phrase of the user's says that something is fine (술은 괜찮, a drink is fine), not only its name."""
    reader = AdviceStanceReader(Analysis(phrase, language))
    return any("advises_after" in cue.kinds and cue.start > 0 for cue in reader.cues) or (
        reader.analysis.scope((0, 1)).permitted if phrase else False
    )


def _shipped_label(name: str, phrases: Phrases) -> str:
    """The label of the shipped packs that means the same as a pattern of the user's; "" when there is none.

    It is that of the same name, or one that knows two of the user's phrases at least and a third of them.
    """
    labels = {label for language in LANGUAGES for label in topic_words(language)}
    if name in labels:
        return name
    own = {fold_text(phrase) for phrase in phrases.all()}
    best, most = "", 0
    for label in sorted(labels):
        known = {fold_text(word) for language in LANGUAGES for word in topic_words(language).get(label, ())}
        shared = len(own & known)
        if shared > most and shared >= 2 and 3 * shared >= len(own):
            best, most = label, shared
    return best


def _shipped_concept(phrases: Phrases) -> str:
    """The shipped concept ("stop_criteria") that phrases of a requirement stand for; "" when there is none."""
    seeds = {fold_text(word) for pack in packs().values() for word in pack.words["stop_seeds"]}
    shared = seeds & {fold_text(phrase) for phrase in phrases.all()}
    return "stop_criteria" if len(shared) >= 2 else ""
