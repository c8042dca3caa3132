"""The request for claims: passages as numbered sentences, statements for each sentence back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from turnmark.judges.llm.prompts import Language, language_of, prompt
from turnmark.judges.protocol import Passage
from turnmark.language.text.segment import segment
from turnmark.llm.fencing import data_block
from turnmark.llm.items import Answered, ItemReader, entries_schema
from turnmark.llm.protocol import ChatRequest, Message
from turnmark.schemas.judging.judgement import Claim

FIELD = "sentences"

SCHEMA = entries_schema(
    "statements",
    FIELD,
    {"id": {"type": "string"}, "statements": {"type": "array", "items": {"type": "string"}}},
)

_TOKENS_AN_ITEM = 60
_NO_STATEMENT = frozenset({"heading", "code", "table_rule"})
_LONGEST_STATEMENT = 2000


class FailedClaim(Claim, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A sentence that the model did not take apart; ``failure`` says why. It is not judged but counted as failed."""

    failure: str


class _Sentence(NamedTuple):
    passage: int
    start: int
    end: int


class ClaimsRequest:
    """Passages with their sentences numbered ``passage.sentence``, both from 1."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._sentences: dict[str, _Sentence] = {}
        for index, passage in enumerate(passages):
            for number, (start, end) in enumerate(sentence_spans(passage.text), 1):
                self._sentences[f"{index + 1}.{number}"] = _Sentence(index, start, end)
        self.language: Language = language_of("", "".join(passage.text for passage in passages))
        self.reader = ItemReader(FIELD, self._read)

    @property
    def ids(self) -> list[str]:
        """The numbers of all sentences."""
        return list(self._sentences)

    def request(self, ids: Sequence[str]) -> ChatRequest:
        """A request for the statements of some sentences; the passages they stand in are shown whole."""
        shown = {self._sentences[name].passage for name in ids}
        texts: dict[str, Any] = {
            name: self._text(sentence) for name, sentence in self._sentences.items() if sentence.passage in shown
        }
        data: dict[str, Any] = {"sentences": texts}
        if len(ids) < len(texts):
            data["answer_only"] = list(ids)
        return ChatRequest(
            messages=(Message("system", prompt("claims", self.language)), Message("user", data_block(data))),
            answer_schema=SCHEMA,
            output_tokens=_TOKENS_AN_ITEM * len(ids),
        )

    def claims(self, answered: Answered[tuple[str, ...]]) -> list[list[Claim]]:
        """The claims of each passage, in the order of its sentences."""
        results: list[list[Claim]] = [[] for _ in self._passages]
        for name, sentence in self._sentences.items():
            passage = self._passages[sentence.passage]
            if name in answered.failed:
                failed = FailedClaim(
                    text=self._text(sentence), start=sentence.start, end=sentence.end, source=passage.source,
                    failure=answered.failed[name],
                )  # fmt: skip
                results[sentence.passage].append(failed)
            for statement in answered.found.get(name, ()):
                start, end = _span(passage.text, sentence, statement)
                results[sentence.passage].append(Claim(text=statement, start=start, end=end, source=passage.source))
        return results

    def _text(self, sentence: _Sentence) -> str:
        return self._passages[sentence.passage].text[sentence.start : sentence.end]

    @staticmethod
    def _read(_name: str, entry: Mapping[str, Any]) -> tuple[str, ...] | None:
        statements = entry.get("statements")
        if not isinstance(statements, list) or not all(isinstance(item, str) for item in statements):
            return None
        result = tuple(dict.fromkeys(item.strip() for item in statements if item.strip()))
        return result if all(len(item) <= _LONGEST_STATEMENT for item in result) else None


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences that may state something; a text without any is one."""
    segments = segment(text)
    spans = [
        (sentence.start, sentence.end)
        for sentence in segments.sentences
        if segments.blocks[sentence.block].kind not in _NO_STATEMENT and sentence.end > sentence.start
    ]
    return spans or ([(0, len(text))] if text.strip() else [])


def _span(text: str, sentence: _Sentence, statement: str) -> tuple[int, int]:
    """Where the statement stands word for word within its sentence; else the sentence."""
    start = text.find(statement.rstrip(".。"), sentence.start, sentence.end)
    return (start, start + len(statement.rstrip(".。"))) if start >= 0 else (sentence.start, sentence.end)
