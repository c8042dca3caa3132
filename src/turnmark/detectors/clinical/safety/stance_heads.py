"""Heads that say "to avoid" of what stands under or beside them: a label, a line above a list, the head of a row."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from turnmark.language.analysis import Analysis
from turnmark.language.match.matcher import Hit
from turnmark.language.text.segment import Block

FindCues = Callable[[int, int], list[Hit[str]]]
"""The cues of a span of the text, from the reader of stances."""

_LABEL = re.compile(r"[^:：.!?]{1,24}[:：]\s*")
_MARKED_OFF = re.compile(r"[^:：.!?|→—–\n]{1,16}?(?:\s*[|→—–]|\s+-+>?(?=\s))\s*")
_NEW_LABEL = re.compile(r"[;；]\s*")
_REACH = 200
_ITEMS = 24
"""Items of a list and cells of a row that a head is looked for behind; longer ones are not walked for each passage."""
_LONGEST_HEAD = 24
_LONGEST_VERDICT = 12
_GENERIC = re.compile(
    r"(?:것|음식|식품|음료|식재료|과일|채소|간식|운동|약물?|목록|항목|사항|행동|동작|들|된|할|아야|는|은"
    r"|食物|食品|食材|水果|蔬菜|饮食|饮料|药物|药品|运动|动作|清单|名单|项目|事项|注意|[的类物品项吃喝用与和及或]"
    r"|\b(?:these|this|all|the|foods?|items?|lists?|drinks?|fruits?|medicines?|exercises?|moves?|from|for now"
    r"|altogether|completely|entirely|and|or)\b|[ \t*_#:：\-–—|→\[\]()【】「」<>《》·.。!！/、,])*",
    re.IGNORECASE,
)
"""What may stand behind the cue in a head: "피할 |음식", "avoid |these foods"; other words would be what is avoided."""
_CROSSES = frozenset("xX×✕✗✘❌🚫")


def label_span(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The label that stands before ``end``, the last one of a line with several; None when there is none."""
    for link in _NEW_LABEL.finditer(text, max(start, end - _REACH), end):
        start = link.end()
    label = _LABEL.match(text, start, end)
    return label.span() if label else None


def stands_under_ban(analysis: Analysis, find: FindCues, start: int, sentence_start: int) -> bool:
    """Whether a head that says "to avoid" governs the passage at ``start`` by where it stands."""
    line = _MARKED_OFF.match(analysis.text, sentence_start, start)
    if line is not None and _bans(analysis.text, find, sentence_start, line.end()):
        return True
    index = analysis.sentence_at(start).block
    return any(_bans(analysis.text, find, first, last) for first, last in _heads(analysis.segments.blocks, index)) or (
        _has_banning_verdict(analysis, find, index)
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


def _has_banning_verdict(analysis: Analysis, find: FindCues, index: int) -> bool:
    """Whether the first cell of a row is judged by one behind it: | Bananas | Avoid |."""
    blocks, text = analysis.segments.blocks, analysis.text
    if blocks[index].kind != "table_cell" or _first_of_row(blocks, index) is not blocks[index]:
        return False
    for position in range(index + 1, min(len(blocks), index + _ITEMS)):
        if blocks[position].start != blocks[position - 1].end:
            return False
        start, end = blocks[position].content_start, blocks[position].content_end
        verdict = text[start:end].strip("* ")
        if verdict in _CROSSES or (end - start <= _LONGEST_VERDICT and _bans(text, find, start, end)):
            return True
    return False


def _bans(text: str, find: FindCues, start: int, end: int) -> bool:
    """Whether a head says "to avoid" and little behind it, and not that there is no need to."""
    if end - start > _LONGEST_HEAD:
        return False
    cues = find(start, end)
    if any(cue.payload in ("urges", "carefree") for cue in cues):
        return False
    return any(cue.payload == "avoid_head" and _GENERIC.fullmatch(text, cue.end, end) for cue in cues)
