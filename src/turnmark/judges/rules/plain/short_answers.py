"""A short answer read together with its question: "Premium" says that the Premium plan is the one that was asked about.

Question and answer must stand in one clause of the material: then it says so, whatever else it says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnmark.judges.rules import words
from turnmark.judges.rules.decision import Decision, Read
from turnmark.judges.rules.directness import asks_for, polarity_of
from turnmark.judges.rules.learned.features import coverage
from turnmark.judges.rules.plain.matching import alike, match_all
from turnmark.judges.rules.plain.statements import Part, asked_words, denies, mode, pattern, read_statement, word_list
from turnmark.judges.rules.plain.tokens import Token
from turnmark.judges.rules.reading import Reading

_SHORT = 8
"""Telling tokens that a short answer holds at most; of Chinese twice as many."""
_UNITS = 16
"""Units of one, at most."""
_COVERED = 0.4
"""Share of a short answer's weight that the sentence which it is taken from holds, at least."""
_ASKED = 0.7
"""Share of a question's telling words that a clause must hold to be about it."""
ANSWERED = "stands in the clause that the question asks for"


def answered(read: Read, giving: Sequence[int]) -> Decision | None:
    """Supported by the clause that a question asks for; None where no clause tells, and for a yes or a no.

    ``giving`` are the sentences that give every value of the answer.
    """
    if read.question is None or len(read.claim.sentences) != 1 or len(read.question.sentences) != 1:
        return None
    if bare_polarity(read.claim, read.question):
        return None
    if len(read.claim.units) > _UNITS or asks_for(read.question) in ("none", "yes_no") or outright_opening(read.claim):
        return None
    return _named(read, read.question, giving)


def outright_opening(claim: Reading) -> int:
    """1 for a text that opens with a yes, -1 with a no, 0 for any other."""
    opening = next((value for value in claim.passage.values if value.kind == "truth"), None)
    if opening is not None:
        return 1 if opening.low > 0 else -1
    return polarity_of(claim.text)


def denies_first(claim: Reading) -> bool:
    """Whether a text opens with a no that stands apart: No, by card only; 아니요, ...; 不可以，..."""
    opening = next((value for value in claim.passage.values if value.kind == "truth"), None)
    return opening is not None and opening.low <= 0 and claim.text[opening.end :].lstrip()[:1] in _APART


_APART = frozenset(",，、.。;；!！")


def bare_polarity(claim: Reading, question: Reading) -> int:
    """1 or -1 for a yes or a no that says nothing else but words of the question: Yes, you can; 네, 가능합니다."""
    polarity = outright_opening(claim)
    if not polarity:
        return _restated(claim, question)
    opening = next((value.text for value in claim.passage.values if value.kind == "truth"), claim.text)
    asked = read_statement(question, question.sentences[0]).telling
    statement = read_statement(claim, claim.sentences[0])
    skipped = claim.compact.find(words.folded(opening)) + len(words.folded(opening))
    rest = [each for each in statement.telling if each.start >= skipped]
    denials = pattern("denied", claim.language)
    said = [each for each in rest if denials.search(each.key) is None]
    if any(not any(alike(each, other) for other in asked) for each in said):
        return 0
    denied = len(rest) > len(said)
    return polarity if denied == (polarity < 0) or not rest else 0


def is_restated(read: Read) -> bool:
    """Whether a claim says but what was asked, in words that do not stand together in the material."""
    if read.question is None or read.measured.values["verbatim"] or len(read.claim.sentences) != 1:
        return False
    return bare_polarity(read.claim, read.question) != 0


def _restated(claim: Reading, question: Reading) -> int:
    """1 or -1 for a text that says or denies but what was asked, in words of the question: You cannot return it."""
    if asks_for(question) != "yes_no" or claim.language != question.language:
        return 0
    denials = pattern("denied", claim.language)
    mine = read_statement(claim, claim.sentences[0]).telling
    asked = read_statement(question, question.sentences[0]).telling
    said = [each for each in mine if not denies(each, claim.language)]
    denied = len(denials.findall(claim.compact))
    if not said or denied > 1 or pattern("conditions", claim.language).search(f"{claim.compact} "):
        return 0
    if mode(claim.compact, claim.language) == "must" or not all(
        any(alike(each, own) for own in asked) for each in said
    ):
        return 0
    return -1 if denied else 1


