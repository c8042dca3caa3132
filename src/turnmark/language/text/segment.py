"""Blocks, sentences and clauses of a text, with offsets: markdown structure first, then stops, then connectives."""

import re
import sys
from bisect import bisect_right
from typing import NamedTuple

from turnmark.language.text.clauses import split_clauses
from turnmark.language.text.fold import Folded, fold
from turnmark.language.text.stops import STOP, closed, is_stop

Span = tuple[int, int]


class Block(NamedTuple):
    """A structural unit of a text: a line, a table cell, or several lines of one wrapped paragraph.

    ``start`` and ``end`` include the markdown marker, ``content_start`` and ``content_end`` do not; all are code
    points of the original text. ``kind`` is one of "heading", "list_item", "table_cell", "table_rule" (separator
    rows and horizontal rules), "quote", "code", "paragraph".
    """

    start: int
    end: int
    kind: str
    content_start: int
    content_end: int
    ordered: bool = False
    level: int = 0
    row_header: Span | None = None
    column_header: Span | None = None


class Sentence(NamedTuple):
    """A sentence: ``start`` and ``end`` in code points, ``block`` the index of the block it stands in."""

    start: int
    end: int
    kind: str
    block: int


class Clause(NamedTuple):
    """A clause: ``start`` and ``end`` in code points, ``sentence`` the index of its sentence."""

    start: int
    end: int
    sentence: int


LONGEST_SENTENCE = 800
"""A longer stretch without a stop is no sentence that anybody reads as one (a table in one line, a text made to stall
its reader): it is cut at the last comma or blank before this length. Readers look around within a sentence, so that
their time grows with its length many times over."""

_FAR = sys.maxsize


class Segments:
    """Blocks and sentences of one text in order; clauses are cut when a sentence is first asked for them."""

    __slots__ = ("_clauses", "_sentence_starts", "blocks", "folded", "sentences")

    def __init__(self, folded: Folded, blocks: list[Block], sentences: list[Sentence]) -> None:
        self.folded = folded
        self.blocks = blocks
        self.sentences = sentences
        self._sentence_starts = [sentence.start for sentence in sentences]
        self._clauses: dict[int, list[Clause]] = {}

    def sentence_index(self, position: int) -> int:
        """Return the index of the sentence at a position, or of the one before it; 0 when there is none."""
        return (bisect_right(self._sentence_starts, position) or 1) - 1

    def sentence_at(self, position: int) -> Sentence:
        """Return the sentence at a position; between sentences, the one before.

        Raises:
            IndexError: The text has no sentence.

        """
        return self.sentences[self.sentence_index(position)]

    def clauses_of(self, index: int) -> list[Clause]:
        """Return the clauses of the sentence with this index."""
        clauses = self._clauses.get(index)
        if clauses is None:
            sentence, folded = self.sentences[index], self.folded
            spans = split_clauses(folded.text, folded.base, *folded.from_original(sentence.start, sentence.end))
            if not folded.same_length:
                spans = [folded.to_original(start, end) for start, end in spans]
            clauses = self._clauses[index] = [Clause(start, end, index) for start, end in spans]
        return clauses

    def clause_at(self, position: int) -> Clause:
        """Return the clause at a position; between clauses, the one before.

        Raises:
            IndexError: The text has no sentence.

        """
        return self.clause_in(self.sentence_index(position), position)

    def clause_in(self, index: int, position: int) -> Clause:
        """Return the clause at a position of the sentence with this index."""
        clauses = self.clauses_of(index)
        if len(clauses) == 1:
            return clauses[0]
        return clauses[(bisect_right(clauses, (position, _FAR, index)) or 1) - 1]

    @property
    def clauses(self) -> list[Clause]:
        """All clauses of the text in order."""
        return [clause for index in range(len(self.sentences)) for clause in self.clauses_of(index)]


