"""The request for verdicts: every query of a case in one, each text and statement written once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from turnmark.judges.llm.claims import FailedClaim
from turnmark.judges.llm.prompts import Language, filled, language_of, prompt
from turnmark.judges.llm.quotes import located
from turnmark.llm.fencing import data_block
from turnmark.llm.items import ItemReader, entries_schema
from turnmark.llm.protocol import ChatRequest, Message
from turnmark.schemas.judging.judgement import Claim, Label, Query, Relation, Verdict

FIELD = "verdicts"

LABELS: Mapping[Relation, Mapping[str, tuple[Label, float]]] = {
    "support": {"supported": ("supported", 1.0), "contradicted": ("contradicted", 0.0),
                "undetermined": ("undetermined", 0.0)},
    "conflict": {"contradicted": ("contradicted", 1.0), "undetermined": ("undetermined", 0.0)},
    "agreement": {"supported": ("supported", 1.0), "contradicted": ("contradicted", 0.0),
                  "undetermined": ("undetermined", 0.0)},
    "relevance": {"relevant": ("relevant", 1.0), "irrelevant": ("irrelevant", 0.0)},
    "directness": {"direct": ("relevant", 1.0), "related": ("relevant", 0.6), "unrelated": ("irrelevant", 0.0)},
    "sameness": {"supported": ("supported", 1.0), "undetermined": ("undetermined", 0.0)},
}  # fmt: skip
"""What a model may say in each relation, the label that it becomes, and its probability (degree, for directness)."""

SCHEMA = entries_schema(
    "verdicts",
    FIELD,
    {
        "id": {"type": "string"},
        "reason": {"type": "string"},
        "text": {"type": "string"},
        "quote": {"type": "string"},
        "label": {"type": "string", "enum": sorted({label for labels in LABELS.values() for label in labels})},
    },
)

_TOKENS_AN_ITEM = 60
_WHOLE_TEXTS: frozenset[Relation] = frozenset({"relevance", "sameness"})
"""Relations whose claims are whole texts."""
_WITHOUT_MATERIAL: frozenset[Relation] = frozenset({"relevance", "directness"})
_LONGEST_REASON = 300


class _Item(NamedTuple):
    """One verdict to be had: of which query and claim, and the names of claim and texts in the request."""

    query: int
    claim: int
    name: str
    texts: tuple[str, ...]


class VerdictsRequest:
    """The queries of a case, or of several, as checks; ids are ``check.item``, such as ``1.S2`` or ``3.T1``.

    Where their questions differ, each check names its own.

    ``settled`` are verdicts that need no model: claims that were not obtained, and claims without any material.
    """

    def __init__(self, queries: Sequence[Query]) -> None:
        self._queries = queries
        self._texts: dict[str, str] = {}
        self._statements: dict[str, str] = {}
        self._items: dict[str, _Item] = {}
        self.settled: dict[tuple[int, int], Verdict] = {}
        for number, query in enumerate(queries):
            self._add(number, query)
        asked = dict.fromkeys(query.question for query in queries if query.question)
        self._questions = {text: f"Q{number}" for number, text in enumerate(asked, 1)}
        self._question = next(iter(asked), "")
        first = queries[0] if queries else None
        self.language: Language = language_of(first.language, self._question) if first else "en"
        self.reader = ItemReader(FIELD, self._read)

    @property
    def ids(self) -> list[str]:
        """The ids of all verdicts to be had."""
        return list(self._items)

    def request(self, ids: Sequence[str], variation: int = 0) -> ChatRequest:
        """A request for some of the verdicts, with the texts that they need and no others."""
        checks: dict[int, dict[str, Any]] = {}
        used: set[str] = set()
        for name in ids:
            item = self._items[name]
            check = checks.setdefault(item.query, self._check(item))
            check["items"].append(item.name)
            used.update((item.name, *item.texts))
        relations = dict.fromkeys(check["relation"] for check in checks.values())
        parts = [prompt(relation, self.language) for relation in relations]
        if self._several:
            parts.append(prompt("several", self.language))
        words = "\n".join(parts)
        data = {
            **self._asked(checks),
            "texts": {name: text for name, text in _named(self._texts).items() if name in used},
            "statements": {name: text for name, text in _named(self._statements).items() if name in used},
            "checks": list(checks.values()),
        }
        return ChatRequest(
            messages=(
                Message("system", filled("verdicts", self.language, relations=words)),
                Message("user", data_block(data)),
            ),
            answer_schema=SCHEMA,
            variation=variation,
            output_tokens=_TOKENS_AN_ITEM * len(ids),
        )

    @property
    def _several(self) -> bool:
        """Whether the queries belong to different questions."""
        return len(self._questions) > 1

    def _check(self, item: _Item) -> dict[str, Any]:
        query = self._queries[item.query]
        own = {"question": self._questions[query.question]} if self._several and query.question else {}
        return {
            "check": str(item.query + 1), "relation": query.relation, **own, "items": [], "texts": list(item.texts)
        }  # fmt: skip

    def _asked(self, checks: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
        """The one question, or those of the checks by name."""
        if not self._several:
            return {"question": self._question}
        used = {check.get("question") for check in checks.values()}
        return {"questions": {name: text for text, name in self._questions.items() if name in used}}

    def _add(self, number: int, query: Query) -> None:
        texts = tuple(self._text(text) for text in query.material)
        for index, claim in enumerate(query.claims):
            if isinstance(claim, FailedClaim):
                self.settled[number, index] = Verdict(label="failed", reason=claim.failure)
            elif query.relation not in _WITHOUT_MATERIAL and not any(text.strip() for text in query.material):
                self.settled[number, index] = Verdict(label="undetermined", probability=0.0, reason="no material")
            else:
                name = self._text(claim.text) if query.relation in _WHOLE_TEXTS else self._statement(claim.text)
                self._items.setdefault(f"{number + 1}.{name}", _Item(number, index, name, texts))

    def _text(self, text: str) -> str:
        return self._texts.setdefault(text, f"T{len(self._texts) + 1}")

    def _statement(self, text: str) -> str:
        return self._statements.setdefault(text, f"S{len(self._statements) + 1}")

    def same(self, name: str) -> list[tuple[int, int]]:
        """Every place that an id stands for: a query may hold one claim twice."""
        item = self._items[name]
        query = self._queries[item.query]
        text = query.claims[item.claim].text
        return [
            (item.query, index)
            for index, claim in enumerate(query.claims)
            if claim.text == text and not isinstance(claim, FailedClaim)
        ]

    def _read(self, name: str, entry: Mapping[str, Any]) -> Verdict | None:
        item = self._items[name]
        query = self._queries[item.query]
        said = LABELS[query.relation].get(str(entry.get("label", "")).strip().lower())
        if said is None:
            return None
        label, probability = said
        reason = " ".join(str(entry.get("reason") or "").split())[:_LONGEST_REASON]
        quote = entry.get("quote")
        result = self._quote(item, query, quote, str(entry.get("text") or "")) if isinstance(quote, str) else None
        material, start, end, words = result or (None, 0, 0, "")
        return Verdict(
            label=label, probability=probability, quote=words, material=material, start=start, end=end, reason=reason
        )

    def _quote(self, item: _Item, query: Query, quote: str, named: str) -> tuple[int | None, int, int, str] | None:
        """Material, start, end and words of a quote; None for one that stands in none of the texts of the check."""
        if query.relation == "relevance":
            claim: Claim = query.claims[item.claim]
            span = located(quote, claim.text)
            return (None, *span, claim.text[slice(*span)]) if span else None
        order = sorted(range(len(item.texts)), key=lambda place: item.texts[place] != named)
        for place in order:
            text = query.material[place]
            span = located(quote, text)
            if span:
                return (place, *span, text[slice(*span)])
        return None


def _named(by_text: Mapping[str, str]) -> dict[str, str]:
    return {name: text for text, name in by_text.items()}
