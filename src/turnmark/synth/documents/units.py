"""Documents to units, by headings, blocks and sentences; and the lines of each unit that facts are read from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from markdown_it import MarkdownIt

from turnmark.language.script import detect_language
from turnmark.language.text.fold import fold
from turnmark.language.text.segment import Block, Segments, segment
from turnmark.synth.documents.model import Document, Unit

_MOST = {"en": 1200}
_MOST_DENSE = 450
"""Characters of a unit: about as much as fits into one passage of a search index."""
_MARKUP = re.compile(r"[*_`\[\]<>&\\]")
_NUMBERING = re.compile(
    r"^(?:第?[0-9一二三四五六七八九十]{1,3}[章节条部장절조]\s*|[0-9]{1,2}(?:\.[0-9]{1,2})*[.)、]?\s+"
    r"|[一二三四五六七八九十]{1,3}、\s*|[(（][0-9一二三四五六七八九十]{1,3}[)）]\s*"
    r"|(?:chapter|section|part) [0-9ivx]+[.:]?\s*)",
    re.IGNORECASE,
)
_STOPS = tuple(".。!！?？:：;；,，、…|")
_HEADING_MOST = {"en": 60}
_HEADING_MOST_DENSE = 24
_TITLE_LEVEL = 1


class Line(NamedTuple):
    """A sentence, a list item or a table cell of a unit, without inline markup.

    ``start`` and ``end`` are code points of the document. ``row`` and ``column`` are the headers of a table cell.
    ``lone`` is true for a block of one sentence: an entry rather than prose.
    """

    text: str
    start: int
    end: int
    kind: str
    row: str = ""
    column: str = ""
    lone: bool = False


class Passage(NamedTuple):
    """A unit with its lines. ``language`` is that of the unit's text."""

    unit: Unit
    lines: list[Line]
    language: str


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark")


def plain(text: str) -> str:
    """One line of text without Markdown's inline marks; links leave their words, pictures their descriptions."""
    if _MARKUP.search(text) is None:
        return text.strip()
    tokens = _markdown().parseInline(text)[0].children or ()
    words = [" " if token.type in ("softbreak", "hardbreak") else token.content for token in tokens]
    return "".join(word for word, token in zip(words, tokens, strict=True) if token.type != "html_inline").strip()


def heading_words(text: str) -> str:
    """A heading without its numbering and marks."""
    return _NUMBERING.sub("", plain(text).rstrip("#").strip()).strip(" :：")


class _Group(NamedTuple):
    """Blocks that stay together: a block, or the rows of one table; ``size`` in characters."""

    start: int
    end: int
    blocks: tuple[int, ...]


