"""The request for a review: an answer to a patient as numbered sentences, and the safety rules that apply.

One call asks for everything: of each sentence what it states of the patient, and of each rule whether the answer breaks
it. Every sentence and every rule has an id, so that what a model leaves out is seen and asked for again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, get_args

import msgspec

from turnmark.judges.llm.claims import sentence_spans
from turnmark.judges.llm.prompts import Language, filled, language_of, prompt
from turnmark.judges.llm.quotes import located
from turnmark.language.text.fold import fold_text
from turnmark.llm.fencing import data_block
from turnmark.llm.items import Answered, ItemReader, entries_schema
from turnmark.llm.protocol import ChatRequest, Message
from turnmark.schemas.judging.review import (
    FactKind,
    Known,
    Review,
    ReviewedFact,
    ReviewedRule,
    ReviewQuestion,
    RuleLabel,
)

FIELD = "entries"
KINDS: tuple[str, ...] = get_args(FactKind)
KNOWN: tuple[str, ...] = get_args(Known)
LABELS: tuple[RuleLabel, ...] = ("violated", "kept")
NO_LABEL = "none"
"""What stands in ``label`` of a sentence."""

_FACT = {
    "kind": {"type": "string", "enum": list(KINDS)},
    "value": {"type": "string"},
    "quote": {"type": "string"},
    "of_patient": {"type": "boolean"},
    "record": {"type": "string", "enum": list(KNOWN)},
    "told": {"type": "string", "enum": list(KNOWN)},
}
SCHEMA = entries_schema(
    "review",
    FIELD,
    {
        "id": {"type": "string"},
        "facts": {
            "type": "array",
            "items": {"type": "object", "additionalProperties": False, "required": list(_FACT), "properties": _FACT},
        },
        "reason": {"type": "string"},
        "quote": {"type": "string"},
        "label": {"type": "string", "enum": [*LABELS, NO_LABEL]},
    },
)
_TOKENS_AN_ITEM = 70
_LONGEST_REASON = 300
_LONGEST_VALUE = 200

Entry = tuple[ReviewedFact, ...] | ReviewedRule
Read = Answered[Entry]


class _Span(NamedTuple):
    start: int
    end: int


class ReviewRequest:
    """One answer to be reviewed; ids are ``S1``, ``S2`` … of sentences and ``R1``, ``R2`` … of rules."""

    def __init__(self, question: ReviewQuestion) -> None:
        self._question = question
        spans = sentence_spans(question.answer) if question.facts else []
        self._sentences = {f"S{number}": _Span(*span) for number, span in enumerate(spans, 1)}
        self._rules = {f"R{number}": rule for number, rule in enumerate(question.rules, 1)}
        self.language: Language = language_of(question.language, question.answer)
        self.reader: ItemReader[Entry] = ItemReader(FIELD, self._read)

    @property
    def ids(self) -> list[str]:
        """Sentences first, then rules."""
        return [*self._sentences, *self._rules]

    def request(self, ids: Sequence[str], variation: int = 0) -> ChatRequest:
        """A request for some of the ids; the answer is shown whole."""
        asked, rules = self._question, {name: self._rules[name] for name in ids if name in self._rules}
        wanted = [name for name in ids if name in self._sentences]
        tasks = [name for name, some in (("facts", wanted), ("safety", rules)) if some]
        data: dict[str, Any] = {
            "record": asked.record,
            "told_before": list(asked.told),
            "question": asked.question,
        }
        if self._sentences:
            data["sentences"] = {
                name: asked.answer[span.start : span.end] for name, span in self._sentences.items()
            }  # fmt: skip
        else:
            data["answer"] = asked.answer
        if rules:
            data["rules"] = {
                name: {
                    "name": rule.name, "why": rule.rationale, "kind": rule.kind, "all": rule.all,
                    "things": [list(thing) for thing in rule.things],
                }
                for name, rule in rules.items()
            }  # fmt: skip
        data["answer_only"] = list(ids)
        words = "\n".join(prompt(task, self.language) for task in tasks)
        return ChatRequest(
            messages=(
                Message("system", filled("review", self.language, tasks=words)),
                Message("user", data_block(data)),
            ),
            answer_schema=SCHEMA,
            variation=variation,
            output_tokens=_TOKENS_AN_ITEM * len(ids),
        )

    def review(self, rounds: Sequence[Read]) -> Review:
        """What the rounds say together: facts and labels that most of them have."""
        return Review(
            facts=_agreed([_facts(read, self._sentences) for read in rounds if not _lost(read, self._sentences)]),
            lost=_all_lost(rounds, self._sentences),
            rules=[self._rule(name, rounds) for name in self._rules],
        )

    def _rule(self, name: str, rounds: Sequence[Read]) -> ReviewedRule:
        said = [entry for read in rounds if isinstance(entry := read.found.get(name), ReviewedRule)]
        if not said:
            return ReviewedRule(id=self._rules[name].id, label="failed", reason=rounds[0].failed.get(name, ""))
        counts = Counter(rule.label for rule in said)
        most = max(counts.values())
        # Evenly split: what was not seen by most is not held against the answer.
        label = next(label for label in ("kept", "violated") if counts[label] == most)
        spokesman = next(rule for rule in said if rule.label == label)
        if len(rounds) == 1:
            return spokesman
        return msgspec.structs.replace(spokesman, disagreement=round(1 - most / len(said), 6))

    def _read(self, name: str, entry: Mapping[str, Any]) -> Entry | None:
        return self._read_rule(name, entry) if name in self._rules else self._read_facts(name, entry)

    def _read_rule(self, name: str, entry: Mapping[str, Any]) -> ReviewedRule | None:
        """A verdict; None when it has no label, or says that a forbidden thing is advised and not where."""
        rule, answer = self._rules[name], self._question.answer
        label = str(entry.get("label", "")).strip().lower()
        if label not in LABELS:
            return None
        quote = entry.get("quote")
        span = located(quote, answer) if isinstance(quote, str) else None
        if span is None and label == "violated" and rule.kind == "forbids":
            return None
        start, end = span or (0, 0)
        return ReviewedRule(
            id=rule.id, label=label, quote=answer[start:end], start=start, end=end, reason=_reason(entry)
        )

    def _read_facts(self, name: str, entry: Mapping[str, Any]) -> tuple[ReviewedFact, ...] | None:
        listed = entry.get("facts")
        if not isinstance(listed, list):
            return None
        facts = [self._fact(self._sentences[name], item) for item in listed]
        return None if None in facts else tuple(fact for fact in facts if fact is not None)

    def _fact(self, sentence: _Span, said: Any) -> ReviewedFact | None:
        """A fact with its place in the sentence; None when anything about it is not as asked for."""
        if not isinstance(said, dict) or not isinstance(said.get("of_patient"), bool):
            return None
        kind, record, told = (str(said.get(field)).strip().lower() for field in ("kind", "record", "told"))
        value, quote = said.get("value"), said.get("quote")
        if kind not in KINDS or record not in KNOWN or told not in KNOWN:
            return None
        if not isinstance(value, str) or not 0 < len(value.strip()) <= _LONGEST_VALUE or not isinstance(quote, str):
            return None
        span = located(quote, self._question.answer[sentence.start : sentence.end])
        if span is None:
            return None
        start, end = sentence.start + span[0], sentence.start + span[1]
        return ReviewedFact(
            kind=kind,  # type: ignore[arg-type]
            value=" ".join(fold_text(value).split()),
            quote=self._question.answer[start:end],
            start=start,
            end=end,
            of_patient=said["of_patient"],
            record=record,  # type: ignore[arg-type]
            told=told,  # type: ignore[arg-type]
            reason=_reason(entry=said),
        )


def _reason(entry: Mapping[str, Any]) -> str:
    return " ".join(str(entry.get("reason") or "").split())[:_LONGEST_REASON]


def _lost(read: Read, sentences: Mapping[str, _Span]) -> str:
    """Why facts of some sentences are missing; "" when none is."""
    missing = [read.failed[name] for name in sentences if name in read.failed]
    return f"{len(missing)} of {len(sentences)} sentences were not judged: {missing[0]}" if missing else ""


def _all_lost(rounds: Sequence[Read], sentences: Mapping[str, _Span]) -> str:
    reasons = [_lost(read, sentences) for read in rounds]
    return reasons[0] if all(reasons) else ""


def _facts(read: Read, sentences: Mapping[str, _Span]) -> list[ReviewedFact]:
    entries = [read.found.get(name) for name in sentences]
    return sorted(
        dict.fromkeys(fact for entry in entries if isinstance(entry, tuple) for fact in entry),
        key=lambda fact: (fact.start, fact.end, fact.kind, fact.value),
    )


def _agreed(rounds: Sequence[list[ReviewedFact]]) -> list[ReviewedFact]:
    """The facts that more than half of the rounds have, in the words of the first that has them.

    Two rounds have the same fact where kind and words overlap; its labels are those that most of them give.
    """
    if len(rounds) <= 1:
        return [fact for result in rounds for fact in result]
    agreed: list[ReviewedFact] = []
    for result in rounds:
        for fact in result:
            if any(_same(fact, other) for other in agreed):
                continue
            same = [match for other in rounds if (match := next((item for item in other if _same(fact, item)), None))]
            if 2 * len(same) > len(rounds):
                agreed.append(
                    msgspec.structs.replace(
                        fact,
                        of_patient=2 * sum(item.of_patient for item in same) > len(same),
                        record=_most([item.record for item in same]),
                        told=_most([item.told for item in same]),
                    )
                )
    return sorted(agreed, key=lambda fact: (fact.start, fact.end, fact.kind, fact.value))


def _same(one: ReviewedFact, other: ReviewedFact) -> bool:
    return one.kind == other.kind and one.start < other.end and other.start < one.end


def _most(said: Sequence[Known]) -> Known:
    """What most say; evenly split, the first of silent, agrees, contradicts."""
    order: tuple[Known, ...] = ("silent", "agrees", "contradicts")
    return max(order, key=lambda label: (said.count(label), -order.index(label)))
