"""Explicit conflicts between a claim and its material beside values: a negated predicate, another name.

Only what can be pointed at is called a contradiction; everything else that lacks support is undetermined. Precision
comes first: the sentence must be about the same thing, and the differing words must stand in the same place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rapidfuzz.distance import LCSseq, Levenshtein

from turnmark.judges.rules import words
from turnmark.judges.rules.learned.features import Measured, coverage
from turnmark.judges.rules.material import Material
from turnmark.judges.rules.names import SLOT, is_name
from turnmark.judges.rules.reading import Reading, Sentence
from turnmark.judges.rules.signals import opposite
from turnmark.language.text.fold import fold
from turnmark.language.values.opposition.polarity import split_words

_SAME_TOPIC = 0.5
_SAME_STATEMENT = 0.7
_VERBATIM = 0.8
_REACH = 2
"""Units behind an English denying word that it can govern; Chinese and Korean count characters."""
_WORD = 2
"""Shorter Chinese and Korean words stand in too many others to be pointed at."""
_FRAME = 2
"""Equal characters on both sides of a replaced word."""

EXCEPTION = re.compile(
    r"(?i)\b(?:except|unless|other than|apart from)\b|除.{1,12}外|除非|제외|외에|다만|단,|(?:only|sole|one) exception"
)
"""What takes something out of a statement: then its parts are said and denied at once."""


class Conflict(NamedTuple):
    """What stands against a claim: the reason, and the sentence (by number in the material) with the words' span.

    ``explicit`` is false where rare words stand in place of others and may yet mean the same: then the claim is not
    contradicted, but it is not supported either. ``denied`` is true where one side denies what the other says.
    """

    reason: str
    sentence: int
    start: int
    end: int
    explicit: bool = True
    denied: bool = False


def find_conflict(claim: Reading, material: Material, measured: Measured) -> Conflict | None:
    """The first explicit conflict with one of the closest sentences, None when there is none."""
    for number in measured.closest:
        sentence = material.sentences[number]
        negation = (
            _negation(claim, sentence, number)
            or _opposite(claim, sentence, number)
            or _name(claim, material, sentence, number)
            or _slot(claim, sentence, number)
        )
        if negation is not None:
            return negation
    return None


def _negation(claim: Reading, sentence: Sentence, number: int) -> Conflict | None:
    """A content unit that one side denies wherever it holds it, and the other nowhere."""
    denied = any(own.signals.negations for own in claim.sentences)
    if denied and advises_against(sentence):
        return None
    if EXCEPTION.search(claim.text) or EXCEPTION.search(sentence.text):
        return None
    if denied == bool(sentence.signals.negations) or not _same_but_for_denial(claim, sentence):
        return None
    if len(claim.units) >= _LONG_STATEMENT and _in_order(claim, sentence) < _SAME_ORDER:
        return None
    theirs = _governed(sentence)
    spans = theirs or [span for own in claim.sentences for span in _governed(own)]
    for unit in claim.weights:
        if unit not in claim.content or (len(unit) == 1 and unit.isascii()):
            continue  # the letter of a code is no predicate
        if unit not in sentence.unit_set or not any(unit in text for text, _ in spans):
            continue
        text = sentence.folded if theirs else claim.folded.text
        if text.count(unit) == sum([unit in governed for governed, _ in spans]):
            start, end = theirs[0][1] if theirs else (0, len(sentence.folded))
            return Conflict(
                f"negated: {_denied_words(unit, spans, sentence, claim)}",
                number,
                *_original(sentence, start, end),
                denied=True,
            )
    return None


def _denied_words(unit: str, spans: list[tuple[str, tuple[int, int]]], sentence: Sentence, claim: Reading) -> str:
    """What is denied, as people read it: the word; in Korean the words up to the denial, since one tells little."""
    span = next((span for governed, span in spans if unit in governed), None)
    if sentence.language != "ko" or span is None or not sentence.signals.negations:
        return as_written(unit, sentence.text, claim.text)
    end = span[1] + len(_END_OF_WORD.split(sentence.folded[span[1] :], maxsplit=1)[0])
    return " ".join(sentence.folded[:end].split()[-_DENIED_WORDS:])


_DENIED_WORDS = 4
_END_OF_WORD = re.compile("[^가-힣]")


def as_written(unit: str, *texts: str) -> str:
    """The first word of the texts that a unit stands for, as people read it: "carries" for the stem "carri"."""
    if not unit.isascii():
        return unit
    found = (word for text in texts for word in _WRITTEN.findall(text) if unit in words.units(fold(word).text))
    return next(found, unit)


_WRITTEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9'’-]*")
_LONG_STATEMENT, _SAME_ORDER = 12, 0.65
"""Of a statement of so many units that share must stand in the other side in the same order: words may be shared."""


def _in_order(claim: Reading, sentence: Sentence) -> float:
    """Share of the units of a claim that a sentence holds in the same order."""
    return LCSseq.similarity(claim.units, sentence.units) / len(claim.units)


def advises_against(sentence: Sentence) -> bool:
    """Whether a sentence forbids or advises against something without a word that denies: 삼가, avoid, 避免."""
    return any(word in sentence.folded for word in split_words(words.lists().avoidance.get(sentence.language, "")))


def _same_but_for_denial(claim: Reading, sentence: Sentence) -> bool:
    """Whether a claim and a sentence share a statement, the words aside by which one of them is denied.

    In 不收取 and 부과하지 않습니다 the denying word changes the units around it, which the other side cannot hold.
    """
    mine = claim.content.difference(*[_around_denials(own) for own in claim.sentences])
    held = _share(claim.weights, mine, sentence.unit_set)
    if held >= _SAME_STATEMENT or not sentence.signals.negations:
        return held >= _SAME_STATEMENT
    content = {unit for unit, weight in sentence.weights.items() if weight > words.LIGHT}
    theirs = frozenset(content - _around_denials(sentence))
    return held >= _SAME_TOPIC and _share(sentence.weights, theirs, claim.unit_set) >= _SAME_STATEMENT


def _around_denials(sentence: Sentence) -> set[str]:
    """The units that a denying word is a part of, or stands in: in Chinese its neighbours, in Korean the ending too."""
    if sentence.language not in _ENDING:
        return set()
    text, before = sentence.folded, _ENDING[sentence.language]
    results: set[str] = set()
    for first, last in sentence.signals.negations:
        end = last + 1
        while sentence.language == "ko" and text[end : end + 1].isalpha():
            end += 1
        results.update(words.units(text[max(0, first - before) : first]) if sentence.language == "ko" else ())
        results.update(words.units(text[max(0, first - 1) : end]))
    return results


_ENDING = {"zh": 1, "ko": 4}
"""Characters before a denying word that it changes."""


def _share(weights: Mapping[str, int], units: frozenset[str], found: frozenset[str]) -> float:
    """Share of the weight of some units that another text holds; 0 when there are none."""
    total = sum([weights[unit] for unit in units])
    return sum([weights[unit] for unit in units & found]) / total if total else 0.0


def _original(sentence: Sentence, start: int, end: int) -> tuple[int, int]:
    whole = sentence.whole
    offset = whole.from_original(sentence.start, sentence.end)[0]
    return whole.to_original(start + offset, end + offset)


def _governed(sentence: Sentence) -> list[tuple[str, tuple[int, int]]]:
    """The stretch next to each denying word that it governs, as units are written in it, and its span."""
    text, language = sentence.folded, sentence.language
    results = []
    for first, last in sentence.signals.negations:
        if language == "ko":
            start, end = max(0, first - 9), first
        else:
            start, end = last, min(len(text), last + (5 if language == "zh" else 24))
        governed = " ".join(words.units(text[start:end])[:_REACH]) if language == "en" else text[start:end]
        results.append(
            (governed.replace(" ", "") if language == "ko" else governed, (min(start, first), max(end, last)))
        )
    return results


def _opposite(claim: Reading, sentence: Sentence, number: int) -> Conflict | None:
    for own in claim.sentences:
        if len(own.signals.negations) % 2 != len(sentence.signals.negations) % 2:
            continue
        result = opposite(own.signals, sentence.signals, claim.language)
        if result is None or (claim.language != "en" and min(len(result.mine), len(result.theirs)) < _WORD):
            continue
        turning = set(words.units(result.mine))
        rest = {unit: weight for unit, weight in own.weights.items() if unit not in turning and weight > words.LIGHT}
        if rest and coverage(rest, sentence.unit_set) >= _SAME_STATEMENT:
            first, last = _original(sentence, result.start, result.end)
            return Conflict(f"opposite: {result.mine} ≠ {result.theirs}", number, first, last)
    return None


def _slot(claim: Reading, sentence: Sentence, number: int) -> Conflict | None:
    """Rare words in place of others, all around them being equal (Chinese and Korean, which have no capitals)."""
    if claim.language not in ("zh", "ko") or len(claim.sentences) > 1:
        return None
    mine, theirs = claim.sentences[0].folded, sentence.folded
    if mine in theirs or max(len(mine), len(theirs)) > _LONGEST:
        return None
    changes = _blocks(mine, theirs)
    equal = sum([change.here[1] - change.here[0] for change in changes if change.equal]) / max(len(mine), 1)
    if equal < _SAME_TOPIC:
        return None
    for index, change in enumerate(changes):
        here, there = mine[slice(*change.here)], theirs[slice(*change.there)]
        if change.equal or not _framed(changes, index):
            continue
        named = is_name(here, claim.language) and is_name(there, claim.language)
        if named or (equal >= _VERBATIM and _rare(here) and _rare(there)):
            reason = f"{'name' if named else 'word'} {here} ≠ {there}"
            return Conflict(reason, number, *_original(sentence, *change.there), named)
    return None


_LONGEST = 4000
"""Longer sentences are not put side by side."""


class _Block(NamedTuple):
    """A stretch of two texts that is equal in both, or stands in one for what stands in the other."""

    equal: bool
    here: tuple[int, int]
    there: tuple[int, int]


def _blocks(mine: Sequence[str], theirs: Sequence[str]) -> list[_Block]:
    """Two texts side by side; changes next to each other are one block."""
    blocks: list[_Block] = []
    for step in Levenshtein.opcodes(mine, theirs):
        block = _Block(step.tag == "equal", (step.src_start, step.src_end), (step.dest_start, step.dest_end))
        if blocks and not blocks[-1].equal and not block.equal:
            last = blocks.pop()
            block = _Block(False, (last.here[0], block.here[1]), (last.there[0], block.there[1]))
        blocks.append(block)
    return blocks


def _framed(blocks: list[_Block], place: int) -> bool:
    """Whether what stands on both sides of a block is equal, or the statement ends there."""
    frame = [blocks[side] for side in (place - 1, place + 1) if 0 <= side < len(blocks)]
    return all(side.here[1] - side.here[0] >= _FRAME for side in frame)


def _rare(text: str) -> bool:
    """Whether a few characters are words that no frequency table holds: names, mostly."""
    return SLOT.fullmatch(text) is not None and all(words.weight(unit) >= words.UNSEEN for unit in words.units(text))


def _name(claim: Reading, material: Material, sentence: Sentence, number: int) -> Conflict | None:
    """Another name in the same place of an otherwise equal statement (English: names are told by capitals)."""
    lost = material.lacking(claim.name_set)
    if not lost:
        return None
    rest = {unit: weight for unit, weight in claim.weights.items() if unit not in lost and weight > words.LIGHT}
    if not rest or coverage(rest, sentence.unit_set) < _SAME_STATEMENT:
        return None
    reading = material.readings[material.place(number)]
    opening = _opening_name(sentence)
    mine = [unit for own in claim.sentences for unit in own.units]
    changes = _blocks(mine, sentence.units)
    for index, change in enumerate(changes):
        size = max(change.here[1] - change.here[0], change.there[1] - change.there[0])
        if change.equal or size > _SLOT_SIZE or not _stands_between(changes, index):
            continue
        here = [unit for unit in mine[slice(*change.here)] if unit in lost]
        there = [
            unit
            for unit in sentence.units[slice(*change.there)]
            if (unit in reading.name_set or unit in opening) and unit not in claim.unit_set
        ]
        if here and there and not _shortened(here[0], there[0]):
            names = as_written(here[0], claim.text), as_written(there[0], sentence.text)
            return Conflict(f"name {names[0]} ≠ {names[1]}", number, sentence.start, sentence.end)
    return None


def _shortened(one: str, other: str) -> bool:
    """Whether one name is the other cut short, which is no other name: Mon and Monday, Sept and September."""
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) >= _CUT and longer.startswith(shorter)


_CUT = 3
"""Letters that a name cut short has left, at least."""
_SLOT_SIZE = 3
"""Units that a name in a slot has at most, with what belongs to it."""


def _stands_between(blocks: list[_Block], index: int) -> bool:
    """Whether equal units stand on both sides of a block, or on one where the statement begins or ends there."""
    before = index == 0 or blocks[index - 1].equal
    behind = index == len(blocks) - 1 or blocks[index + 1].equal
    return before and behind and len(blocks) > 1


def _opening_name(sentence: Sentence) -> list[str]:
    """The units of a sentence's first word, if it is capitalised: it may be a name."""
    own = sentence.text
    return words.units(words.folded(own.split(" ", 1)[0])) if own[:1].isupper() else []