class _Walker:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.segments: Segments = segment(fold(document.text))
        self.by_block: dict[int, list[tuple[int, int]]] = {}
        for sentence in self.segments.sentences:
            self.by_block.setdefault(sentence.block, []).append((sentence.start, sentence.end))
        self.headings: list[tuple[int, str]] = []
        self.count = 0
        self.language = detect_language(document.text)

    def passages(self) -> Iterator[Passage]:
        waiting: list[_Group] = []
        heading: int | None = None
        for group in self._groups():
            level = self._heading_level(group)
            if level is None:
                if waiting and group.end - waiting[0].start > self._most:
                    yield from self._passage(waiting, heading)
                    waiting, heading = [], None
                waiting.append(group)
                continue
            if waiting:
                yield from self._passage(waiting, heading)
                waiting = []
            block = self.segments.blocks[group.blocks[0]]
            words = heading_words(self.document.text[block.content_start : block.content_end])
            self.headings = [(other, text) for other, text in self.headings if other < level] + [(level, words)]
            heading = group.start
        if waiting:
            yield from self._passage(waiting, heading)

    @property
    def _most(self) -> int:
        return _MOST.get(self.language, _MOST_DENSE)

    def _groups(self) -> Iterator[_Group]:
        """Blocks in order; the cells of one table are one group, cut by rows where the table is long."""
        blocks = self.segments.blocks
        position = 0
        while position < len(blocks):
            first = position
            if blocks[position].kind in ("table_cell", "table_rule"):
                while position < len(blocks) and blocks[position].kind in ("table_cell", "table_rule"):
                    new_row = "\n" in self.document.text[blocks[position - 1].end : blocks[position].start]
                    if position > first and new_row and blocks[position].end - blocks[first].start > 4 * self._most:
                        break
                    if position > first and self._gap(blocks[position - 1], blocks[position]):
                        break
                    position += 1
            else:
                position += 1
            yield _Group(blocks[first].start, blocks[position - 1].end, tuple(range(first, position)))

    def _gap(self, before: Block, after: Block) -> bool:
        """Whether an empty line parts two blocks."""
        return self.document.text[before.end : after.start].count("\n") > 1

    def _heading_level(self, group: _Group) -> int | None:
        """The level of a heading; None for other blocks. Plain text and PDF have headings without marks."""
        number = group.blocks[0]
        block = self.segments.blocks[number]
        if block.kind == "heading":
            return block.level
        if block.kind != "paragraph" or not self._marked_less:
            return None
        text = self.document.text[block.start : block.end]
        following = self.segments.blocks[number + 1] if number + 1 < len(self.segments.blocks) else None
        short = len(text) <= _HEADING_MOST.get(self.language, _HEADING_MOST_DENSE)
        if not short or text.endswith(_STOPS) or "：" in text or ": " in text or "\n" in text or following is None:
            return None
        after = self.document.text[following.start : following.end]
        if number == 0:
            return _TITLE_LEVEL
        # Between two short lines there is no telling a heading from an entry.
        return 2 if after.endswith(_STOPS) or following.kind != "paragraph" else None

    @property
    def _marked_less(self) -> bool:
        return not self.document.file.lower().endswith((".md", ".markdown", ".html", ".htm"))

    def _passage(self, groups: list[_Group], heading: int | None) -> Iterator[Passage]:
        """The unit of some groups; a paragraph that is too long by itself makes several, cut between sentences."""
        spans = self._cut(groups)
        for index, (start, end) in enumerate(spans):
            first = heading if heading is not None and index == 0 else start
            lines = [line for line in self._lines(groups) if start <= line.start < end]
            text = self.document.text[first:end]
            self.count += 1
            path = [words for _, words in self.headings if words]
            if self.document.title and self.document.title not in path:
                path = [self.document.title, *path]
            unit = Unit(f"{self.document.file}#{self.count}", self.document.file, first, end, text, tuple(path))
            yield Passage(unit, lines, detect_language(text))

    def _cut(self, groups: list[_Group]) -> list[tuple[int, int]]:
        start, end = groups[0].start, groups[-1].end
        table = any(self.segments.blocks[number].kind == "table_cell" for group in groups for number in group.blocks)
        if end - start <= 1.5 * self._most or table:
            return [(start, end)]
        spans = []
        for group in groups:
            for number in group.blocks:
                for first, last in self.by_block.get(number, ()):
                    if last - start > self._most and first > start:
                        spans.append((start, self._last_before(first)))
                        start = first
        return [*spans, (start, end)]

    def _last_before(self, position: int) -> int:
        """Where the text before a position ends, without the spaces between."""
        start = max(0, position - 64)
        return start + len(self.document.text[start:position].rstrip())

    def _lines(self, groups: list[_Group]) -> Iterator[Line]:
        text = self.document.text
        for group in groups:
            for number in group.blocks:
                block = self.segments.blocks[number]
                if block.kind in ("code", "table_rule", "heading"):
                    continue
                sentences = self.by_block.get(number, ())
                row, column = (
                    plain(text[slice(*span)]) if span else "" for span in (block.row_header, block.column_header)
                )
                for start, end in sentences:
                    words = " ".join(plain(text[start:end]).split())
                    yield Line(words, start, end, block.kind, row, column, len(sentences) == 1)


def passages(document: Document) -> Iterator[Passage]:
    """The units of a document in order, each with its lines; every sentence stands in exactly one."""
    yield from _Walker(document).passages()