# One match a line tells its kind; the group that matched is the marker.
_LINE = re.compile(
    r"[ ]{0,12}(?:"
    r"(?P<fence>```|~~~)|(?P<heading>\#{1,6}[ ]+)|(?P<quote>>[ >]*)"
    r"|(?P<rule>(?:-[ ]*){3,}$|(?:\*[ ]*){3,}$|(?:_[ ]*){3,}$|=(?:[ ]*=){2,}[ ]*$)"
    r"|(?P<ordered>(?:\(?[0-9]{1,2}[.)](?=[ *]|[^\x00-\x7f]|$)|[①-⑳]|\([一二三四五六七八九十]{1,3}\)"
    r"|[一二三四五六七八九十]{1,3}、)[ ]*)"
    r"|(?P<bullet>(?:[-*+][ ]+|[·◦▪●○■□◆▶※])[ ]*)"
    r"|(?P<table>\|))"
)
_TABLE_RULE = re.compile(r"[ ]*\|?[ ]*:?-{2,}:?[ ]*(?:\|[ ]*:?-{2,}:?[ ]*)*\|?[ ]*$")

_NONBLANK = re.compile(r"[^ \n](?:[^\n]*[^ \n])?")

_LAST_JOINT = re.compile(r"(?s:.*)[,;、 \n]")


def _past_blanks(text: str, position: int) -> int:
    while text[position] in " \n":
        position += 1
    return position


def _before_blanks(text: str, position: int) -> int:
    while text[position - 1] in " \n":
        position -= 1
    return position


