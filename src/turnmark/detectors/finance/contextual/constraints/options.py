"""Options that a reply sets side by side (甲 and 乙, A and B, columns, list items) and the one it chooses."""

from __future__ import annotations

import re
from functools import cached_property

from turnmark.detectors.finance.contextual.constraints.stance import ConstraintStanceReader

_NAME = r"(?P<name>[甲乙丙丁戊]|(?<![a-z0-9])[a-e](?![a-z0-9+\-]|股))"
_CHOSEN = re.compile(
    r"(?P<no>不|别|不要|不建议|不推荐|没必要)?(?:选择?|挑|买|推荐|建议|倾向于?|首选|优先|换成|换到|投|押|就是|定|拿)"
    rf"(?:了|用|配|买|的是|[:：]| )?{_NAME}"
    r"(?!股|类|级|份额|轮|端)"
)
_PRAISED = re.compile(
    rf"{_NAME}(?:款|只|方案|产品|组合|这只|这款|基金)?(?:就|更|比较|最|明显|显然)?"
    r"(?:合适|更好|划算|优先|胜出|值得|适合|够用|合您|符合)"
)
_OPENS = re.compile(rf"[\s*_|>\-·•]*(?:产品|方案|基金|组合|选项)?{_NAME}")

_WORDED = re.compile(r"(?:选择?|挑)(?:了|的是)?([\u4e00-\u9fff]{2})(?:[的那这]|[,，。;；!！]|$)")


class OptionReader:
    """Which option a passage of a reply describes, and which the reply chooses."""

    def __init__(self, reader: ConstraintStanceReader) -> None:
        self._reader = reader

    @cached_property
    def chosen(self) -> str:
        """The name of the one option that the reply chooses; "" when it chooses none or several."""
        if not self._reader.short:
            return ""
        text = self._reader.text
        named = {match["name"] for match in _CHOSEN.finditer(text) if not match["no"]}
        if not named:
            named = {match["name"] for match in _PRAISED.finditer(text)}
        if not named:
            named = {match[1] for match in _WORDED.finditer(text) if match[1] in self._openings}
        return named.pop() if len(named) == 1 else ""

    @cached_property
    def _openings(self) -> frozenset[str]:
        """The first two characters of every clause: the names of options told in words (老牌那只 …, 新发的 …)."""
        text = self._reader.text
        return frozenset(text[clause.start : clause.start + 2] for clause in self._reader.clauses)

    def at(self, position: int) -> str:
        """The option that a folded position describes, "" when none."""
        reader = self._reader
        segments, folded = reader.analysis.segments, reader.analysis.folded
        original, _ = folded.to_original(position, position + 1)
        index = segments.sentence_index(original)
        block = segments.blocks[segments.sentences[index].block]
        for header in (block.column_header, block.row_header):
            if header:
                first, last = folded.from_original(*header)
                match = _OPENS.match(folded.text, first, last)
                if match:
                    return match["name"]
        clauses, at = reader.place(position)
        first, _ = folded.from_original(block.content_start, block.content_end)
        for start in (*(clause.start for clause in reversed(clauses[: at + 1])), first):
            match = _OPENS.match(folded.text, start)
            if match:
                return match["name"]
        opening = folded.text[clauses[at].start : clauses[at].start + 2]
        return opening if opening == self.chosen else ""
