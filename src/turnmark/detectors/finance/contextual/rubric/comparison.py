"""Comparisons by structure: tables whose columns or rows are options, statements that give the same dimensions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from turnmark.language.analysis import Analysis
from turnmark.language.later import later
from turnmark.language.text.segment import Block, Sentence

# A statement longer than this speaks of more than one option's traits.
_LONGEST = 160
# So far into a statement stands the option that it opens on; English puts articles and adjectives before it.
_OPENING = {"en": 24}
_OPENING_ELSEWHERE = 8
_DIGIT = re.compile("[0-9]")
_PART = re.compile(r"[;,]")
# What a clause opens on is likened to the option before it: 跟存款一样安全.
_LIKENED = re.compile(r"[跟和像与同如](?!业存单)")
_MARKS = re.compile(r"[\s*_\"'-]*")
# What stands before the colon of a list item names an option, unless it names a part of the argument.
_LABEL = re.compile(
    r"(?![^:]*(?:理由|注意|逻辑|作用|特点|调整|关注|说明|建议|原因|依据|风险|提示|结论|来源|性质|方式|定义|做法|思路|机制|现状|表现|应对|建议|问题))[^:]{1,14}:"
)

Words = Mapping[str, Sequence[str]]


class ComparisonMatch(NamedTuple):
    """A comparison: the span that shows it (original text) and the rule by which it is one."""

    rule: str
    start: int
    end: int


class _Statement(NamedTuple):
    """Part of a sentence (original offsets), the option it opens on ("" for none) and the dimensions it names."""

    start: int
    end: int
    kind: str
    option: str
    dimensions: frozenset[str]


class ComparisonReader:
    """Finds comparisons; the words by which heads, options and dimensions are known come from the pack."""

    def __init__(self, words: Words, language: str) -> None:
        self._rubric = f"{language}.rubric"
        self._options = frozenset(words.get("option_head", ()))
        self._aspects = frozenset((*words.get("aspect_head", ()), ""))
        self._evaluative = _any(words.get("evaluative", ()))
        self._share = _any(words.get("share_head", ()))
        self._holding = _any(words.get("holding", ()))
        self._solo = _any(words.get("solo_head", ()))
        self._option = _any(words.get("option", ()))
        self._group = {word: name for name, listed in words.items() if name.startswith("dim_") for word in listed}
        self._dimension = _any(tuple(self._group))
        self._aspect_label = later(rf"[*_ ]*({_any(words.get('aspect_label', ())).pattern})[*_ ]*:")

    def find(self, analysis: Analysis) -> list[ComparisonMatch]:
        """The comparisons that tables make; else those of lists, else those of parallel clauses."""
        return self.tables(analysis) or self._sections(analysis) or self._parallels(analysis)

    def tables(self, analysis: Analysis) -> list[ComparisonMatch]:
        """Tables that set options side by side, as columns or as rows."""
        if "|" not in analysis.folded.text:
            return []
        results = []
        for header, rows in _tables(analysis):
            heads = [_folded(analysis, cell) for cell in header]
            if len(rows) > 1 and self._compares(heads):
                results.append(
                    ComparisonMatch(f"{self._rubric}.comparison.table", header[0].content_start, header[-1].content_end)
                )
        return results

    def allocations(self, analysis: Analysis) -> list[ComparisonMatch]:
        """Tables that divide money: a column of amounts or shares beside names of holdings."""
        if "|" not in analysis.folded.text:
            return []
        results = []
        for header, rows in _tables(analysis):
            amounts = [number for number, cell in enumerate(header) if self._share.search(_folded(analysis, cell))]
            divided = [
                row for row in rows
                if self._holding.search(_folded(analysis, row[0]))
                and any(0 < number < len(row) and _DIGIT.search(_folded(analysis, row[number])) for number in amounts)
            ]  # fmt: skip
            if len(divided) > 1:
                results.append(
                    ComparisonMatch(
                        f"{self._rubric}.steps.table", divided[0][0].content_start, divided[-1][-1].content_end
                    )
                )
        return results

    def _sections(self, analysis: Analysis) -> list[ComparisonMatch]:
        """Items that give several options under the same labels: 流动性: …, 风险: … of one, then of the next."""
        text, seen = analysis.folded.text, dict[str, list[Sentence]]()
        for sentence in analysis.sentences:
            if sentence.kind == "list_item":
                start, end = analysis.folded.from_original(sentence.start, sentence.end)
                if match := self._aspect_label.match(text, start, end):
                    seen.setdefault(match[1], []).append(sentence)
        often = [places for places in seen.values() if len(places) > 1]
        # Risks alone are listed of one thing as well.
        if len(often) > 1 or any(len(places) > 2 for label, places in seen.items() if label != "风险"):
            return [
                ComparisonMatch(f"{self._rubric}.comparison.sections", index.start, index.end) for index in often[0][:2]
            ]
        return []

    def _compares(self, heads: Sequence[str]) -> bool:
        if len(heads) < 3:
            return False
        first, others = heads[0], heads[1:]
        if first in self._aspects:
            return sum(not self._solo.search(head) for head in others) > 1
        return first in self._options and any(self._evaluative.search(head) for head in others)

    def _parallels(self, analysis: Analysis) -> list[ComparisonMatch]:
        """Neighbouring statements that place different options on the same dimensions."""
        results = []
        previous: _Statement | None = None
        for sentence in analysis.sentences:
            if sentence.kind in ("table_cell", "heading", "code"):
                previous = None
                continue
            for statement in self._statements(analysis, sentence):
                if (
                    previous is not None
                    and previous.kind == statement.kind
                    and _compared(previous, statement, sentence)
                ):
                    results.append(
                        ComparisonMatch(f"{self._rubric}.comparison.parallel", previous.start, statement.end)
                    )
                previous = statement
        return results

    def _statements(self, analysis: Analysis, sentence: Sentence) -> list[_Statement]:
        """The parts of a sentence, each from where it opens on an option to where the next one opens."""
        text, folded = analysis.folded.text, analysis.folded
        start, end = folded.from_original(sentence.start, sentence.end)
        reach = _OPENING.get(analysis.language, _OPENING_ELSEWHERE)
        if end - start > _LONGEST:
            return [_Statement(sentence.start, sentence.end, sentence.kind, "", frozenset())]
        parts: list[tuple[int, int, str]] = []
        position = start
        for cut in (*(match.end() for match in _PART.finditer(text, start, end)), end):
            option = self._opening(text, position, cut, sentence.kind, reach)
            if parts and (not option or option == parts[-1][2]):
                parts[-1] = parts[-1][0], cut, parts[-1][2]
            else:
                parts.append((position, cut, option))
            position = cut
        return [
            _Statement(
                *folded.to_original(first, last), sentence.kind, option,
                frozenset(self._group[word] for word in self._dimension.findall(text, first, last) if option),
            )
            for first, last, option in parts
        ]  # fmt: skip

    def _opening(self, text: str, start: int, end: int, kind: str, reach: int) -> str:
        if match := _MARKS.match(text, start):
            start = match.end()
        if kind == "list_item" and (label := _LABEL.match(text, start, end)):
            return label.group()
        if _LIKENED.match(text, start):
            return ""
        option = self._option.search(text, start, min(end, start + reach))
        return option.group() if option else ""


def _compared(one: _Statement, other: _Statement, sentence: Sentence) -> bool:
    differ = bool(one.option and other.option) and one.option != other.option
    # One dimension is enough within a sentence of prose; items of a list share a word easily.
    together = one.start >= sentence.start and sentence.kind != "list_item"
    return differ and len(one.dimensions & other.dimensions) >= (1 if together else 2)


def _any(words: Sequence[str]) -> re.Pattern[str]:
    """Any of the words; one in ASCII letters stands alone (``one`` is not found in ``money``)."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return later("|".join(map(_alone, ordered)) or r"(?!)")


