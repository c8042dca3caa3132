"""What a short claim leaves out of the sentence that it is cut from: a condition, an exception, of whom alone it holds.

"Employees have 20 days" is not what "full-time employees have 20 days" says, though every word of it stands there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from rapidfuzz.distance import LCSseq

from turnmark.judges.rules import words
from turnmark.judges.rules.decision import LONG, Read
from turnmark.judges.rules.plain.matching import Words, match_all, numbered
from turnmark.judges.rules.plain.rows import Row
from turnmark.judges.rules.plain.scope import holds_most, says_nothing, says_of_all
from turnmark.judges.rules.plain.statements import Statement, asked_words, pattern, read_statement, word_list
from turnmark.judges.rules.plain.tokens import Token

_SHORT = 11
"""Units of a claim that may be cut out of a sentence, at most; a longer one says most of it."""
_LEAST = 2
"""Telling tokens of a claim that says anything by itself, at least."""
_ALTERED = 16
"""Units of a claim in which one word may stand in the place of another, at most."""
_CUT = 0.7
"""Share of a claim's weight that a sentence must hold for the claim to be cut out of it."""


def is_cut(read: Read) -> bool:
    """Whether what a short claim leaves out of the closest sentence may make it say something else."""
    if len(read.claim.sentences) != 1 or len(read.claim.units) >= LONG:
        return False
    number = read.measured.closest[0]
    sentence = read.material.sentences[number]
    conditions = pattern("conditions", read.claim.language)
    own = len(conditions.findall(f"{read.claim.compact} "))
    bound = len(conditions.findall(f"{sentence.folded} ")) > own
    short = len(read.claim.units) <= _SHORT
    if not bound and read.measured.values["covered_by_one"] < _CUT:
        return False
    claim = read_statement(read.claim, read.claim.sentences[0])
    statement = read_statement(read.material.readings[read.material.place(number)], sentence)
    if bound and any(
        len(conditions.findall(f"{part.words} ")) > own and holds_most(part.tokens, claim.telling)
        for part in statement.parts
    ):
        return True
    named = all(statement.telling.hold(each) for each in claim.telling)
    if says_nothing(claim, statement) or (named and says_of_all(read, claim, statement)):
        return True
    if not named or not short or len(claim.telling) < _LEAST:
        return False
    asked = asked_words(read.question.compact) if read.question is not None else ()
    return is_taken_back(read, number) or _is_narrowed(claim, statement, asked)


def stands_whole(read: Read) -> bool:
    """Whether a claim stands there word for word as a whole clause that nothing around it binds."""
    number, language = read.measured.closest[0], read.claim.language
    text, claim = read.material.sentences[number].folded, read.claim.compact.strip(MARKS)
    start = text.find(claim)
    before, behind = text[:start].rstrip(), text[start + len(claim) :]
    begins = (
        not before
        or before[-1] in _PARTING
        or before.endswith(_GO_ON)
        or before.rpartition(" ")[2] in _AND
        or _OPENS.match(claim) is not None
    )
    if start < 0 or not begins or not (claim.endswith(_GO_ON) or _ENDS.match(behind)):
        return False
    leading = _LAST.search(before[:-1])
    leads = leading.group() if leading is not None else ""
    follows = _FIRST.match(behind)
    conditions = pattern("conditions", language)
    bound = conditions.search(f"{leads} ") and not leads.endswith(_GO_ON)
    if bound or (follows is not None and conditions.search(f"{follows.group()} ")):
        return not is_cut(read)
    if before[-1:] in _COMMAS and only_opens(leads.strip(), before[-1:], language):
        return False
    return not is_taken_back(read, number)


MARKS = " ,;.!?；。，、！？\n"
"""What parts clauses; a colon may part a heading from what is said under it."""
_PARTING = frozenset(",;.!?；。，！？\n")
_GO_ON = ("고", "며", "지만", "는데", "으나")
_AND = frozenset(("while", "whereas", "but", "and", "although", "though", "unless", "except"))
_OPENS = re.compile(rf"(?:{'|'.join(sorted(_AND))})\s|[并且但]")
_ENDS = re.compile(rf"\s*(?:$|[,;.!?；。，！？\n]|{_OPENS.pattern})")
_LAST = re.compile("[^,;.!?；。，！？\n]*$")
_FIRST = re.compile("[,，]?[^,;.!?；。，！？\n]*")
_COMMAS = frozenset((",", "，"))


def is_bound(read: Read, row: Row) -> bool:
    """Whether a row denies or limits what it says, or its sentence binds it to a condition, and the claim does not."""
    language, mine = read.claim.language, f"{read.claim.compact} "
    limits, conditions = pattern("limits", language), pattern("conditions", language)
    if limits.search(f"{row.part.words} ") is not None or limits.search(mine) is not None:
        return True
    return conditions.search(f"{row.part.sentence.folded} ") is not None or is_taken_back(read, row.sentence)


def is_taken_back(read: Read, number: int) -> bool:
    """Whether the next sentence takes something out of one: "However, ...", 단, ..."""
    sentences, material = read.material.sentences, read.material
    if number + 1 >= len(sentences) or material.place(number + 1) != material.place(number):
        return False
    following = sentences[number + 1]
    return pattern("exceptions", following.language).search(following.folded) is not None