def _holds(read: Read, number: int) -> bool:
    """Whether a sentence holds enough of a short answer."""
    return coverage(read.claim.weights, read.material.sentences[number].unit_set) >= _COVERED


def _clauses(read: Read, numbers: Sequence[int]) -> Iterator[tuple[int, Part]]:
    """The clauses of some sentences, questions aside."""
    for number in numbers:
        reading = read.material.readings[read.material.place(number)]
        sentence = read.material.sentences[number]
        if sentence.text.rstrip().endswith(("?", "？")):
            continue
        for part in read_statement(reading, sentence).parts:
            yield number, part


def _named(read: Read, question: Reading, giving: Sequence[int]) -> Decision | None:
    """Supported where the clause that a question is about holds the words and values of a short answer."""
    close = [number for number in giving if _holds(read, number)]
    if not close:
        return None
    mine = read_statement(read.claim, read.claim.sentences[0]).telling
    size = _SHORT * (2 if read.claim.language == "zh" else 1)
    if not mine or len(mine) > size or any(own.signals.negations for own in read.claim.sentences):
        return None
    asked = [each for each in asked_words(question.compact) if not any(alike(each, own) for own in mine)]
    asked = [each for each in asked if each.key not in word_list("openers", question.language)]
    if not asked:
        return None
    denies = any(own.signals.negations for own in question.sentences)
    for number, part in _clauses(read, close):
        if (
            _held(asked, part.tokens) < _ASKED
            or bool(pattern("denied", question.language).search(part.words)) != denies
        ):
            continue
        if _together(mine, part) and not pattern("limits", question.language).search(f"{_before(part, mine)} "):
            return Decision("supported", ANSWERED, _place(read, number))
    return None


def gives_all(reference: Reading, answer: Reading, question: Reading) -> bool:
    """Whether a short answer stands in a clause of a reference that repeats the question and says nothing else like it.

    "15 days" answers for "full-time employees have 15 days a year", not for "3 days to Seoul, 5 days to Jeju".
    """
    if asks_for(question) in ("none", "yes_no") or len(answer.sentences) != 1 or len(reference.sentences) != 1:
        return False
    mine = read_statement(answer, answer.sentences[0]).telling
    statement = read_statement(reference, reference.sentences[0])
    size = _SHORT * (2 if answer.language == "zh" else 1)
    if not mine or len(mine) > size or any(own.signals.negations for own in (*answer.sentences, *reference.sentences)):
        return False
    part = next((each for each in statement.parts if _together(mine, each)), None)
    asked = [each for each in asked_words(question.compact) if each.key not in word_list("openers", question.language)]
    if (
        part is None
        or not asked
        or _held(asked, statement.telling) < _ASKED
        or pattern("conditions", reference.language).search(f"{statement.folded} ")
    ):
        return False
    values = [each.value for each in mine if each.value is not None]
    others = [each.value for each in statement.telling if each.value is not None]
    if not values:
        return len(statement.parts) == 1
    return not any(
        (one.kind, one.unit) == (other.kind, other.unit) and one.low != other.low for one in values for other in others
    )


def _held(mine: Sequence[Token], theirs: Sequence[Token]) -> float:
    """Share of some words (at least one) that stand among others."""
    return sum([any(alike(each, other) for other in theirs) for each in mine]) / len(mine)


def _together(mine: Sequence[Token], part: Part) -> bool:
    """Whether the words of an answer stand side by side in a clause."""
    used = match_all(mine, part.tokens, part.sentence.language)
    if used is None:
        return False
    places = [place for place, held in enumerate(used) if held]
    return places[-1] - places[0] == len(places) - 1


def _before(part: Part, mine: Sequence[Token]) -> str:
    """The words right before an answer in a clause, and those within it are not among them: not, only, except."""
    used = match_all(mine, part.tokens, part.sentence.language) or []
    first = used.index(True) if True in used else 0
    start = part.tokens[max(0, first - 1)].start
    return part.sentence.folded[start : part.tokens[first].start]


def _place(read: Read, number: int) -> tuple[int, int, int]:
    sentence = read.material.sentences[number]
    return read.material.place(number), sentence.start, sentence.end
