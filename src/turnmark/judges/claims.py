"""A text into claims: sentences, list items and table cells, cut where two statements are joined.

A claim is what can be true or false by itself: ``首付3.5%，信用分至少580`` holds two. A part that only says when,
where, why or on what condition stays with its statement; headings, questions, courtesies and citation marks are no
claims. Spans are code points of the original text.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import msgspec

from turnmark.judges.courtesies import AROUND, is_courtesy
from turnmark.language.later import later
from turnmark.language.quantity.quantity import quantities
from turnmark.language.text.clauses import sentence_language
from turnmark.language.text.fold import Folded, fold
from turnmark.language.text.segment import Block, Segments, Sentence, segment
from turnmark.packs.loading import parse, shipped
from turnmark.schemas.judging.judgement import Claim

Span = tuple[int, int]

_CITATION = re.compile(
    r"\s*(?:\[\^?\d{1,3}(?:\s*[,，-]\s*\d{1,3})*\]|【\d{1,3}[^】\n]{0,20}】"
    r"|\[(?:citation|source|ref|doc|来源|出处|출처)[^\]\n]{0,60}\]"
    r"|[(（](?:source|来源|参考|出处|출처|参见|see)[:：][^)）\n]{0,80}[)）])",
    re.IGNORECASE,
)
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>")
_MARKUP = re.compile(r"[*_`#]+|>+(?![=>]*\s*[0-9])")
_MARKED = frozenset("[【(（*_`#>")
_COMMA = re.compile(r"[,;:](?!\d)|(?<!\d)[,;:](?=\d)|(?<=\d)[,;](?=\d{4})|(?<=\d),(?=\d{1,2}(?!\d))|--+")
_EDGE = " \n,;:.!?。、\"'()[]*_-"
_SIGN = re.compile("-[0-9]")
_LETTER = re.compile(r"[a-z0-9\u0370-\u03ff\u3400-\u9fff\uac00-\ud7a3]+|(?<![^\s:(])[+±]{1,4}(?![^\s).,])")
_HAN_OR_HANGUL = re.compile(r"[\u3400-\u9fff\uac00-\ud7a3]+")
_KO_PREDICATE = re.compile("(?:다|요|음|함|됨|고|며|지만|으나|는데|은데|인데|한데)$")
_LATIN_OR_NUMBER = re.compile("[a-z]+|[0-9][0-9.,]*")
_EN_JOINED = re.compile(r"^\s*(?:and|but|or|while|whereas)\s+")
_EN_CLAUSE = re.compile(r"(?:the|a|an|it|they|he|she|this|these|those|its|their|his|her|you|we|there)\s")
# So many words behind "and the" are a clause, whatever its verb.
_EN_SENTENCE = 5
_BRACKETS = (("(", ")"), ("[", "]"), ("【", "】"))
# A longer Chinese part in front states something by itself, unless it is a condition or a reason.
_LONG = 12
_CONDITIONS = frozenset("如若当因由虽根按据随")
_QUESTION = re.compile(r"[?？][\"')\]]*\s*$")


class _Lists(msgspec.Struct, frozen=True):
    """``packs/rag/claims.yaml``."""

    subordinate_start: dict[str, str]
    subordinate_end: dict[str, str]
    continuing_start: dict[str, str]
    not_continuing: str
    coordination: dict[str, str]
    joining_ending: str
    amount_tail: str
    greetings: str
    empty: dict[str, str]
    hedges: dict[str, str]
    verbs: str


def _split(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


class _Patterns(NamedTuple):
    not_continuing: tuple[str, ...]
    begins_before: _Word
    ends_before: _Word
    continues: _Word
    coordination: _Word
    joining: re.Pattern[str]
    empty: _Word
    greeting: _Word
    hedged: _Word
    verb: _Word


def _any(words: dict[str, str], *, behind: str = "") -> str:
    """One alternative a word. English words stand alone, which `_Word` checks: a condition in front would slow it."""
    results = [
        f"{re.escape(word)}(?![a-z])" if language == "en" else re.escape(word)
        for language, text in words.items()
        for word in sorted(_split(text), key=lambda each: (-len(each), each))
    ]
    return f"(?:{'|'.join(results)}){behind}"


class _Word:
    """An expression whose English words stand alone."""

    def __init__(self, expression: str) -> None:
        self.pattern = later(expression)

    def places(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[int]:
        """Where it matches."""
        for match in self.pattern.finditer(text, start, end):
            first = match.start()
            if not (first and text[first].isascii() and text[first - 1].isascii() and text[first - 1].isalpha()):
                yield first

    def within(self, text: str, start: int = 0, end: int = sys.maxsize) -> bool:
        """Whether it matches anywhere."""
        return next(self.places(text, start, end), None) is not None

    def opens(self, text: str) -> bool:
        """Whether it matches at the start."""
        return self.pattern.match(text) is not None


@cache
def _patterns() -> _Patterns:
    lists = parse(shipped("rag/claims.yaml"), "rag/claims.yaml", _Lists)
    joining = "|".join(sorted(_split(lists.joining_ending), key=len, reverse=True))
    tail = "|".join(_split(lists.amount_tail))
    return _Patterns(
        tuple(_split(lists.not_continuing)),
        _Word(_any(lists.subordinate_start)),
        _Word(_any(lists.subordinate_end, behind="$")),
        _Word(_any(lists.continuing_start)),
        _Word(f"{_any(lists.coordination)}(?! *(?:{tail})(?![a-z]))"),
        re.compile(rf"[\uac00-\ud7a3](?:{joining})(?=[ ,])"),
        _Word(_any(lists.empty)),
        _Word(f"(?:{'|'.join(_split(lists.greetings))})[a-z ]{{0,12}}$"),
        _Word(_any(lists.hedges)),
        _Word(_any({"en": lists.verbs})),
    )


def split_claims(text: str | Segments, source: str = "answer") -> list[Claim]:
    """The claims of a text in order.

    Args:
        text: Any string, or its segments when they are at hand.
        source: What the text is called in ``Claim.source``.

    Returns:
        Claims whose spans do not overlap; none for a text that states nothing. A table cell is completed by its
        headers, a list item by the line that leads into the list, and citation marks are left out of
        ``Claim.text``, so that it may differ from the words at the span.

    """
    segments = segment(text) if isinstance(text, str) else text
    folded = segments.folded
    splitter: _Splitter | None = None
    claims: list[Claim] = []
    for sentence in segments.sentences:
        block = segments.blocks[sentence.block]
        first, last = folded.from_original(sentence.start, sentence.end)
        if block.kind in ("heading", "code") or _is_empty(folded.text[first:last]):
            continue
        if folded.text[first] == "[" and states_nothing(folded.text[first:last]):
            continue
        if block.kind == "table_cell":
            claims.extend(_cell(folded, block, sentence, source))
            continue
        splitter = splitter or _Splitter(folded)
        for start, end in splitter.statements(first, last):
            claim = _claim(folded, start, end, source)
            if claim is not None:
                claims.append(claim)
    return claims


def states_nothing(text: str) -> bool:
    """Whether a text holds no letter and no digit beside citation marks: 👍, ㅋㅋㅋ, [43]."""
    return _LETTER.search(fold(_CITATION.sub("", text)).text) is None


def _is_empty(text: str) -> bool:
    if (
        is_courtesy(text)
        or _QUESTION.search(text)
        or text.rstrip(" *_").endswith(":")
        or _patterns().greeting.opens(AROUND.sub("", text))
    ):
        return True
    words = 2 * _size(text)
    # A sentence that also states something is a claim, however it opens.
    return words <= 40 and _patterns().empty.within(text, 0, 40) and not any(map(str.isdigit, text))


def _cell(folded: Folded, block: Block, sentence: Sentence, source: str) -> list[Claim]:
    """A cell of a table's body as ``row, column: cell``; headers and the first column are no claims of their own."""
    if block.column_header is None or block.row_header is None:
        return []
    original = folded.original
    parts = [original[slice(*block.row_header)], original[slice(*block.column_header)]]
    cell = original[sentence.start : sentence.end]
    if not _LETTER.search(fold(cell).text):
        return []
    text = f"{' '.join(part for part in parts if part)}: {cell}"
    return [Claim(text=_clean(text), start=sentence.start, end=sentence.end, source=source)]