class _Builder:
    """Walks the lines of one folded text and collects blocks and sentences, in folded offsets."""

    def __init__(self, folded: Folded) -> None:
        self.text = folded.text
        self.base = folded.base
        self.blocks: list[Block] = []
        self.sentences: list[Sentence] = []
        self.fenced = False
        self.header: list[Span] = []
        self.pending: Span | None = None
        # All stops at once; blocks come in order, so each takes its own from the front.
        self.stops = list(STOP.finditer(folded.base))
        self.stop = 0

    def add(self, block: Block) -> None:
        index = len(self.blocks)
        self.blocks.append(block)
        start, end, kind = block.content_start, block.content_end, block.kind
        if kind == "table_rule" or start >= end:
            return
        if kind != "code":
            start = self.split(start, end, kind, index)
        self.sentence(start, end, kind, index)

    def split(self, start: int, end: int, kind: str, block: int) -> int:
        """Add the sentences of a block but the last; return where that one starts."""
        text, stops, count = self.text, self.stops, len(self.stops)
        while self.stop < count:
            match = stops[self.stop]
            cut = match.end()
            if cut >= end:
                break
            self.stop += 1
            if match.start() < start or not is_stop(text, self.base, match, end):
                continue
            closers = match.start("closers")
            if closers < cut:
                cut = closed(text, start, closers, cut)
            self.sentence(start, cut, kind, block)
            start = _past_blanks(text, cut)
        return start

    def sentence(self, start: int, end: int, kind: str, block: int) -> None:
        """Add a sentence; one that is too long in pieces."""
        text = self.text
        while end - start > LONGEST_SENTENCE:
            match = _LAST_JOINT.match(text, start + LONGEST_SENTENCE // 2, start + LONGEST_SENTENCE)
            cut = match.end() if match else start + LONGEST_SENTENCE
            self.sentences.append(Sentence(start, _before_blanks(text, cut), kind, block))
            start = _past_blanks(text, cut)
        self.sentences.append(Sentence(start, end, kind, block))

    def row(self, start: int, end: int) -> None:
        """Add the cells of a table line; the first row without a header is the header."""
        text = self.text
        spans: list[tuple[int, int, int, int]] = []
        parts = text[start:end].split("|")
        position = start
        if not parts[0]:
            parts[1] = "|" + parts[1]
            del parts[0]
        if len(parts) > 1 and not parts[-1]:
            parts[-2] += "|"
            del parts[-1]
        for index, part in enumerate(parts):
            last = position + len(part) + (index > 0)
            inner = part.strip("| ")
            first = text.find(inner, position, last) if inner else last
            spans.append((position, last, first, first + len(inner)))
            position = last
        is_header = not self.header
        row_header = (spans[0][2], spans[0][3]) if spans and spans[0][2] < spans[0][3] else None
        header = self.header
        for column, (first, last, inner_start, inner_end) in enumerate(spans):
            above = header[column] if column < len(header) else None
            if above is not None and above[0] == above[1]:
                above = None
            aside = None if is_header or column == 0 else row_header
            self.add(Block(first, last, "table_cell", inner_start, inner_end, False, 0, aside, above))
        if is_header:
            self.header = [(item[2], item[3]) for item in spans]

    def line(self, start: int, end: int) -> None:
        """Add one line; start and end are trimmed of spaces."""
        text = self.text
        match = _LINE.match(text, start, end)
        group = match.lastgroup if match else None
        if group == "fence":
            self.flush()
            self.fenced = not self.fenced
            self.blocks.append(Block(start, end, "code", end, end))
            return
        if self.fenced:
            self.add(Block(start, end, "code", start, end))
            return
        if group == "table" or (self.header and text.find("|", start, end) >= 0):
            self.flush()
            self.table_line(start, end)
            return
        self.header = []
        if match is None or group is None:
            self.paragraph(start, end)
            return
        self.flush()
        content = match.end()
        while content < end and text[content] == " ":
            content += 1
        if group == "rule":
            self.blocks.append(Block(start, end, "table_rule", end, end))
        elif group == "heading":
            level = text.count("#", start, content)
            self.add(Block(start, end, "heading", content, end, False, level))
        elif group == "quote":
            self.add(Block(start, end, "quote", content, end))
        else:
            self.add(Block(start, end, "list_item", content, end, group == "ordered"))

    def table_line(self, start: int, end: int) -> None:
        if _TABLE_RULE.match(self.text, start, end):
            self.blocks.append(Block(start, end, "table_rule", end, end))
        else:
            self.row(start, end)

    def paragraph(self, start: int, end: int) -> None:
        """Add a plain line, or let it continue the line before it."""
        text = self.text
        if (
            self.pending is not None
            and "a" <= text[start] <= "z"
            and self.base[start] == text[start]
            and text[self.pending[1] - 1] not in ".!?:;。！？"
            and text.count("\n", self.pending[1], start) == 1
        ):
            # Hard-wrapped English: the sentence goes on in the next line.
            self.pending = (self.pending[0], end)
            return
        self.flush()
        self.pending = (start, end)

    def flush(self) -> None:
        """Add the paragraph that was waiting for its next line."""
        if self.pending is not None:
            start, end = self.pending
            self.pending = None
            self.add(Block(start, end, "paragraph", start, end))

    def build(self) -> None:
        text = self.text
        lines = [match.span() for match in _NONBLANK.finditer(text)]
        bars = "|" in text
        for index, (start, end) in enumerate(lines):
            if (
                bars
                and not self.fenced
                and not self.header
                and text[start] != "|"
                and index + 1 < len(lines)
                and "|" in text[start:end]
                and "|" in text[slice(*lines[index + 1])]
                and _TABLE_RULE.match(text, *lines[index + 1])
            ):
                # A table written without outer bars is told by the rule under its header.
                self.flush()
                self.row(start, end)
            else:
                self.line(start, end)
        self.flush()


_KEPT = 4
_last: dict[str, Segments] = {}
"""The texts cut last: a reply is asked about by several families of metrics, one after the other, and cut once."""


def segment(text: str | Folded) -> Segments:
    """Cut a text into blocks and sentences.

    Args:
        text: The text, or its folded form when it is at hand.

    Returns:
        Segments whose spans are code points of the original text. Blocks cover every character that is not a
        space, without overlap; so do sentences within the contents of blocks.

    """
    original = text.original if isinstance(text, Folded) else text
    kept = _last.get(original)
    if kept is None:
        kept = _segment(text if isinstance(text, Folded) else fold(text))
        _last[original] = kept
        for old in list(_last)[:-_KEPT]:
            _last.pop(old, None)
    return kept


def _segment(folded: Folded) -> Segments:
    builder = _Builder(folded)
    builder.build()
    if folded.same_length:
        return Segments(folded, builder.blocks, builder.sentences)
    to_original = folded.to_original
    blocks = [
        block._replace(
            start=to_original(block.start, block.end)[0],
            end=to_original(block.start, block.end)[1],
            content_start=to_original(block.content_start, block.content_end)[0],
            content_end=to_original(block.content_start, block.content_end)[1],
            row_header=to_original(*block.row_header) if block.row_header else None,
            column_header=to_original(*block.column_header) if block.column_header else None,
        )
        for block in builder.blocks
    ]
    sentences = [
        Sentence(*to_original(sentence.start, sentence.end), sentence.kind, sentence.block)
        for sentence in builder.sentences
    ]
    return Segments(folded, blocks, sentences)
