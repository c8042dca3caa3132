"""Notes of memory: a short line that says one thing without naming whose it is (最大回撤<10%, No single stocks).

What memory holds as a note is the user's own. A note that is the target word for word holds it, whatever its wording;
one that says the same of another amount contradicts it.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from turnmark.detectors.finance.contextual.memory.agreement import value_state
from turnmark.language.analysis import Analysis
from turnmark.language.text.fold import fold_text
from turnmark.language.values.removal import replaced_values
from turnmark.schemas.labels.finance import MemoryLabel

_MARKS = " \t-*•·\"'“”‘’「」『』`>#。.;；!！"
_BULLET = re.compile(r"[ \t]*(?:[-*•·]|[0-9]{1,2}[.)])[ \t]*")
_SPEAKS = re.compile(r"(?:user|human|client|customer|用户|客户|사용자|고객) ?[:：] ?")
_ASKED = re.compile(r"[?？][\W_]*$|[吗么]$")
_ONE_THING = re.compile(r"[。;!?\n]|\. ")
_LONGEST = 80
_SAME, _SAID = 0.6, 0.75
"""Shares of the target's words that a note must hold to be about the same, and to say the same in other words."""
_WORD = re.compile(r"[a-z']{2,}|[가-힣]+|[一-鿿]+")
_WEAK = frozenset(
    ("the", "an", "of", "in", "to", "is", "are", "my", "any", "please", "user", "client", "customer", "wants", "wanted",
     "고객", "고객은", "고객님은", "사용자는", "저는", "用户", "客户")
)  # fmt: skip
_NOT = re.compile(
    r"\b(?:no|not|never|don't|doesn't|won't|without|avoid|avoids|exclude|excludes)\b"
    r"|不(?!超|高于|低于|少于|大于|多于)|禁止|避免|回避|没有|拒绝|别"
    "|안 |않|아니(?:에|야|다|고|라)|아닙|별로|금지|제외|싫|말고|사절|피하"
)


class Note(NamedTuple):
    """One line of memory in folded offsets."""

    start: int
    end: int


def notes(analysis: Analysis, *, spoken: bool) -> list[Note]:
    """The short lines of a text that say one thing each, questions aside; of a conversation, those of the user."""
    text = analysis.folded.text
    result, start = [], 0
    for line in text.split("\n"):
        opening = (_SPEAKS if spoken else _BULLET).match(line)
        body = line[opening.end() :] if opening else line
        inner = body.strip(_MARKS)
        first = start + len(line) - len(body) + (body.index(inner) if inner else 0)
        counts = opening is not None or not spoken
        if (
            counts
            and inner
            and len(inner) <= _LONGEST
            and not _ASKED.search(body.strip())
            and not _ONE_THING.search(inner)
        ):
            result.append(Note(first, first + len(inner)))
        start += len(line) + 1
    return result


def note_label(
    target: str, analysis: Analysis, *, spoken: bool, word_for_word: bool
) -> tuple[MemoryLabel, int, int] | None:
    """What the notes of a text say of a target (original offsets); None when they are silent about it.

    Args:
        target: What memory should hold.
        analysis: The text of memory.
        spoken: Whether the text is a conversation.
        word_for_word: Whether other words for the same are left to the finders of a field (levels and horizons).

    """
    wanted = _key(target)
    conflict: Note | None = None
    for note in notes(analysis, spoken=spoken):
        written = analysis.folded.text[note.start : note.end]
        if _key(written) == wanted:
            return ("present", *analysis.folded.to_original(note.start, note.end))
        label = None if word_for_word else _compare(target, written)
        if label == "present":
            return ("present", *analysis.folded.to_original(note.start, note.end))
        if label == "conflicting" and conflict is None:
            conflict = note
    return ("conflicting", *analysis.folded.to_original(*conflict)) if conflict else None


def _compare(target: str, written: str) -> MemoryLabel | None:
    """Whether a note in other words says the same, or the same of another amount."""
    words = _words(target)
    share = _share(words, _words(written))
    if not words or share < _SAME:
        return None
    state = value_state(target, written)
    if state == "conflicting":
        return "conflicting"
    if (_NOT.search(fold_text(target)) is None) != (_NOT.search(fold_text(written)) is None):
        return None  # one of them says no: what the note says is for the finders to judge
    return "present" if state == "stated" or (state == "none" and share >= _SAID) else None


@functools.lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    """The words of a text without its values: Latin words, and Chinese and Korean in pairs of characters."""
    results: set[str] = set()
    for match in _WORD.finditer(_NOT.sub(" ", replaced_values(text, " "))):
        word = match.group()
        if word in _WEAK:
            continue
        if word.isascii():
            results.add(word.removesuffix("s"))
        else:
            results.update(word[index : index + 2] for index in range(max(1, len(word) - 1)))
    return frozenset(results)


def _share(wanted: frozenset[str], held: frozenset[str]) -> float:
    return len(wanted & held) / len(wanted) if wanted else 0.0


def _key(text: str) -> str:
    return "".join(fold_text(text).split()).strip(_MARKS)
