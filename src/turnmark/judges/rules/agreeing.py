"""Whether an answer says what a reference says on what was asked, where both may be a value or a word.

Both are completed by the question. A yes or no decides first, then the values that are asked for, then the words of
names and phrases; what only understanding could tell is not decided.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from turnmark.judges.rules import words
from turnmark.judges.rules.deciding import explicit, find_values, stands_verbatim, value_conflict
from turnmark.judges.rules.decision import PARAPHRASE, SAME_WORDS, Decision, Read
from turnmark.judges.rules.directness import asks_for, polarity_of
from turnmark.judges.rules.learned.features import coverage
from turnmark.judges.rules.plain.short_answers import gives_all, outright_opening
from turnmark.judges.rules.reading import Reading
from turnmark.judges.rules.slots import names_another_first, other_person, roles_exchanged
from turnmark.judges.rules.wording import Wording, wording
from turnmark.language.values import ValueFinding, compare_values
from turnmark.language.values.measures import in_base

_ALIKE = 0.6
"""From this probability on two answers say the same in other order."""
_TERSE = 3
"""An answer of so few telling words is a name or a phrase."""
_STATEMENT = 3
"""A reference of so many telling words, none of which the answer holds, is not said by it."""
_NAME = 5
"""A claim of no more units is a name or a word: another name in its place says nothing."""
_ABOUT = 0.7
"""Share of the question's words that a statement must hold to be a yes to it."""


def agree(read: Read, *, of_reference: bool) -> Decision:
    """Whether the material, the other answer, says what a claim says.

    ``of_reference`` is true for a claim of the reference. What a claim of the answer says beside the reference may be
    true: it is contradicted or supported, never found missing.
    """
    if of_reference and _names_another(read):
        return Decision("not_decided", "the answer says that someone else acts on it")
    return Decision("supported", SAME_WORDS) if stands_verbatim(read) else _agreed(read, of_reference=of_reference)


def _agreed(read: Read, *, of_reference: bool) -> Decision:
    polar = _yes_or_no(read, of_reference=of_reference)
    findings = find_values(read)
    against = value_conflict(read, [each for each in findings if not _written(read, each)])
    if polar is not None and polar.label == "contradicted":
        return polar
    if against is not None or polar is not None:
        return against or polar or Decision("not_decided", PARAPHRASE)
    if polarity_of(read.claim.text):
        return Decision("not_decided", PARAPHRASE)
    if of_reference and read.question is not None and gives_all(read.claim, read.material.readings[0], read.question):
        return Decision("supported", SAME_WORDS)
    main = [each for each in findings if _is_asked(read, each)]
    if main:
        return _by_values(read, main, of_reference=of_reference)
    denied = read.conflict is not None and read.conflict.denied
    against = explicit(read, findings) if denied or len(read.claim.units) > _NAME else None
    return against or _by_words(read, of_reference=of_reference)


def _names_another(read: Read) -> bool:
    """Whether a name was asked for, and the answer names another one before that of the reference."""
    if read.question is None or asks_for(read.question) != "open":
        return False
    return names_another_first(read.material.readings[0], read.claim)


def _written(read: Read, found: ValueFinding) -> bool:
    """Whether the numbers of a value stand in the other text, whatever is read there: 1923 in January 11, 1923."""
    numbers = _NUMBER.findall(found.value.text.replace(",", ""))
    there = _NUMBER.findall(read.material.text.replace(",", ""))
    return found.value.kind != "polarity" and bool(numbers) and set(numbers) <= set(there) and _unit_free(found)


def _unit_free(found: ValueFinding) -> bool:
    """Whether nothing but the number as it is written tells a value from others: no unit, scale, bound or hour."""
    value = found.value
    if found.other is None or value.kind == "date":
        return not value.comparator
    return value.kind == "number" and not value.comparator and str(value.low).removesuffix(".0") in value.text


_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")


def _is_asked(read: Read, found: ValueFinding) -> bool:
    """Whether a value of the claim is one that the question does not hold itself."""
    if found.value.kind in ("polarity", "truth") or found.asked:
        return False
    given = read.question.passage.values if read.question is not None else ()
    return not any(compare_values(found.value, each).relation == "equal" for each in given)


def _by_values(read: Read, main: Sequence[ValueFinding], *, of_reference: bool) -> Decision:
    values = read.measured.values
    if values["opposite"] or read.conflict is not None:
        return Decision("not_decided", PARAPHRASE)  # 4% up, 4% down
    if values["parity"] and values["covered_by_one"] >= _ABOUT:
        # An equal value of a denied statement is no agreement.
        return explicit(read) or Decision("not_decided", PARAPHRASE)
    stated = [each for each in main if _says(each)]
    if len(stated) == len(main) or (stated and not of_reference):
        return Decision("supported", f"value stated: {'; '.join(dict.fromkeys(each.reason for each in stated))}")
    lost = next(each for each in main if not _says(each))
    unlike = not stated and not any(map(_compatible, main)) and not _written(read, lost)
    if of_reference and unlike and _asks_for_it(read):
        return Decision("undetermined", f"{lost.value.text} is not stated, and was asked for")
    return Decision("not_decided", f"{lost.value.text} is not stated; {PARAPHRASE}")


