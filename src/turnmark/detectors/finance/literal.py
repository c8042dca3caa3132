"""The ``literal`` detectors: keywords and substrings, the first published behaviour of this evaluation.

They are kept so that published figures can be had again, figure for figure. What they cannot tell apart (a negated
word from an asserted one, a drawdown from a yield) is the reason for the ``contextual`` set.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import ahocorasick_rs

from turnmark.detectors.finance.protocol import MemorySources, PredictedProfile, Reading, TrueProfile
from turnmark.packs.literal import LiteralPack
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.trace import ComplianceLabel, ComplianceTrace, DialogTrace, ProfileSnapshot
from turnmark.schemas.turn_eval import ResolvedKey

_DRAWDOWN_LIMIT = re.compile(r"最大回撤<\s*(\d{1,9})%")
_BEFORE_PERCENT = re.compile(r"(\d+)\s*\Z")
_NEAR = 32
_DRAWDOWN = "回撤"
_LONGEST_NUMBER = 4000
_EMPTY_SNAPSHOT = ProfileSnapshot()


class LiteralFinance:
    """Finance detectors by substring. ``version`` changes when any of their answers can change."""

    name = "literal"
    version = "1.0.0"
    unlabelled: ComplianceLabel | None = "compliant"
    silence_is_wrong = True
    apart = False

    def __init__(self, pack: LiteralPack, packs: dict[str, str]) -> None:
        self.packs = packs
        self._pack = pack
        self._tags = {alias: tag for tag, aliases in pack.risk_aliases.items() for alias in aliases}
        self._risk = [
            (f"literal.risk.{tag}", tag, _decisive(words)) for tag, words in sorted(pack.risk_keywords.items())
        ]
        self._rubric = {element: _decisive(words) for element, words in pack.rubric_keywords.items()}
        self._constraints = {constraint: _decisive(words) for constraint, words in pack.constraint_keywords.items()}
        lists = [*(words for _, _, words in self._risk), *self._rubric.values(), *self._constraints.values()]
        self._literals = sorted({_DRAWDOWN, *pack.guard_words, *(word for words in lists for word in words)} - {""})
        self._automaton = ahocorasick_rs.AhoCorasick(self._literals)
        self._severe_types = frozenset(pack.severe_types)
        self._severe_severities = frozenset(severity.lower() for severity in pack.severe_severities)

    def canonical_tag(self, required: str) -> str:
        """The canonical name of a required risk tag; an unknown tag in lower case."""
        return self._tags.get(required) or required.lower()

    def _found(self, reading: Reading) -> dict[str, int]:
        """Where each word of the pack stands first in the reply; one pass over the text for all of them."""
        return reading.once(self._first_places)

    def _first_places(self, reply: str) -> dict[str, int]:
        first: dict[str, int] = {}
        literals = self._literals
        for index, start, _ in self._automaton.find_matches_as_indexes(reply, overlapping=True):
            word = literals[index]
            if word not in first:
                first[word] = start
        return first

    def memory(self, key: ResolvedKey, sources: MemorySources) -> list[Evidence]:
        """Target text as a substring of each source; ``packed_context`` is no source."""
        target = key.target_text
        if not target:
            return []
        results = []
        start = sources.short_term.find(target)
        if start >= 0:
            results.append(_memory(key.key, sources.short_term_field, target, start))
        for index, content in enumerate(sources.long_term):
            start = content.find(target)
            if start >= 0:
                results.append(_memory(key.key, f"recall.items[{index}].content", target, start))
                break
        start = sources.profile.find(target)
        if start >= 0:
            results.append(_memory(key.key, "recall.profile_context", target, start))
        return results

    def unread(self, constraint: str) -> str | None:  # noqa: ARG002 - the first published runs told nothing of it
        """Nothing: the first published runs told nothing of constraints that no rule reads."""
        return None

    def is_limit(self, sentence: str) -> bool:  # noqa: ARG002 - as `unread`
        """Never: the first published runs told nothing of limits that only the chat holds."""
        return False

    def constraints(self, reading: Reading, constraints: Sequence[str]) -> list[Evidence]:
        """A drawdown limit below any whole percentage of the reply; a constraint's word without any guard word."""
        words = self._found(reading)
        results = []
        for constraint in constraints:
            limit = _drawdown_limit(constraint)
            if limit is not None and _DRAWDOWN in words:
                for quote, digits, start in _whole_percents(reading.reply):
                    if _above(digits, limit):
                        results.append(_breaks("literal.constraint.drawdown", constraint, quote, start))
                        break
            hit = _first(self._constraints.get(constraint, ()), words)
            if hit is not None and not any(word in words for word in self._pack.guard_words):
                results.append(_breaks("literal.constraint.keyword", constraint, *hit))
        return results

    def risk(self, reading: Reading, required: Sequence[str] = ()) -> list[Evidence]:  # noqa: ARG002 - keywords only
        """A tag for every keyword list with a word in the reply."""
        words = self._found(reading)
        results = []
        for rule, tag, keywords in self._risk:
            hit = _first(keywords, words)
            if hit is not None:
                results.append(_reply("m3_risk_coverage", rule, tag, "present", *hit))
        return results

    def compliance(
        self,
        reading: Reading,
        forbidden: Sequence[str],
        observed: ComplianceTrace | None,
        disclosed: Sequence[Evidence] | None = None,  # noqa: ARG002 - phrases and events alone decide
        limits: Sequence[Evidence] = (),  # noqa: ARG002 - as above
    ) -> list[Evidence]:
        """Forbidden phrases in the reply are severe; what the assistant's own check reported is severe or minor."""
        reply = reading.reply
        results = []
        for phrase in (*forbidden, *self._pack.forbidden_phrases):
            start = reply.find(phrase)
            if start >= 0:
                results.append(_reply("m4_compliance", "literal.compliance.forbidden", phrase, "severe", phrase, start))
        for index, violation in enumerate((observed.violations if observed else None) or ()):
            severe = (
                violation.type in self._severe_types or (violation.severity or "").lower() in self._severe_severities
            )
            text = violation.match if isinstance(violation.match, str) else (violation.type or "")
            field = "match" if isinstance(violation.match, str) else "type"
            results.append(
                Evidence(
                    metric="m4_compliance",
                    rule="literal.compliance.observed",
                    label=violation.type or "",
                    polarity="severe" if severe else "minor",
                    source=f"compliance.violations[{index}].{field}",
                    quote=text,
                    end=len(text),
                )
            )
        return results

    def events(self, observed: ComplianceTrace | None) -> None:
        """None: the label goes by words and events together."""

    def rubric(self, reading: Reading, required: Sequence[str]) -> list[Evidence]:
        """An element for every required element with a word in the reply; an unknown element is its own keyword."""
        words = self._found(reading)
        results = []
        for element in required:
            keywords = self._rubric.get(element)
            start = -1 if keywords else reading.reply.find(element)
            hit = _first(keywords, words) if keywords else (element, start) if start >= 0 else None
            if hit is not None:
                results.append(_reply("m5_explainability", "literal.rubric.keyword", element, "present", *hit))
        return results

    def keys_used(self, reading: Reading, keys: Sequence[ResolvedKey]) -> list[Evidence]:
        """Target text as a substring of the reply."""
        results = []
        for key in keys:
            start = reading.reply.find(key.target_text) if key.target_text else -1
            if start >= 0 and key.target_text:
                results.append(
                    _reply("m1b_reply_key_use", "literal.key_use.substring", key.key, "present", key.target_text, start)
                )
        return results

    def profile(self, dialog: DialogTrace) -> tuple[PredictedProfile, TrueProfile, list[Evidence]]:
        """Last snapshot first, words of all replies where it is silent; ground-truth entries quoted in any reply."""
        vocabulary = self._pack.profile
        truth = dialog.profile_gt
        snapshot = _EMPTY_SNAPSHOT
        for turn in dialog.turns or ():
            snapshot = turn.profile_snapshot or snapshot
        replies = [turn.pred_assistant_text or "" for turn in dialog.turns or ()]
        text = "\n".join(replies)
        constraints = list((truth.constraints_gt if truth else None) or ())
        preferences = list((truth.preferences_gt if truth else None) or ())
        evidence: list[Evidence] = []
        quoted = [entry for entry in dict.fromkeys((*constraints, *preferences)) if entry in text]
        evidence += [_in_replies("literal.profile.quoted", entry, entry, replies) for entry in quoted]
        values: list[str | None] = []
        for field, stated, spelling, fallback in (
            ("risk", snapshot.risk_level, vocabulary.risk, vocabulary.fallback_risk),
            ("horizon", snapshot.investment_horizon, vocabulary.horizon, vocabulary.fallback_horizon),
            ("liquidity", snapshot.liquidity_need, vocabulary.liquidity, vocabulary.fallback_liquidity),
        ):
            value = spelling.get(stated) if stated else None
            if value is None:
                value, word = _guess(fallback, text)
                if word:
                    evidence.append(_in_replies(f"literal.profile.fallback_{field}", word, value or "", replies))
            values.append(value)
        predicted = PredictedProfile(
            risk=values[0],
            horizon=values[1],
            liquidity=values[2],
            constraints=frozenset(snapshot.forbidden_assets or ()).union(c for c in constraints if c in text),
            preferences=frozenset(snapshot.preferred_topics or ()).union(p for p in preferences if p in text),
        )
        true = TrueProfile(
            risk=vocabulary.risk.get((truth and truth.risk_level_gt) or ""),
            horizon=vocabulary.horizon.get((truth and truth.horizon_gt) or ""),
            liquidity=vocabulary.liquidity.get((truth and truth.liquidity_need_gt) or ""),
            constraints=frozenset(constraints),
            preferences=frozenset(preferences),
        )
        return predicted, true, evidence


