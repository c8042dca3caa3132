"""Heads that say "to avoid" of what stands under or beside them: a label, a line above a list, the head of a row."""

from __future__ import annotations

from collections.abc import Iterator

from turnmark.detectors.clinical.safety.stance_text import StanceText
from turnmark.language.text.segment import Block

_COLONS = frozenset(":：")
_STOPS = frozenset(".!?")
_BARS = frozenset("|→—–")
_LONGEST_LABEL = 24
_LONGEST_LINE_HEAD = 16
_REACH = 200
_ITEMS = 24
"""Items of a list and cells of a row that a head is looked for behind; longer ones are not walked for each passage."""
_LONGEST_HEAD = 24
_LONGEST_VERDICT = 12
_CROSSES = frozenset("xX×✕✗✘❌🚫")
_BEHIND_CROSS = frozenset(" ,.;)\n|")
_BEFORE_CROSS = frozenset(",.;:|\n。，；")
_CROSS_REACH = 12


def label_span(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The label that stands before ``end``, the last one of a line with several; None when there is none."""
    last_link = max(text.rfind(mark, max(start, end - _REACH), end) for mark in ";；")
    if last_link >= 0:
        start = _skip_spaces(text, last_link + 1, end)
    for position in range(start, min(end, start + _LONGEST_LABEL + 1)):
        if text[position] in _COLONS:
            return (start, _skip_spaces(text, position + 1, end)) if position > start else None
        if text[position] in _STOPS:
            break
    return None


def _skip_spaces(text: str, position: int, end: int) -> int:
    while position < end and text[position].isspace():
        position += 1
    return position


def _marked_off(text: str, start: int, end: int) -> int | None:
    """Where the head of a line ends that a bar, an arrow or a dash marks off: "피할 것 | 바나나", "Avoid -> it"."""
    for position in range(start, min(end, start + _LONGEST_LINE_HEAD + 2)):
        character = text[position]
        if position > start:
            mark = _skip_spaces(text, position, end)
            if mark < end and text[mark] in _BARS:
                return mark + 1
            if mark > position and text.startswith("-", mark):
                after = mark
                while after < end and text[after] == "-":
                    after += 1
                after += text.startswith(">", after)
                if after < end and text[after].isspace():
                    return after
        if character in _COLONS or character in _STOPS or character in _BARS or character == "\n":
            return None
    return None


def is_crossed_out(text: str, end: int) -> bool:
    """Whether a cross stands behind a passage, as in a list of what is allowed and what is not: 바나나 X, 사과 O."""
    for position in range(end, min(len(text), end + _CROSS_REACH)):
        if text[position] in _CROSSES and (position + 1 == len(text) or text[position + 1] in _BEHIND_CROSS):
            return True
        if text[position] in _BEFORE_CROSS:
            return False
    return False


def stands_under_ban(view: StanceText, start: int, sentence_start: int) -> bool:
    """Whether a head that says "to avoid" governs the passage at ``start`` by where it stands."""
    analysis = view.analysis
    line = _marked_off(view.text, sentence_start, start)
    if line is not None and _bans(view, sentence_start, line):
        return True
    index = analysis.sentence_at(start).block
    return any(_bans(view, first, last) for first, last in _heads(analysis.segments.blocks, index)) or (
        _has_banning_verdict(view, index)
    )


def _heads(blocks: list[Block], index: int) -> Iterator[tuple[int, int]]:
    """The spans that head a block: the heads of its row and column, or the short line above its list."""
    block = blocks[index]
    if block.kind == "table_cell":
        first = _first_of_row(blocks, index)
        if first is not block:
            yield first.content_start, first.content_end
        if block.column_header:
            yield block.column_header
    elif block.kind == "list_item":
        above = next(
            (other for other in reversed(blocks[max(0, index - _ITEMS) : index]) if other.kind != "list_item"), None
        )
        if above is not None and above.kind in ("heading", "paragraph"):
            yield above.content_start, above.content_end


def _first_of_row(blocks: list[Block], index: int) -> Block:
    """The first cell of a row; the cells of a row touch each other."""
    for first in range(index, max(0, index - _ITEMS), -1):
        if blocks[first - 1].kind != "table_cell" or blocks[first - 1].end != blocks[first].start:
            return blocks[first]
    return blocks[max(0, index - _ITEMS)]


def _has_banning_verdict(view: StanceText, index: int) -> bool:
    """Whether the first cell of a row is judged by one behind it: | Bananas | Avoid |."""
    blocks, text = view.analysis.segments.blocks, view.text
    if blocks[index].kind != "table_cell" or _first_of_row(blocks, index) is not blocks[index]:
        return False
    for position in range(index + 1, min(len(blocks), index + _ITEMS)):
        if blocks[position].start != blocks[position - 1].end:
            return False
        start, end = blocks[position].content_start, blocks[position].content_end
        verdict = text[start:end].strip("* ")
        if verdict in _CROSSES or (end - start <= _LONGEST_VERDICT and _bans(view, start, end)):
            return True
    return False


def _bans(view: StanceText, start: int, end: int) -> bool:
    """Whether a head says "to avoid" and little behind it, and not that there is no need to."""
    if end - start > _LONGEST_HEAD:
        return False
    cues = view.within(start, end)
    if any(not cue.kinds.isdisjoint(("urges", "carefree")) for cue in cues):
        return False
    # Other words behind the cue would be what is avoided: "avoid |these foods", but "avoid |salt".
    return any("avoid_head" in cue.kinds and view.asked.head_rest.covers(view.plain, cue.end, end) for cue in cues)