def _says(found: ValueFinding) -> bool:
    """Whether the other text says a value, a date also when it tells less or more of it than the claim."""
    if found.value.kind == "date" and _compatible(found):
        return True
    return found.state == "stated" and _same_number(found)


def _compatible(found: ValueFinding) -> bool:
    """Whether the closest value of the other text may be the same one."""
    return found.other is not None and compare_values(found.value, found.other).relation in ("equal", "contained")


def _same_number(found: ValueFinding) -> bool:
    """Whether the other text states the very number, and not one that lies within it (5 days, within 14 days)."""
    mine, other = found.value, found.other
    if other is None or mine.kind not in ("number", "quantity", "duration"):
        return True
    ends = {round(in_base(end, other.unit), 6) for end in (other.low, other.high)}
    return not ends.isdisjoint({round(in_base(end, mine.unit or other.unit), 6) for end in (mine.low, mine.high)})


def _asks_for_it(read: Read) -> bool:
    """Whether a value was asked for, or is all that a claim says."""
    kind = asks_for(read.question) if read.question is not None else "none"
    asked = frozenset() if read.question is None else read.question.unit_set
    return kind in ("quantity", "time") or not wording(read.claim.passage.masked, frozenset(), asked).told


def _by_words(read: Read, *, of_reference: bool) -> Decision:
    other = read.material.readings[0]
    result, back = _worded(read.claim, other, read), _worded(other, read.claim, read)
    if read.measured.values["parity"] or read.conflict is not None:
        named = _asked_denied(read) and back.told <= _TERSE and back.told and back.shared and not back.missing
        return Decision("supported", SAME_WORDS) if named else Decision("not_decided", PARAPHRASE)
    otherwise = _named_otherwise(read, other)
    if otherwise:
        return Decision("contradicted", otherwise)
    if (result.shared and not result.missing) or read.probability >= _ALIKE:
        return Decision("supported", SAME_WORDS)
    if back.told <= _TERSE and back.told and back.shared and not back.missing:
        return Decision("supported", SAME_WORDS)
    if of_reference and not result.shared and result.told >= _STATEMENT:
        return Decision("undetermined", "not a word of it stands in the answer")
    return Decision("not_decided", PARAPHRASE)


def _asked_denied(read: Read) -> bool:
    """Whether a claim denies what its question denies, so that a name answers both of them: which one has no limit."""
    if read.question is None or not any(each.signals.negations for each in read.question.sentences):
        return False
    weights = {unit: weight for unit, weight in read.question.weights.items() if weight > words.LIGHT}
    return coverage(weights, read.claim.unit_set) >= _ABOUT


def _named_otherwise(read: Read, other: Reading) -> str:
    """What is wrong with the names of a claim beside those of the other answer; "" where nothing is."""
    if roles_exchanged(read.claim, other.sentences[0]):
        return "who acts and who is acted on are exchanged"
    if read.question is not None and other_person(read.claim, other, read.question):
        return "another person is named"
    return ""


def _worded(one: Reading, other: Reading, read: Read) -> Wording:
    asked = read.question.unit_set if read.question is not None else frozenset()
    return wording(one.passage.masked, other.unit_set - asked, asked)


def _yes_or_no(read: Read, *, of_reference: bool) -> Decision | None:
    """Whether both sides say yes, or both no; None where the question is none for that, or a side says neither.

    One side must say so outright. Of an answer that is cut into claims only its first one may say it in a statement.
    """
    if read.question is None or asks_for(read.question) != "yes_no":
        return None
    other = read.material.readings[0]
    mine, theirs = outright_opening(read.claim), outright_opening(other)
    if mine and not theirs:
        theirs = told_by_denial(other, read.question)
    elif theirs and not mine and of_reference and not _of_another_matter(read.claim, read.question):
        mine = told_by_denial(read.claim, read.question)
    if not mine or not theirs:
        return None
    if mine == theirs:
        return Decision("supported", "both say yes" if mine > 0 else "both say no")
    return Decision("contradicted", "yes ≠ no" if mine > 0 else "no ≠ yes")


def _of_another_matter(claim: Reading, question: Reading) -> bool:
    """Whether a statement holds no word of a question, and enough of its own to be about something else."""
    return len(claim.content) >= _STATEMENT and claim.content.isdisjoint(question.content)


_FORBIDS = re.compile(r"禁[用止食服入]|严禁|不得|\b(?:prohibited|forbidden|banned)\b|금지|불가")


def told_by_denial(text: Reading, question: Reading) -> int:
    """1 for a statement of the question's own words, -1 for one that denies, 0 where that tells nothing.

    A question that denies itself is left alone.
    """
    if any(sentence.signals.negations for sentence in question.sentences):
        return 0
    first = text.sentences[0]
    if first.signals.negations:
        return -1 if len(first.signals.negations) % 2 else 0
    if _FORBIDS.search(first.folded):
        return -1
    weights = {unit: weight for unit, weight in question.weights.items() if weight > words.LIGHT}
    return int(coverage(weights, text.unit_set) >= _ABOUT)
