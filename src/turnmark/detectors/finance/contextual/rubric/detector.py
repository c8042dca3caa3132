"""Elements of explanation in a reply: grounds, both sides, the user's profile, a comparison, steps, limits.

Words are data (``packs/finance/rubric.*.yaml``, one pack a language); this module knows what the polarities of their
rules add up to, and reads tables and lists, where an element is a matter of structure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from turnmark.detectors.finance.contextual.rubric.comparison import ComparisonMatch, ComparisonReader
from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.rules import RuleHit, RuleSet, shared_words
from turnmark.language.analysis import Analysis
from turnmark.language.computed import ByName
from turnmark.language.match.anchors import Anchors
from turnmark.language.text.segment import Clause
from turnmark.packs.rules import Rule, RulePack
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.labels.finance import RUBRIC_ELEMENTS

# So many clauses tell the user to do something definite; Chinese verbs of acting are told from others less surely.
_ACTIONS = {"ko": 1, "en": 1}
_MOST_ACTIONS = 2
_DIGIT = re.compile("[0-9０-９]")
_METRIC = "m5_explainability"
_COMPARISON, _GROUNDS, _STEPS = "方案比较维度", "信息依据", "可执行步骤"
_FIGURES = ".comparison.figures"


class RubricDetector:
    """Finds the rubric elements that a reply really has."""

    def __init__(self, packs: Iterable[RulePack], anchors: Mapping[str, Anchors] | None = None) -> None:
        """Compile the packs; ``anchors`` are shared with other detectors, by language."""
        of_language: dict[str, list[RulePack]] = {}
        for pack in packs:
            of_language.setdefault(pack.language, []).append(pack)
        self._rules = {
            language: RuleSet(chosen, None if anchors is None else anchors[language])
            for language, chosen in of_language.items()
        }
        self._comparisons = ByName(
            of_language, lambda language: ComparisonReader(shared_words(of_language[language]), language)
        )

    def detect(self, reading: Reading, required: Sequence[str] | None = None) -> list[Evidence]:
        """Evidence for each element, in the order of ``required`` (all six when None), then of the text."""
        wanted = tuple(dict.fromkeys(RUBRIC_ELEMENTS if required is None else required))
        language = reading.analysis.language
        languages = [language] if language in self._rules else list(self._rules)
        readers = [(self._rules[each], self._comparisons[each]) for each in languages]
        hits_of: dict[str, list[Evidence]] = {}
        user = reading.user_analysis if reading.user_text else None
        tally = _Tally(wanted, reading.analysis)
        for rules, _ in readers:
            for hit in rules.find(reading.analysis, user=user, needed=tally.needs):
                hits_of.setdefault(hit.rule.label, []).append(_evidence(hit, reading.reply))
        evidence: list[Evidence] = []
        for element in wanted:
            if element not in RUBRIC_ELEMENTS:
                evidence += hits_of.get(element) or _own_words(element, reading.reply)  # a user's pack may know it
                continue
            hits = hits_of.get(element, [])
            if element == _COMPARISON and not hits:
                hits = [_found(result, element, reading.reply) for result in _compared(readers, reading.analysis)]
            elif element == _GROUNDS and not hits:
                # Figures of two options side by side are data.
                compared = _compared(readers, reading.analysis) if _DIGIT.search(reading.reply) else []
                hits = [_found(result, element, reading.reply) for result in compared]
                hits += [hit for hit in hits_of.get(_COMPARISON, []) if hit.rule.endswith(_FIGURES)]
            enough = _enough(hits, reading.analysis)
            if element == _STEPS and not enough:
                divided = [result for _, reader in readers for result in reader.allocations(reading.analysis)]
                enough = [_found(result, element, reading.reply) for result in divided]
            evidence += enough
        return evidence


class _Tally:
    """What the rules have found so far: a rule is tried only while its element is wanted and open."""

    def __init__(self, wanted: Sequence[str], analysis: Analysis) -> None:
        self._analysis = analysis
        self._open = set(wanted)
        self._upside = False
        self._actions: set[Clause] = set()

    def needs(self, rule: Rule, hit: RuleHit | None) -> bool:
        """Whether another hit of the rule would add anything; takes note of a hit."""
        if hit is None:
            return rule.label in self._open and (rule.polarity != "downside" or self._upside)
        if rule.polarity == "upside":
            self._upside = True
            return False
        if rule.polarity == "action":
            self._actions.add(self._analysis.clause_at(hit.start))
            if len(self._actions) < _ACTIONS.get(self._analysis.language, _MOST_ACTIONS):
                return True
        self._open.discard(rule.label)
        return False


def _compared(readers: Iterable[tuple[RuleSet, ComparisonReader]], analysis: Analysis) -> list[ComparisonMatch]:
    return [item for _, comparisons in readers for item in comparisons.find(analysis)]


def _enough(hits: list[Evidence], analysis: Analysis) -> list[Evidence]:
    """The hits, when they add up to the element."""
    decisive = [hit for hit in hits if hit.polarity == "present"]
    if decisive:
        return decisive
    up = [hit for hit in hits if hit.polarity == "upside"]
    down = [hit for hit in hits if hit.polarity == "downside"]
    if up and down:
        return [up[0], down[0]]
    actions = [hit for hit in hits if hit.polarity == "action"]
    if len({analysis.clause_at(hit.start) for hit in actions}) >= _ACTIONS.get(analysis.language, _MOST_ACTIONS):
        return actions
    return []


def _evidence(hit: RuleHit, reply: str) -> Evidence:
    return Evidence(
        metric=_METRIC, rule=hit.rule.id, label=hit.rule.label, polarity=hit.rule.polarity, start=hit.start,
        end=hit.end, quote=reply[hit.start : hit.end],
    )  # fmt: skip


def _found(found: ComparisonMatch, element: str, reply: str) -> Evidence:
    return Evidence(
        metric=_METRIC, rule=found.rule, label=element, start=found.start, end=found.end,
        quote=reply[found.start : found.end],
    )  # fmt: skip


def _own_words(element: str, reply: str) -> list[Evidence]:
    start = reply.find(element) if element else -1
    if start < 0:
        return []
    return [
        Evidence(
            metric=_METRIC, rule="rubric.own_words", label=element, start=start, end=start + len(element), quote=element
        )
    ]
