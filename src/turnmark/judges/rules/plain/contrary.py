"""What stands against a short claim beside values, in the very words of one clause.

"The green jacket is made of wool" takes the wool from the blue one; what is excepted is said
all the same; one must do what one may do; what is denied is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from turnmark.judges.rules.decision import Decision, Read
from turnmark.judges.rules.learned.features import coverage
from turnmark.judges.rules.plain.comparisons import COMPARES, exchanged
from turnmark.judges.rules.plain.matching import alike, match_all, numbered
from turnmark.judges.rules.plain.only import rules_out, says_only, shares_words
from turnmark.judges.rules.plain.short_answers import ANSWERED, denies_first
from turnmark.judges.rules.plain.statements import Part, Statement, denies, mode, pattern, read_statement
from turnmark.judges.rules.plain.tokens import Token

_COVERED = 0.5
"""Share of a claim's weight that a sentence must hold to say something against it."""
_LONGEST = 40
"""A claim of more tokens is no short statement."""
_SAME = 0.5
"""Share of the tokens of a claim that the clause which it changes must hold."""
_FEWEST, _FEWEST_ZH = 2, 1.5
"""Telling tokens that a claim and the clause which it changes share, at least; an ideograph is half of one."""


def stands_otherwise(read: Read, giving: Sequence[int]) -> tuple[Decision, int] | None:
    """What one of the sentences ``giving`` the values of a claim says in the place of its words, and its number.

    None where nothing can be pointed at.
    """
    compares = COMPARES.search(read.claim.compact) is not None
    for number in giving:
        sentence = read.material.sentences[number]
        if not compares and coverage(read.claim.weights, sentence.unit_set) < _COVERED:
            continue
        claim = read_statement(read.claim, read.claim.sentences[0])
        statement = read_statement(read.material.readings[read.material.place(number)], sentence)
        compared = exchanged(claim, statement) if compares else _ruled_out(claim, statement)
        if compared is not None:
            return compared, number
        if len(claim.tokens) > _LONGEST or not _likely(claim, statement):
            continue
        reason = (
            _excepted(claim, statement)
            or _moded(claim, statement)
            or _swapped(claim, statement.parts)
            or _denied(claim, statement.parts, says_no=denies_first(read.claim))
        )
        if reason:
            return Decision("contradicted", reason), number
    return None


_EXCEPTED = {
    "en": re.compile(r"\b(?:except|excluding|other than|apart from)\b(?: for| in| on| at)? (?P<what>[^,.;]+)"),
    "zh": re.compile(
        r"除了?(?P<what>[^,.。;]{1,12}?)(?:以外|之外|外)(?![^。]*[还也])|(?:^|[,，])(?P<behind>[^,.。;]{1,12}?)除外"
    ),
    "ko": re.compile(r"(?P<what>[가-힣A-Za-z0-9 ]{1,16}?)(?:을|를|은|는)? ?(?:제외|빼고|빼면)"),
}


def _excepted(claim: Statement, statement: Statement) -> str:
    """What is excepted from a statement, where a claim says it of that too; "" where nothing is."""
    language = claim.language
    match = _EXCEPTED[language].search(statement.folded) if language in _EXCEPTED else None
    if match is None or _EXCEPTED[language].search(claim.folded):
        return ""
    limits = pattern("limits", language)
    rest = statement.folded.replace(match.group(), " ")
    if len(limits.findall(claim.folded + " ")) % 2 != len(limits.findall(rest + " ")) % 2:
        return ""
    mine, theirs = claim.telling, statement.telling
    start, end = next(match.span(name) for name in ("what", "behind") if match.groupdict().get(name))
    what = [each for each in theirs if start <= each.start < end]
    if not what or not all(any(alike(each, own) for own in mine) for each in what):
        return ""
    held = [own for own in mine if any(alike(own, each) for each in theirs)]
    if len(held) < len(mine) or len(held) <= len(what):
        return ""
    return f"excepted: {match.group().strip(' ,')}"


def _moded(claim: Statement, statement: Statement) -> str:
    """One must do what a clause says that one may, in the very words; "" where that is not so."""
    language = claim.language
    if mode(claim.folded, language) != "must" or pattern("denied", language).search(claim.folded):
        return ""
    for part in statement.parts:
        if mode(part.words, language) == "may" and match_all(claim.telling, part.tokens, language) is not None:
            return "must ≠ may"
    return ""


