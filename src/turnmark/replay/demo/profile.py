"""The profile memory of the demo adviser: what users say about themselves, field by field, in their own words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from turnmark.language.analysis import Analysis
from turnmark.language.quantity.quantity import Quantity
from turnmark.language.text.fold import fold_text
from turnmark.language.text.segment import Sentence
from turnmark.replay.demo.words import AdviserWords

_MONTHS = {"day": 1 / 30, "week": 0.25, "month": 1.0, "year": 12.0}
_HORIZONS = (("short", 6.0), ("medium", 24.0), ("long", float("inf")))
_QUANTITY_REACH = 24
"""Characters between a number and the word that says what it limits."""


class Profile(msgspec.Struct, kw_only=True):
    """What is known of a user. ``limits`` are percent by kind; ``avoided`` and ``liked`` are names of assets."""

    levels: dict[str, str] = {}
    limits: dict[str, float] = {}
    avoided: list[str] = []
    liked: list[str] = []

    def snapshot(self) -> dict[str, Any]:
        """The profile as a trace holds it."""
        loss = self.limits.get("drawdown")
        return {
            "risk_level": self.levels.get("risk_level"),
            "investment_horizon": self.levels.get("investment_horizon"),
            "liquidity_need": self.levels.get("liquidity_need"),
            "preferred_topics": list(self.liked),
            "forbidden_assets": list(self.avoided),
            "max_acceptable_loss": None if loss is None else loss / 100,
        }


class ProfileReader:
    """Updates a profile from what a user says. Questions, quotations, and what is said of others do not count."""

    def __init__(self, words: AdviserWords) -> None:
        self._words = words
        self._assets = [(name, _pattern([name, *also])) for name, also in words.assets.items()]
        self._levels = [
            (field, value, _pattern(held.words))
            for field, values in words.levels.items()
            for value, held in values.values.items()
        ]
        self._limits = [(name, _pattern(limit.words), limit.least) for name, limit in words.limits.items()]
        self._cues = _pattern(words.limit_cues)
        self._refusals = _pattern(words.refusals)
        self._likes = _pattern(words.likes)
        self._plans = _pattern(words.plans)
        self._not_plans = _pattern(words.not_plans)

    def read(self, text: str, profile: Profile) -> None:
        """Take over what the text says of the user; later words replace earlier ones of the same field."""
        analysis = Analysis(text, self._words.language)
        folded = analysis.folded.text
        for field, value, pattern in self._levels:
            if any(self._meant(analysis, match.span()) for match in pattern.finditer(folded)):
                profile.levels[field] = value
        for sentence in analysis.sentences:
            start, end = analysis.folded.from_original(sentence.start, sentence.end)
            spoken = folded[start:end]
            self._horizon(analysis, sentence, spoken, profile)
            self._percentages(analysis, sentence, spoken, start, profile)
        self._named_assets(analysis, folded, profile)

    def _meant(self, analysis: Analysis, span: tuple[int, int]) -> bool:
        """Whether a folded span is said by the user of the user."""
        scope = analysis.scope(analysis.folded.to_original(*span))
        return not (
            scope.question or scope.quoted or scope.addressed_to_other or scope.hypothetical or scope.negation == "near"
        )

    def _horizon(self, analysis: Analysis, sentence: Sentence, spoken: str, profile: Profile) -> None:
        if not self._plans.search(spoken):
            return
        for quantity in _within(analysis, sentence):
            months = _MONTHS.get(quantity.unit)
            before = analysis.folded.from_original(quantity.start, quantity.end)[0]
            near = analysis.folded.text[max(0, before - 4) : before + 14]
            if months is None or self._not_plans.search(near):
                continue
            length = quantity.high * months
            profile.levels["investment_horizon"] = next(name for name, most in _HORIZONS if length <= most)

    def _percentages(self, analysis: Analysis, sentence: Sentence, spoken: str, start: int, profile: Profile) -> None:
        """Numbers that limit something: a percentage, a word for what it limits near it, and a word for limiting."""
        for quantity in _within(analysis, sentence):
            if quantity.unit != "percent" or not 0 < quantity.high <= 100:
                continue
            at, behind = analysis.folded.from_original(quantity.start, quantity.end)
            if not (quantity.comparator or self._cues.search(spoken)):
                continue
            nearest = min(
                (
                    (min(abs(match.end() + start - at), abs(match.start() + start - behind)), name)
                    for name, pattern, least in self._limits
                    if least == (quantity.comparator == "at_least") or not quantity.comparator or least
                    for match in pattern.finditer(spoken)
                ),
                default=None,
            )
            if nearest is not None and nearest[0] <= _QUANTITY_REACH:
                profile.limits[nearest[1]] = quantity.high

    def _named_assets(self, analysis: Analysis, folded: str, profile: Profile) -> None:
        """Assets that the user refuses or likes, by the words in the same clause."""
        for name, pattern in self._assets:
            for match in pattern.finditer(folded):
                original = analysis.folded.to_original(*match.span())
                sentence = analysis.sentence_at(original[0])
                start, end = analysis.folded.from_original(sentence.start, sentence.end)
                clause = analysis.clause_at(original[0])
                near = folded[slice(*analysis.folded.from_original(clause.start, clause.end))]
                scope = analysis.scope(original)
                if scope.quoted or scope.addressed_to_other:
                    continue
                asked = clause.end == sentence.end and _asks(folded[start:end])
                if not asked and (self._refusals.search(near) or self._behind(folded, match.end(), end)):
                    _note(profile.avoided, name, profile.liked)
                elif self._likes.search(near):
                    _note(profile.liked, name, profile.avoided)

    def _behind(self, folded: str, start: int, end: int) -> bool:
        """Whether a refusal follows right behind, in the next clause (忽上忽下的策略，我一概不要)."""
        match = self._refusals.search(folded, start, min(end, start + 12))
        return match is not None and "，" in folded[start : match.start()] + "，"


class ShownProfile(NamedTuple):
    """A profile in words: levels as (label, value), limits as sentences, names of assets."""

    levels: tuple[tuple[str, str], ...] = ()
    limits: tuple[str, ...] = ()
    avoided: tuple[str, ...] = ()
    liked: tuple[str, ...] = ()

    def record(self, words: AdviserWords) -> str:
        """The profile as a record, one field a line; what is not known is left out."""
        lists = (("limits", self.limits), ("avoided", self.avoided), ("liked", self.liked))
        fields = [
            *self.levels,
            *((words.labels[name], words.sentences.joiner.join(values)) for name, values in lists if values),
        ]
        return "\n".join(f"{label}: {value}" for label, value in fields)


def shown_profile(profile: Profile, words: AdviserWords) -> ShownProfile:
    """The profile in the words of a language."""
    levels = []
    for name, field in words.levels.items():
        value = profile.levels.get(name)
        if value is not None:
            levels.append((field.label, field.values[value].shown))
    limits = [
        limit.shown.format(value=f"{profile.limits[name]:g}")
        for name, limit in words.limits.items()
        if name in profile.limits
    ]
    return ShownProfile(tuple(levels), tuple(limits), tuple(profile.avoided), tuple(profile.liked))


def _note(into: list[str], name: str, out_of: list[str]) -> None:
    if name in out_of:
        out_of.remove(name)
    if name not in into:
        into.append(name)


def _asks(sentence: str) -> bool:
    return sentence.rstrip().endswith(("?", "？"))


def _within(analysis: Analysis, sentence: Sentence) -> Iterator[Quantity]:
    for quantity in analysis.quantities:
        if sentence.start <= quantity.start < sentence.end and quantity.kind == "amount":
            yield quantity


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    """Any of the words, folded; Latin ones only as whole words, or with a plural ending."""
    folded = sorted({fold_text(word) for word in words}, key=lambda word: (-len(word), word))
    parts = [
        rf"(?<![a-z]){re.escape(word)}(?:s|es)?(?![a-z])" if word.isascii() and word[:1].isalpha() else re.escape(word)
        for word in folded
    ]
    return re.compile("|".join(parts))