def _alone(word: str) -> str:
    escaped = re.escape(word)
    if word[:1].isascii() and word[:1].isalnum():
        escaped = "(?<![a-z0-9])" + escaped
    if word[-1:].isascii() and word[-1:].isalnum():
        escaped += "(?![a-z0-9])"
    return escaped


class _Table(NamedTuple):
    """The cells of a table: its header and its rows."""

    header: list[Block]
    rows: list[list[Block]]


def _tables(analysis: Analysis) -> list[_Table]:
    tables: list[_Table] = []
    header: list[Block] = []
    rows: list[list[Block]] = []
    inside = False
    for block in (*analysis.segments.blocks, None):
        kind = block.kind if block is not None else ""
        if kind == "table_rule" and header and not inside:
            inside = True
        elif kind == "table_cell" and block is not None:
            if not inside:
                header.append(block)
            elif block.row_header is None:
                rows.append([block])
            else:
                rows[-1].append(block)
        elif kind != "table_rule":
            if inside:
                tables.append(_Table(header, rows))
            header, rows, inside = [], [], False
    return tables


def _folded(analysis: Analysis, cell: Block) -> str:
    """What stands in a cell, folded."""
    return analysis.folded.text[slice(*analysis.folded.from_original(cell.content_start, cell.content_end))].strip("* ")