def _is_narrowed(claim: Statement, statement: Statement, asked: Sequence[Token]) -> bool:
    """Whether the words of a claim stand there in another order, behind a word that narrows them, or without a when.

    A word of the question narrows nothing: the claim answers for it.
    """
    mine, theirs = claim.telling, statement.telling
    used = match_all(mine, theirs, claim.language)
    if used is None:
        # A value may stand before or behind what it is the value of; other words may not change places.
        return match_all(_wordy(mine), _wordy(theirs), claim.language) is None
    first = used.index(True)
    clause = theirs[first].clause
    if is_limited(statement, {each.clause for each, held in zip(theirs, used, strict=True) if held}):
        return True
    if not any(each.value is not None for each in mine):
        dropped = [each for each, held in zip(theirs, used, strict=True) if not held and each.clause == clause]
        if any(each.value is not None and each.value.kind in ("date", "time") for each in dropped):
            return True
    before, folded = theirs[max(0, first - 1)], statement.folded
    leads = first and before.clause == clause and not Words(asked).hold(before)
    if not leads or pattern("back", claim.language).match(claim.folded):
        return False
    between = folded[before.end : theirs[first].start]
    if claim.language == "ko":
        return not any(form.role not in ("", "of", "verb") for form in before.forms)
    return between in ("", "的", " ", "-")


def _wordy(tokens: Sequence[Token]) -> list[Token]:
    return [each for each in tokens if each.value is None]


def is_altered(read: Read) -> bool:
    """Whether a short claim has another word in the place of one, in a phrase amid a clause: by letter, by email."""
    if len(read.claim.sentences) != 1 or len(read.claim.units) > _ALTERED or read.measured.values["verbatim"]:
        return False
    number = read.measured.closest[0]
    claim = read_statement(read.claim, read.claim.sentences[0])
    statement = read_statement(read.material.readings[read.material.place(number)], read.material.sentences[number])
    for part in statement.parts:
        mine, theirs = numbered((claim.telling, part.tokens))
        blocks = [block for block in LCSseq.opcodes(mine, theirs).as_matching_blocks() if block.size]
        if 2 * sum([block.size for block in blocks]) < len(mine):
            continue
        for one, other in pairwise(blocks):
            between = claim.telling[one.a + one.size : other.a]
            opens = _opens_phrase([claim.telling[one.a + one.size - 1], *between], claim.language)
            if (
                between
                and opens
                and one.b + one.size < other.b
                and not any(statement.telling.hold(each) for each in between)
            ):
                return True
    return False


def is_of_another(read: Read) -> bool:
    """Whether a short claim is taken from a statement about another thing than the one asked about or named.

    "Patel works in cardiology" has all its words in "Lee works in cardiology. Patel works in neurology", but for one
    that stands in a statement of the same kind beside it.
    """
    if len(read.claim.sentences) != 1 or len(read.claim.units) > _ALTERED:
        return False
    material, number = read.material, read.measured.closest[0]
    if len(material.sentences) > _MOST:
        return False
    taken = read_statement(material.readings[material.place(number)], material.sentences[number])
    said = list(read_statement(read.claim, read.claim.sentences[0]).telling)
    if read.question is not None:
        said += asked_words(read.question.compact)
    lacking = [each for each in _wordy(said) if not each.light and not taken.telling.hold(each)]
    own = [each for each in _wordy(taken.telling) if not each.light]
    if not lacking or not own:
        return False
    known = Words(said)
    units = frozenset(words.units(" ".join([each.key for each in lacking])))
    for place, sentence in enumerate(material.sentences):
        if place == number or units.isdisjoint(sentence.unit_set):
            continue
        there = read_statement(material.readings[material.place(place)], sentence).telling
        if not any(there.hold(each) for each in lacking):
            continue
        missing = [each for each in own if not there.hold(each)]
        if len(missing) < len(own) and not all(known.hold(each) for each in missing):
            return True
    return False


_MOST = 60
"""Sentences of material in which another statement of the same kind is looked for, at most."""


def _opens_phrase(tokens: Sequence[Token], language: str) -> bool:
    """Whether some words hold one that opens (in Korean: ends) a phrase of place, time or means."""
    openers = word_list("openers", language)
    roles = ("by", "place", "from", "to")
    return any(each.key in openers or any(form.role in roles for form in each.forms) for each in tokens)


def is_limited(statement: Statement, kept: set[int]) -> bool:
    """Whether a clause beside the kept ones says when, where or of whom alone they hold."""
    before, behind = min(kept) - 1, max(kept) + 1
    inner = [clause for clause in range(before + 2, behind - 1) if clause not in kept]
    return any(
        0 <= clause < len(statement.clauses) and _binds(statement, clause, leads=clause == before)
        for clause in (before, *inner, behind)
    )


def _binds(statement: Statement, clause: int, *, leads: bool) -> bool:
    """Whether a clause that a claim leaves out binds the one beside it; ``leads`` where it stands before that."""
    language = statement.language
    start, end = statement.clauses[clause]
    words = statement.folded[statement.clauses[clause - 1][1] if clause else start : end].strip(MARKS)
    if not any(each.clause == clause and not each.light for each in statement.tokens):
        return False
    if leads and pattern("exceptions", language).search(f"{words},"):
        return False
    found = pattern("conditions", language).search(f"{words} ")
    if found is not None:
        if language == "en":
            return not words[: found.start()].strip()
        return language == "zh" or not leads or pattern("goes_on", language).search(words) is None
    return leads and only_opens(words, statement.folded[end : end + 1], language)


def only_opens(words: str, behind: str, language: str) -> bool:
    """Whether a clause says but where or for whom the next one holds: in Europe, ...; Premium plan: ...

    ``behind`` is what stands right behind it.
    """
    if behind == ":":
        return True
    goes_on = pattern("goes_on", language).search(words) is not None
    if language == "ko":
        return not goes_on
    opening = _OPENING.match(words)
    if opening is not None and opening.group(1) in word_list("openers", language):
        return True
    return language == "zh" and not goes_on and _NUMBER.search(words) is None


_OPENING = re.compile(r"\W*([a-z]+|[\u3400-\u9fff])")
_NUMBER = re.compile("[0-9一二三四五六七八九十百千万亿]")
