"""What stands against a plain claim beside values and denials: words of another clause in the place of its own.

"The green jacket is made of wool" takes the wool from the blue one; "A is heavier than B" takes B for A; what is excepted
is said all the same; one must do what one may do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from turnmark.judges.rules.decision import Read
from turnmark.judges.rules.plain import Part, candidates, match_all, mode, parts_of, telling
from turnmark.judges.rules.signals import excludes
from turnmark.judges.rules.tokens import Statement, Token, alike, pattern, read_statement

_LONGEST = 40
_SAME = 0.5
"""Share of the tokens of a claim that the clause which it changes must hold."""
_FEWEST = 2
"""Telling tokens that a claim and the clause which it changes share, at least; an ideograph is half of one."""


class Against(NamedTuple):
    """Why a claim is contradicted, or supported, and by which sentence of the material."""

    reason: str
    sentence: int
    holds: bool = False


def turned(read: Read) -> Against | None:
    """How a comparison of the material bears on a claim that compares the same two the other way round."""
    for claim, number, statement in _pairs(read):
        found = _compared(claim, statement)
        if found is not None:
            return Against(found[0], number, found[1])
    return None


def stands_otherwise(read: Read) -> Against | None:
    """What a statement says in the place of a claim's words; None where nothing can be pointed at."""
    for claim, number, statement in _pairs(read):
        reason = _excepted(claim, statement) or _moded(read, claim, number) or _swapped(claim, parts_of(statement))
        if reason:
            return Against(reason, number)
    return None


def _pairs(read: Read) -> Iterator[tuple[Statement, int, Statement]]:
    if len(read.claim.sentences) != 1:
        return
    claim = read_statement(read.claim, read.claim.sentences[0])
    if len(claim.tokens) > _LONGEST:
        return
    for number in read.measured.closest:
        reading = read.material.readings[read.material.place(number)]
        yield claim, number, read_statement(reading, read.material.sentences[number])


class _Comparison(NamedTuple):
    """Who is compared, with whom, and what is said of the first, in folded words."""

    one: str
    other: str
    said: str


_COMPARED = {
    "en": re.compile(r"^(?P<one>.+?) (?:is|are|was|were|costs?|weighs?) (?P<said>.+?) than (?P<other>[^,.;]+)$"),
    "zh": re.compile(r"^(?P<one>[^,.;。比]+)比(?P<rest>[^,.;。比]+)$"),
    "ko": re.compile(r"^(?P<one>\S+?)(?:은|는|이|가) (?P<other>\S+)보다 (?P<said>[^,.;]+)$"),
}
_COMPARED_KO = re.compile(r"^(?P<other>\S+)보다 (?P<one>\S+?)(?:은|는|이|가) (?P<said>[^,.;]+)$")


def _compared(claim: Statement, statement: Statement) -> tuple[str, bool] | None:
    mine = _comparison(claim.sentence.folded, claim.language)
    if mine is None:
        return None
    for start, end in statement.clauses:
        theirs = _comparison(statement.sentence.folded[start:end], claim.language)
        if theirs is None:
            continue
        if claim.language == "zh":
            theirs, own = _with_ends(theirs, mine), _with_ends(mine, theirs)
        else:
            own = mine
        if theirs is None or own is None or (own.one, own.other) != (theirs.other, theirs.one):
            continue
        if _stem(own.said, claim.language) == _stem(theirs.said, claim.language):
            return "who is compared with whom is exchanged", False
        if excludes(own.said, theirs.said, claim.language):
            return "the same comparison the other way round", True
    return None


def _comparison(text: str, language: str) -> _Comparison | None:
    text = text.strip().rstrip(".。!").strip()
    match = _COMPARED[language].match(text) if language in _COMPARED else None
    if match is None and language == "ko":
        match = _COMPARED_KO.match(text)
    if match is None:
        return None
    found = match.groupdict()
    if language == "zh":
        return _Comparison(found["one"], found["rest"], "")
    one, other = (re.sub(r"^(?:the|a|an|our) ", "", found[name].strip()) for name in ("one", "other"))
    return _Comparison(one, other, found["said"].strip())


def _with_ends(one: _Comparison, other: _Comparison) -> _Comparison | None:
    """A Chinese comparison, whose second part no word ends: it is the first part of the other one."""
    if not one.other.startswith(other.one):
        return None
    return _Comparison(one.one, other.one, one.other[len(other.one) :])


def _stem(said: str, language: str) -> str:
    return re.sub(r"(?:습니다|ㅂ니다|어요|아요|다|고|며)$", "", said) if language == "ko" else said


_EXCEPTED = {
    "en": re.compile(r"\b(?:except|excluding|other than|apart from)\b(?: for| in| on| at)? (?P<what>[^,.;]+)"),
    "zh": re.compile(r"除了?(?P<what>[^,.。;]{1,12}?)(?:以外|之外|外)(?![^。]*[还也])|(?:^|[,，])(?P<behind>[^,.。;]{1,12}?)除外"),
    "ko": re.compile(r"(?P<what>[가-힣A-Za-z0-9 ]{1,16}?)(?:을|를|은|는)? ?(?:제외|빼고|빼면)"),
}