def _decisive(words: Sequence[str]) -> tuple[str, ...]:
    """The words that decide: one that holds another of the list can not be there without it."""
    kept = [word for word in words if not any(other != word and other in word for other in words)]
    return tuple(dict.fromkeys(kept))


def _first(keywords: Iterable[str], words: Mapping[str, int]) -> tuple[str, int] | None:
    for keyword in keywords:
        if keyword in words:
            return keyword, words[keyword]
    return None


def _guess(fallback: list[dict[str, list[str]]], text: str) -> tuple[str | None, str | None]:
    for rules in fallback:
        for value, words in rules.items():
            for word in words:
                if word in text:
                    return value, word
    return None, None


def _whole_percents(text: str) -> Iterator[tuple[str, str, int]]:
    """Every whole number directly before %, with its sign and its start; looks only around the signs."""
    end = text.find("%")
    while end >= 0:
        near = max(0, end - _NEAR)
        match = _BEFORE_PERCENT.search(text, near, end)
        if match and match.start() == near:  # the number may begin further left
            match = _BEFORE_PERCENT.search(text, 0, end)
        if match:
            yield text[match.start() : end + 1], match[1], match.start()
        end = text.find("%", end + 1)


def _above(digits: str, limit: int) -> bool:
    """Numbers of any length compare, also those that int() refuses to read."""
    return len(digits) > _LONGEST_NUMBER or int(digits) > limit