def _ruled_out(claim: Statement, statement: Statement) -> Decision | None:
    """What a statement says of a claim that speaks of another way than the only one that it leaves open."""
    language = claim.language
    if says_only(claim.folded, language) or not says_only(statement.folded, language):
        return None
    denied = len(pattern("denied", language).findall(claim.folded))
    if denied >= _TWICE or not shares_words(claim.telling, statement):
        return None
    for part in statement.parts:
        if rules_out(claim.folded, part.words, language, statement.folded):
            reason = f"excepted: {part.words.strip()}"
            return Decision("supported", ANSWERED) if denied else Decision("contradicted", reason)
    return None


_TWICE = 2


def _likely(claim: Statement, statement: Statement) -> bool:
    """Whether a statement holds enough words of a claim for one to be a change of the other."""
    mine, theirs = numbered((claim.telling, statement.telling))
    known = frozenset(theirs)
    return sum([each in known for each in mine]) >= _SAME * len(mine)


def _swapped(claim: Statement, parts: Sequence[Part]) -> str:
    """The words that a claim takes from one clause to say them in another of the same build; "" where none."""
    mine = claim.telling
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
                here = _written(part.sentence.folded, instead)
                return f"said of something else: {_written(claim.folded, taken)} ≠ {here}"
    return ""


def _written(folded: str, tokens: Sequence[Token]) -> str:
    first = min(tokens, key=lambda each: each.start)
    last = max(tokens, key=lambda each: each.end)
    return folded[first.start : last.end]


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
    own, other = numbered((mine, theirs))
    changes = _changes(own, other, _reach(language))
    if len(changes) != 1:
        return None
    (first, behind), (start, end) = changes[0]
    same = [each for at, each in enumerate(mine) if not first <= at < behind]
    said = sum([1 if language != "zh" or each.value is not None else 0.5 for each in same])
    if said < (_FEWEST if language != "zh" else _FEWEST_ZH) or len(same) < _SAME * max(len(own), len(other)):
        return None
    return (first, behind), (start, end)


def _reach(language: str) -> int:
    return 2 if language == "zh" else 1


def _stands_for(other: Sequence[Token], part: Sequence[Token], taken: Sequence[Token], place: Span) -> bool:
    """Whether another clause holds the words that a claim takes in that very place, and differs elsewhere too."""
    theirs, own, mine = numbered((other, part, taken))
    for reach in (1, 2):
        changes = _changes(theirs, own, reach)
        for here, there in changes:
            if not there[0] <= place[0] <= place[1] <= there[1]:
                continue
            # What a change holds beside the words stands before them: a clause that goes on leaves its subject out.
            end = here[1] - (there[1] - place[1])
            start = end - len(mine)
            further = len(changes) > 1 or there[0] < place[0]
            if further and start >= here[0] and theirs[start:end] == mine:
                return True
    return False


def _denied(claim: Statement, parts: Sequence[Part], *, says_no: bool) -> str:
    """What a statement denies and a claim says, or the other way round, in the same words; "" where neither does."""
    language = claim.language
    if language not in _THERE_IS:
        return ""
    mine, own = _without_denials(claim.telling, language)
    own -= says_no  # a no denies what was asked: No, the deposit is not required
    if len(mine) < (_FEWEST if language != "zh" else _FEWEST * 2):
        return ""
    for part in parts:
        tokens, denials = _without_denials(part.tokens, language)
        if (
            own % 2 == denials % 2
            or (len(mine) != len(tokens) and denials % 2)
            or mode(claim.folded, language) != mode(part.words, language)
        ):
            continue
        used = match_all(mine, tokens, language)
        if used is not None and (all(used) or _adds(part, tokens, used)):
            return f"negated: {part.words.strip()}"
    return ""


def _adds(part: Part, tokens: Sequence[Token], used: Sequence[bool]) -> bool:
    """Whether the words of a clause beside those that a claim denies only say when or how: within 7 days."""
    language = part.sentence.language
    bound = pattern("conditions", language).search(f"{part.sentence.folded} ") or says_only(part.words, language)
    more = [at for at, held in enumerate(used) if not held]
    return not bound and more[0] > 0 and len(more) <= _MORE and any(tokens[at].value is not None for at in more)


_MORE = 3
"""Telling tokens that a clause may hold beside those of a claim that denies it, at most."""
_THERE_IS = {"zh": frozenset("有所全部都被"), "ko": frozenset(("있", "모든"))}
"""Words that stand beside a predicate on one side only: 设有限额, 不设限额; 所有 where nothing is."""


def _without_denials(tokens: Sequence[Token], language: str) -> tuple[list[Token], int]:
    """The tokens of a statement without the words that deny it, and how many these are."""
    results, denials = [], 0
    for each in tokens:
        stems = {form.stem for form in each.forms} | {each.key}
        if denies(each, language):
            denials += 1
        elif stems.isdisjoint(_THERE_IS[language]):
            results.append(each)
    return results, denials