def _excepted(claim: Statement, statement: Statement) -> str:
    """What is excepted from a statement, where a claim says it of that too; "" where nothing is."""
    language = claim.language
    match = _EXCEPTED[language].search(statement.sentence.folded) if language in _EXCEPTED else None
    if match is None or _EXCEPTED[language].search(claim.sentence.folded):
        return ""
    limits = pattern("limits", language)
    rest = statement.sentence.folded.replace(match.group(), " ")
    if len(limits.findall(claim.sentence.folded + " ")) % 2 != len(limits.findall(rest + " ")) % 2:
        return ""
    mine, theirs = telling(claim), telling(statement)
    start, end = match.span("what") if match.group("what") else match.span("behind")
    what = [each for each in theirs if start <= each.start < end]
    if not what or not all(any(alike(each, own) for own in mine) for each in what):
        return ""
    main = [each for each in theirs if not match.start() <= each.start < match.end()]
    held = [own for own in mine if any(alike(own, each) for each in (*main, *what))]
    if len(held) < len(mine) or len(held) <= len(what):
        return ""
    return f"excepted: {match.group().strip(' ,')}"


def _moded(read: Read, claim: Statement, number: int) -> str:
    """One must do what a statement says that one may, in the very words."""
    if mode(claim.sentence.folded, claim.language) != "must":
        return ""
    mine = telling(claim)
    for parts in candidates(read, number):
        if len(parts) == 1 and mode(parts[0].words, claim.language) == "may":
            used = match_all(mine, parts[0].tokens, claim.language)
            if used is not None and not pattern("denied", claim.language).search(claim.sentence.folded):
                return "must ≠ may"
    return ""


def _swapped(claim: Statement, parts: Sequence[Part]) -> str:
    """The words that a claim takes from one clause to say them in another one of the same build; "" where it does not."""
    mine = telling(claim)
    for part in parts:
        own = _in_order_of(mine, part.tokens) if claim.language == "ko" else list(mine)
        change = _one_change(own, part.tokens, claim.language)
        if change is None:
            continue
        (first, behind), (start, end) = change
        taken, instead = own[first:behind], part.tokens[start:end]
        if not taken or not instead:
            continue
        for other in parts:
            if other is not part and _stands_for(other.tokens, part.tokens, taken, (start, end)):
                return f"{_written(claim, taken)} is said of something else; here {_written(part.statement, instead)}"
    return ""


def _written(statement: Statement, tokens: Sequence[Token]) -> str:
    first = min(tokens, key=lambda each: each.start)
    last = max(tokens, key=lambda each: each.end)
    return statement.sentence.folded[first.start : last.end]


def _in_order_of(mine: Sequence[Token], theirs: Sequence[Token]) -> list[Token]:
    """The Korean words of a claim in the order of a clause; those that it does not hold stay behind their neighbour."""
    places: list[tuple[int, int]] = []
    used: set[int] = set()
    last = -1
    for index, each in enumerate(mine):
        place = next((at for at, other in enumerate(theirs) if at not in used and alike(each, other)), None)
        if place is not None:
            used.add(place)
            last = place
        places.append((last, index))
    return [mine[index] for _, index in sorted(places)]


def _numbered(lists: Sequence[Sequence[Token]]) -> list[list[int]]:
    """Tokens as numbers, those that say the same being equal."""
    known: list[Token] = []
    results = []
    for tokens in lists:
        numbers = []
        for each in tokens:
            number = next((at for at, other in enumerate(known) if alike(each, other)), None)
            if number is None:
                number = len(known)
                known.append(each)
            numbers.append(number)
        results.append(numbers)
    return results


Span = tuple[int, int]


def _changes(mine: Sequence[int], theirs: Sequence[int], reach: int) -> list[tuple[Span, Span]]:
    """Where two lists differ; changes with hardly anything between them are one."""
    results: list[tuple[Span, Span]] = []
    for step in Levenshtein.opcodes(mine, theirs):
        if step.tag == "equal":
            continue
        here, there = (step.src_start, step.src_end), (step.dest_start, step.dest_end)
        if results and here[0] - results[-1][0][1] < reach:
            before = results.pop()
            here, there = (before[0][0], here[1]), (before[1][0], there[1])
        results.append((here, there))
    return results


def _one_change(mine: Sequence[Token], theirs: Sequence[Token], language: str) -> tuple[Span, Span] | None:
    """The one place at which a claim and a clause differ; None where they differ more, or not at all."""
    own, other = _numbered((mine, theirs))
    changes = _changes(own, other, _reach(language))
    if len(changes) != 1:
        return None
    (first, behind), (start, end) = changes[0]
    same = len(own) - (behind - first)
    least = _FEWEST * (2 if language == "zh" else 1)
    if same < least or same < _SAME * max(len(own), len(other)):
        return None
    return changes[0]


def _reach(language: str) -> int:
    return 2 if language == "zh" else 1


def _stands_for(other: Sequence[Token], part: Sequence[Token], taken: Sequence[Token], place: Span) -> bool:
    """Whether another clause holds the words that a claim takes in that very place, and differs elsewhere too."""
    theirs, own, mine = _numbered((other, part, taken))
    for start in range(len(theirs) - len(mine) + 1):
        if theirs[start : start + len(mine)] != mine:
            continue
        for reach in (1, 2):
            changes = _changes(theirs, own, reach)
            here = [each for each in changes if each[1] == place and each[0] == (start, start + len(mine))]
            if here and len(changes) > 1:
                return True
    return False