@functools.lru_cache(maxsize=4096)
def _drawdown_limit(constraint: str) -> int | None:
    match = _DRAWDOWN_LIMIT.match(constraint)
    return int(match[1]) if match else None


def _reply(metric: str, rule: str, label: str, polarity: str, quote: str, start: int) -> Evidence:
    return Evidence(
        metric=metric, rule=rule, label=label, polarity=polarity, quote=quote, start=start, end=start + len(quote)
    )


def _breaks(rule: str, constraint: str, quote: str, start: int) -> Evidence:
    return _reply("m1_context_continuity", rule, constraint, "violates", quote, start)


def _memory(key: str, source: str, quote: str, start: int) -> Evidence:
    return Evidence(
        metric="m1_context_continuity", rule="literal.memory.substring", label=key, source=source,
        quote=quote, start=start, end=start + len(quote),
    )  # fmt: skip


def _in_replies(rule: str, quote: str, label: str, replies: Sequence[str]) -> Evidence:
    """Evidence about the dialogue as a whole, pointing into the first reply that holds the words."""
    for index, reply in enumerate(replies):
        start = reply.find(quote)
        if start >= 0:
            return Evidence(
                metric="m2_profile_accuracy", rule=rule, label=label, source=f"turns[{index}].reply",
                quote=quote, start=start, end=start + len(quote),
            )  # fmt: skip
    joined = "\n".join(replies)
    start = joined.find(quote)
    return Evidence(
        metric="m2_profile_accuracy", rule=rule, label=label, source="replies", quote=quote, start=start,
        end=start + len(quote),
    )  # fmt: skip
