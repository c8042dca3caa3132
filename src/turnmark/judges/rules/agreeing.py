"""Whether an answer says what a reference says on what was asked, where both may be a value or a word.

Both are completed by the question. A yes or no decides first, then the values that are asked for, then the words of
names and phrases; what only understanding could tell is not decided.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.judges.rules import words
from turnmark.judges.rules.conflicts import advises_against
from turnmark.judges.rules.deciding import (
    PARAPHRASE,
    SAME_WORDS,
    Decision,
    Read,
    explicit,
    find_values,
    said_elsewhere,
    value_conflict,
)
from turnmark.judges.rules.directness import asks_for
from turnmark.judges.rules.features import coverage
from turnmark.judges.rules.reading import Reading
from turnmark.judges.rules.wording import Wording, wording
from turnmark.language.values import ValueFinding, compare_values

_ALIKE = 0.6
"""From this probability on two answers say the same in other order."""
_TERSE = 3
"""An answer of so few telling words is a name or a phrase."""
_ABOUT = 0.5
"""Share of the question's words that a statement must hold to be a yes to it."""


def agree(read: Read, *, of_reference: bool) -> Decision:
    """Whether the material, the other answer, says what a claim says.

    ``of_reference`` is true for a claim of the reference. What a claim of the answer says beside the reference may be
    true: it is contradicted or supported, never found missing.
    """
    polar = _yes_or_no(read)
    if polar is not None and polar.label == "contradicted":
        return polar
    findings = find_values(read.claim, read.material, read.question)
    against = value_conflict(read, findings)
    if against is not None:
        return against
    if polar is not None:
        return polar
    main = [each for each in findings if _is_asked(read, each)]
    if main:
        return _by_values(read, main, of_reference=of_reference)
    against = explicit(read)
    if against is not None:
        return against
    return _by_words(read, of_reference=of_reference)


def _is_asked(read: Read, found: ValueFinding) -> bool:
    """Whether a value of the claim is one that the question does not hold itself."""
    if found.value.kind in ("polarity", "truth") or found.asked:
        return False
    given = read.question.passage.values if read.question is not None else ()
    return not any(compare_values(found.value, each).relation == "equal" for each in given)


def _by_values(read: Read, main: Sequence[ValueFinding], *, of_reference: bool) -> Decision:
    stated = [each for each in main if each.state == "stated"]
    if len(stated) == len(main) or (stated and not of_reference):
        return Decision("supported", f"value stated: {'; '.join(dict.fromkeys(each.reason for each in stated))}")
    lost = next(each for each in main if each.state != "stated")
    others = [value for reading in read.material.readings for value in reading.passage.values]
    same_kind = any(compare_values(lost.value, each).relation != "not_comparable" for each in others)
    if of_reference and same_kind and not stated:
        return Decision("undetermined", f"{lost.value.text} is not stated, another value is")
    return Decision("not_decided", f"{lost.value.text} is not stated; {PARAPHRASE}")


def _by_words(read: Read, *, of_reference: bool) -> Decision:
    found, back = (
        _worded(read.claim, read.material.readings[0], read),
        _worded(read.material.readings[0], read.claim, read),
    )
    values = read.measured.values
    if values["parity"] or read.conflict is not None:
        return Decision("not_decided", PARAPHRASE)
    if (found.shared and not found.missing) or read.probability >= _ALIKE:
        return Decision("supported", SAME_WORDS)
    if back.told <= _TERSE and back.told and back.shared and not back.missing:
        return Decision("supported", SAME_WORDS)
    if of_reference and said_elsewhere(read, found):
        return Decision("undetermined", "not a word of it stands in the answer")
    return Decision("not_decided", PARAPHRASE)


def _worded(one: Reading, other: Reading, read: Read) -> Wording:
    asked = read.question.unit_set if read.question is not None else frozenset()
    return wording(one.passage.masked, other.unit_set - asked, asked)


def _yes_or_no(read: Read) -> Decision | None:
    """Whether both sides say yes, or both no; None where the question is none for that, or a side says neither."""
    if read.question is None or asks_for(read.question) != "yes_no":
        return None
    mine, theirs = truth_of(read.claim, read.question), truth_of(read.material.readings[0], read.question)
    if not mine or not theirs:
        return None
    if mine == theirs:
        return Decision("supported", "both say yes" if mine > 0 else "both say no")
    return Decision("contradicted", "yes ≠ no" if mine > 0 else "no ≠ yes")


def truth_of(text: Reading, question: Reading) -> int:
    """1 for an answer that says yes to a question, -1 for one that says no, 0 where that is not told.

    By the word it opens with, else by whether it denies: a statement of the question's own words without a denial is a
    yes. A question that denies itself is left alone.
    """
    opening = next((value for value in text.passage.values if value.kind == "truth"), None)
    if opening is not None:
        return 1 if opening.low > 0 else -1
    if any(sentence.signals.negations for sentence in question.sentences):
        return 0
    first = text.sentences[0]
    if len(first.signals.negations) % 2 or advises_against(first):
        return -1
    weights = {unit: weight for unit, weight in question.weights.items() if weight > words.LIGHT}
    return int(not first.signals.negations and coverage(weights, text.unit_set) >= _ABOUT)