def _claim(folded: Folded, start: int, end: int, source: str) -> Claim | None:
    text = folded.text
    while start < end and text[start] in _EDGE and not _SIGN.match(text, start, end):
        start += 1
    while end > start and text[end - 1] in " \n,;:":
        end -= 1
    if not _LETTER.search(text, start, end):
        return None
    first, last = folded.to_original(start, end)
    cleaned = _clean(folded.original[first:last])
    if not cleaned:
        return None
    hedged = _patterns().hedged.within(text, start, end)
    return Claim(text=cleaned, start=first, end=last, source=source, hedged=hedged)


def _clean(text: str) -> str:
    if not _MARKED.isdisjoint(text):
        text = _MARKUP.sub("", _CITATION.sub("", _TAG.sub("", text)))
    return text.strip()


def _size(text: str) -> int:
    """Length in words: an ideograph or syllable counts as half a word."""
    words = len(_LATIN_OR_NUMBER.findall(text))
    return words if text.isascii() else words + sum(map(len, _HAN_OR_HANGUL.findall(text))) // 2


def _has_verb(piece: str) -> bool:
    return _patterns().verb.within(piece)


_MOST_JOINTS = 40
"""Words that join, of one part; a part with more is no statement, and each of them has both of its sides read."""


class _Splitter:
    """Cuts the sentences of one folded text into statements; all offsets are folded."""

    def __init__(self, folded: Folded) -> None:
        self.folded = folded
        self.text = folded.text
        self.brackets = any(left in folded.text for left, _ in _BRACKETS)
        self._amounts: tuple[list[int], list[int]] | None = None

    def statements(self, start: int, end: int) -> list[Span]:
        """The statements of one sentence."""
        language = sentence_language(self.text, start, end)
        pieces = self._comma_pieces(start, end)
        spans: list[Span] = []
        carried: int | None = None
        for index, (first, last) in enumerate(pieces):
            begin = first if carried is None else carried
            if index < len(pieces) - 1 and self._leans_forward(first, last, language):
                carried = begin
                continue
            carried = None
            if spans and self._leans_back(first, last, language):
                spans[-1] = (spans[-1][0], last)
            else:
                spans.append((begin, last))
        return [span for part in spans for span in self._coordinated(part, language)]

    def _quantified(self, first: int, last: int) -> bool:
        """Whether an amount stands in a stretch: the dearest question, to be asked last."""
        if self._amounts is None:
            spans = [
                self.folded.from_original(each.start, each.end)
                for each in quantities(self.folded)
                if each.kind == "amount"
            ]
            self._amounts = [start for start, _ in spans], [end for _, end in spans]
        starts, ends = self._amounts
        position = bisect_left(starts, first)
        return position < len(ends) and ends[position] <= last

    def _comma_pieces(self, start: int, end: int) -> list[Span]:
        text = self.text
        cuts = [match.end() for match in _COMMA.finditer(text, start, end)]
        if cuts and self.brackets:
            cuts = self._outside(cuts, start)
        pieces: list[Span] = []
        position = start
        for cut in (*cuts, end):
            if text[position:cut].strip(_EDGE):
                pieces.append((position, cut))
            elif pieces:
                pieces[-1] = (pieces[-1][0], cut)
            position = cut
        return pieces or [(start, end)]

    def _outside(self, cuts: list[int], start: int) -> list[int]:
        """The cuts that do not stand in brackets that opened in the same sentence."""
        text = self.text
        depths = [0] * len(_BRACKETS)
        results: list[int] = []
        position = start
        for cut in cuts:
            for index, (left, right) in enumerate(_BRACKETS):
                depths[index] += text.count(left, position, cut - 1) - text.count(right, position, cut - 1)
            position = cut - 1
            if max(depths) <= 0:
                results.append(cut)
        return results

    def _leans_forward(self, first: int, last: int, language: str) -> bool:
        """Whether a comma part only prepares the part behind it."""
        piece = self.text[first:last].strip(_EDGE)
        known = _patterns()
        if known.begins_before.opens(piece):
            return language != "zh" or _size(piece) < _LONG or piece[0] in _CONDITIONS
        if language == "en":
            return not _has_verb(piece) and not self._quantified(first, last)
        if language == "ko":
            return _KO_PREDICATE.search(piece) is None and not self._quantified(first, last)
        if known.ends_before.within(piece):
            return True
        return _size(piece) < 3 and not self._quantified(first, last)

    def _leans_back(self, first: int, last: int, language: str) -> bool:
        """Whether a comma part only goes on with the part before it."""
        piece = self.text[first:last].strip(_EDGE)
        if _patterns().continues.opens(piece) and not piece.startswith(_patterns().not_continuing):
            return True
        if language == "en":
            bare = _EN_JOINED.sub("", piece)
            if bare != piece and _EN_CLAUSE.match(bare) and _size(bare) >= _EN_SENTENCE:
                return False
            leans = not _has_verb(bare) or _size(bare) < 3
        else:
            leans = _size(piece) < 2
        return leans and not self._quantified(first, last)

    def _coordinated(self, part: Span, language: str) -> list[Span]:
        """Cut a part at the words that join two statements: each side states something of its own."""
        start, end = part
        known = _patterns()
        cuts = set(known.coordination.places(self.text, start, end)) - {start}
        if language == "ko":
            cuts.update(match.end() for match in known.joining.finditer(self.text, start, end))
        spans: list[Span] = []
        position = start
        for cut in sorted(cuts)[:_MOST_JOINTS]:
            if self._stands(position, cut, language) and self._stands(cut, end, language):
                spans.append((position, cut))
                position = cut
        spans.append((position, end))
        return spans

    def _stands(self, first: int, last: int, language: str) -> bool:
        """Whether one side of a joining word can be a claim: it holds an amount, or is a clause of its own."""
        piece = self.text[first:last]
        size = _size(piece)
        if language == "en":
            bare = _EN_JOINED.sub("", piece)
            stands = _has_verb(piece) and _size(bare) >= 3 and (bare == piece or _EN_CLAUSE.match(bare) is not None)
        else:
            stands = size >= 4
        return stands or (size >= 3 and self._quantified(first, last))
