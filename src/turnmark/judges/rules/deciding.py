"""What can be known of a claim without understanding it: supported, contradicted, not stated, or not decided.

Each decision names its ground. *Supported*: one clause of the material says so in the same words, or states every value
of the claim, of which no other word is new. *Contradicted*: a value bound to the same thing differs and no equal one
stands beside it, a shared predicate is denied, or an opposite or another name stands in its place. *Undetermined* (the
material does not say so): a long statement of which hardly a word is there. All else is a paraphrase: not decided.
`docs/rules-judge.md` says on which labels the limits below were chosen, and how they hold on others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from turnmark.judges.rules import words
from turnmark.judges.rules.asked.answering import by_question
from turnmark.judges.rules.asked.cells import limits_of
from turnmark.judges.rules.asked.naming import by_name, is_astray
from turnmark.judges.rules.conflicts import EXCEPTION, Conflict
from turnmark.judges.rules.decision import LONG, PARAPHRASE, SAME_WORDS, THRESHOLD, Decision, Read
from turnmark.judges.rules.directness import focus_units
from turnmark.judges.rules.learned.features import coverage
from turnmark.judges.rules.material import Material
from turnmark.judges.rules.plain.contrary import stands_otherwise
from turnmark.judges.rules.plain.limits import is_altered, is_bound, is_cut, is_of_another, stands_whole
from turnmark.judges.rules.plain.remainder import is_of_unnamed_case
from turnmark.judges.rules.plain.rows import RowFound, find_row
from turnmark.judges.rules.plain.scope import is_exempt, is_gathered, is_of_another_rate, is_partly_asked
from turnmark.judges.rules.plain.short_answers import ANSWERED, answered, denies_first, is_restated
from turnmark.judges.rules.plain.sides import against, on_other_side
from turnmark.judges.rules.plain.stated import giving_all, stating_sentence
from turnmark.judges.rules.plain.working_out import may_be_worked_out
from turnmark.judges.rules.reading import Reading, Sentence
from turnmark.judges.rules.slots import named_otherwise
from turnmark.judges.rules.support import numeric_pairs, undisturbed, worded_alike
from turnmark.language.values import Value, ValueFinding, compare_texts

_DATED = 15
"""From so many units on a statement with a date is of one event of many."""
_TOPIC, _EVENT = 0.6, 0.75
"""Share of a long claim's weight that a sentence must hold to stand against it by a value, or by a date."""


NEEDED = frozenset(("pairs_by_two", "letters", "parity", "opposite", "absolute"))
"""Measures that decide, whatever the weights go by."""


def decide(read: Read) -> Decision:
    """What rules can say of a claim."""
    asked = by_question(read)
    told = asked.decision if asked is not None else by_name(read)
    if told is None or told.label == "not_decided":
        told = _by_words(read)
        astray = asked is None and is_astray(read) if told.label == "supported" else False
        if astray or (asked is not None and told.label in asked.excluded):
            return Decision("not_decided", PARAPHRASE)
    if (
        is_of_unnamed_case(read)
        if told.label == "supported"
        else told.label == "contradicted" and may_be_worked_out(read)
    ):
        return Decision("not_decided", PARAPHRASE)
    return told


def unless_of_another_case(read: Read, told: Decision) -> Decision:
    """What is said of an answer, or what is said of its value where that is not the one of the case asked about."""
    asked = by_question(read) if told.label == "supported" else None
    return asked.decision if asked is not None and told.label in asked.excluded else told


def _by_words(read: Read) -> Decision:
    """What the words of a claim and of its material say."""
    short = len(read.claim.units) < _PLAIN and len(read.claim.sentences) == 1
    verbatim = stands_verbatim(read) and undisturbed(read.measured.values, read.conflict)
    if verbatim and stands_whole(read):
        return Decision("supported", SAME_WORDS)
    row = find_row(read) if short else None
    plainly = _plainly(read, row) if short else None
    if plainly is not None:
        return plainly
    decision = _at_length(read, row)
    if decision.label == "contradicted" and is_exempt(read):
        return Decision("not_decided", PARAPHRASE)
    if decision.label == "supported" and (_is_unclear(row) or any(check(read) for check in _CHECKS)):
        return Decision("not_decided", PARAPHRASE)
    return decision


_CHECKS = (is_cut, is_altered, is_of_another, is_gathered, is_restated)
"""Why what shares its words with the material may still say something else."""


def _at_length(read: Read, row: RowFound | None) -> Decision:
    """What can be said by all that a claim shares with its material, and by what stands against it."""
    if stands_verbatim(read) and undisturbed(read.measured.values, read.conflict):
        return Decision("supported", SAME_WORDS)
    findings = find_values(read)
    conflict = value_conflict(read, [each for each in findings if not _of_own_row(each, row)])
    if conflict is not None:
        by_number = conflict.reason.startswith("number ")
        return Decision("not_decided", PARAPHRASE) if by_number and _is_of_a_range(read) else conflict
    conflict = explicit(read, ())
    if conflict is not None:
        return conflict
    return named_otherwise(read) or worded_alike(read, findings)


def _is_unclear(row: RowFound | None) -> bool:
    """Whether no word tells of which row the value of a claim is."""
    return row is not None and row.told == "unclear"


def _of_own_row(found: ValueFinding, row: RowFound | None) -> bool:
    """Whether a value is the one of its row, against which that of another row says nothing."""
    return row is not None and row.told == "own" and found.value == row.value


_PLAIN = 24
"""Units from which on a claim is no plain statement."""


def _plainly(read: Read, row: RowFound | None) -> Decision | None:
    """What one statement of the material says of a short claim by its words and their order alone."""
    if row is not None and row.told == "other" and not _asks_of_denied(read):
        return Decision("contradicted", row.reason, _place(read, row.row.sentence))
    giving = giving_all(read)
    stating = stating_sentence(read, giving) if not _is_unclear(row) else None
    if stating is not None:
        return Decision("supported", _written_otherwise(read) or SAME_WORDS, _place(read, stating))
    found = stands_otherwise(read, giving)
    if found is not None:
        return found[0]._replace(place=_place(read, found[1]))
    own = row is not None and row.told == "own" and row.all_known and not is_bound(read, row.row)
    if row is not None and own and against(read.claim, row.row.part.words) is None:
        reason = f"value stated: {row.value.text} = {row.row.value.text}"
        return Decision("supported", reason, _place(read, row.row.sentence))
    return answered(read, giving)


def _asks_of_denied(read: Read) -> bool:
    """Whether a question is of what something is not: goods that are not opened."""
    return read.question is not None and any(own.signals.negations for own in read.question.sentences)


def _written_otherwise(read: Read) -> str:
    """The values that a statement gives in other words: 24 months = 2 years; "" where there are none."""
    if all(value.text in read.material.text for value in read.claim.passage.values):
        return ""
    reasons = [
        each.reason
        for each in find_values(read)
        if each.state == "stated" and each.other is not None and each.value.text != each.other.text
    ]
    return f"value stated: {'; '.join(dict.fromkeys(reasons))}" if reasons else ""


def _place(read: Read, number: int) -> tuple[int, int, int]:
    sentence = read.material.sentences[number]
    return read.material.place(number), sentence.start, sentence.end


def by_threshold(read: Read, relation: str) -> Decision:
    """What fitted weights say: every claim is decided, by its probability, unless an explicit conflict is there."""
    conflict = explicit(read)
    if conflict is not None:
        return conflict
    if relation == "conflict":
        return Decision("undetermined", "")
    supported = read.probability >= THRESHOLD and read.conflict is None
    return Decision("supported" if supported else "undetermined", "")


def stands_against(read: Read) -> Decision:
    """Contradicted where a conflict can be pointed at, else not decided."""
    return explicit(read) or Decision("not_decided", PARAPHRASE)


def explicit(read: Read, findings: Sequence[ValueFinding] | None = None) -> Decision | None:
    """What stands against a claim and can be pointed at; None when there is nothing.

    ``findings`` are those of `find_values`, where they are known.
    """
    conflict = value_conflict(read, find_values(read) if findings is None else findings)
    if conflict is not None or read.conflict is None or not read.conflict.explicit:
        return conflict
    if read.conflict.denied and denies_first(read.claim):
        return None  # the no denies what was asked, not what stands behind it: No, by card only
    return _by_conflict(read.conflict, read.material)


def answer_yes_or_no(read: Read, polarity: int) -> Decision:
    """A bare yes (1) or no (-1) says what the question asks, or its opposite."""
    if read.question is None:
        return Decision("not_decided", PARAPHRASE)
    asked = read._replace(claim=read.question, question=None)
    number = read.measured.closest[0]
    if is_partly_asked(asked.claim, read.material, number):
        return Decision("not_decided", PARAPHRASE)
    conflict = explicit(asked)
    if conflict is not None:
        return conflict if polarity > 0 else Decision("supported", ANSWERED, conflict.place)
    sentence = read.material.sentences[number]
    held = coverage(_content(read.question), sentence.unit_set)
    told = {unit: weight for unit, weight in sentence.weights.items() if weight > words.LIGHT}
    back = coverage(told, asked.claim.unit_set)
    if min(held, back) >= _SAME_QUESTION and undisturbed(read.measured.values, None):
        return Decision("supported" if polarity > 0 else "contradicted", "the question in other order")
    return Decision("not_decided", PARAPHRASE)


def _content(reading: Reading) -> dict[str, int]:
    focus = focus_units()
    return {unit: weight for unit, weight in reading.weights.items() if weight > words.LIGHT and unit not in focus}


_SAME_QUESTION = 0.8
"""Share of each other's words that a question and a sentence must hold for a bare yes to say what the sentence says."""
_VERBATIM_UNITS = 8
"""A shorter claim that stands there word for word may still be said of something else."""


def stands_verbatim(read: Read) -> bool:
    """Whether a claim stands there word for word, and is long enough, or free of numbers, to mean the same."""
    if not read.measured.values["verbatim"]:
        return False
    return len(read.claim.units) >= _VERBATIM_UNITS or read.claim.in_digits == []


def find_values(read: Read) -> Sequence[ValueFinding]:
    """What the material says of the values of a claim; of much material the texts that come closest to it."""
    if not read.claim.passage.values:
        return ()
    readings = read.material.readings
    places = list(range(len(readings)))
    if sum([len(reading.text) for reading in readings]) > _MUCH:
        places = sorted({read.material.place(number) for number in read.measured.closest})
    result = compare_texts(
        read.claim.passage,
        [readings[position].passage for position in places],
        read.question.passage if read.question is not None else "",
    )
    return [each._replace(passage=places[each.passage]) if each.passage >= 0 else each for each in result]


_MUCH = 1000
"""Characters of material from which on values are looked for in the closest texts only."""


def value_conflict(read: Read, findings: Sequence[ValueFinding]) -> Decision | None:
    """The first value of the claim that the material contradicts."""
    for finding in findings:
        other = finding.other
        if other is None or finding.value.kind == "truth" or _asks(finding.value) or _asks(other):
            continue
        if _is_part(read.claim, finding.value) or _stands_there_too(read, finding):
            continue
        if bool(_POINTS.search(finding.value.text)) != bool(_POINTS.search(other.text)):
            continue  # what is added to a rate is no rate
        if finding.state == "conflicting" and _binds(read, finding):
            return Decision("contradicted", finding.reason, (finding.passage, other.start, other.end))
        if finding.state != "conflicting" and on_other_side(read, finding, findings) and _binds(read, finding):
            reason = f"the other side of {other.text}"
            return Decision("contradicted", reason, (finding.passage, other.start, other.end))
        if finding.state != "conflicting" and other_bound(read, finding, other) and _binds(read, finding):
            reason = f"number {finding.value.text} ≠ {other.text}"
            return Decision("contradicted", reason, (finding.passage, other.start, other.end))
    return None


_POINTS = re.compile("points?|百分点|포인트|p$")
"""What makes of percent a difference of two rates."""


def _asks(value: Value) -> bool:
    """Whether a value is the word that asks for one: 几个, 몇 개."""
    return value.text.startswith(("几", "몇", "多少"))


def _is_part(claim: Reading, value: Value) -> bool:
    """Whether a number is but a part of one that is written apart: 23 , 768."""
    if _GOES_ON.match(claim.text, value.end) is not None:
        return True
    return _GOES_BEFORE.search(claim.text, max(0, value.start - 6), value.start) is not None


_GOES_ON = re.compile(r" ?[.,] [0-9]{3}(?![0-9])")
_GOES_BEFORE = re.compile(r"[0-9] [.,] ?$")


def _stands_there_too(read: Read, found: ValueFinding) -> bool:
    """Whether the text with another number states the bare number of a claim as well, of whatever it counts."""
    if found.value.kind != "number" or found.value.unit:
        return False
    lone = read.claim.passage.is_bare
    sentence = _sentence_of(read, found)
    values = read.material.readings[found.passage].passage.values
    return any(
        value.low == found.value.low
        and (value.comparator == found.value.comparator or (lone and not found.value.comparator))
        and value.kind in ("number", "quantity", "duration")
        for value in values
        if lone or sentence.start <= value.start < sentence.end
    )


def _is_of_a_range(read: Read) -> bool:
    """Whether an exact value of a claim lies within one range of the material and beyond another: 45 of 31 to 60."""
    return any(
        len({each.hold(mine) for each in limits_of(read.material, mine)}) > 1
        for mine in read.claim.passage.values
        if mine.kind in ("quantity", "duration") and not mine.comparator and mine.low == mine.high
    )


_SIDES = {
    ("at_least_most", 1.0): "at_least",
    ("at_least_most", -1.0): "at_most",
    ("more_less", 1.0): "more_than",
    ("more_less", -1.0): "less_than",
}


def other_bound(read: Read, found: ValueFinding, other: Value) -> bool:
    """Whether both name a bound of the same side and differ in the number, one of them away from its word.

    "The minimum payment is 5%" against "a minimum of 3.5%": the word stands too far off to be read with its number.
    """
    mine = found.value
    if mine.kind not in ("quantity", "duration", "number") or mine.unit != other.unit or mine.low == other.low:
        return False
    if bool(mine.comparator) == bool(other.comparator):
        return False
    loose = read.claim if other.comparator else read.material.readings[found.passage]
    sides = {_SIDES.get((each.unit, each.low)) for each in loose.passage.values if each.kind == "polarity"}
    return (mine.comparator or other.comparator) in sides


def _binds(read: Read, found: ValueFinding) -> bool:  # noqa: PLR0911 - one return a ground
    """Whether a long claim is about what the sentence with the other value is about."""
    claim = read.claim
    if found.value.kind == "polarity":
        sides = {each.low for each in claim.passage.values if each.unit == found.value.unit}
        if len(sides) > 1:
            return False
        if found.value.unit == _TRADES:
            return False
        hours = found.value.unit == _HOURS and any(each.kind == "time" for each in claim.passage.values)
        if hours or (found.other is not None and _excepts(_sentence_of(read, found), found.other)):
            return False  # it closes at eight, open from nine; none but these
    if found.other is None or _denied(read.material.readings[found.passage], found.other):
        return False
    if found.value.kind != "polarity" and _of_opposites(read, found):
        return False
    if found.value.unit == "percent" and is_of_another_rate(read, _sentence_of(read, found)):
        return False
    if len(claim.units) < (_DATED if found.value.kind == "date" else LONG):
        return True
    if found.value.kind == "number" and not found.value.unit:
        # In a long statement a bare number may count anything.
        return False
    sentence = _sentence_of(read, found)
    rest = {unit: weight for unit, weight in claim.weights.items() if weight > words.LIGHT and not unit[0].isdigit()}
    return coverage(rest, sentence.unit_set) >= (_EVENT if found.value.kind == "date" else _TOPIC)


_ORDERS = "before_after"
"""The pair that may tell two equal dates or durations apart by itself."""
_HOURS, _TRADES = "open_closed", "buy_sell"
"""Pairs that name two matters of one thing: when it opens and closes, what buying and selling cost."""


def _excepts(sentence: Sentence, value: Value) -> bool:
    """Whether a sentence makes an exception beside the word of a pair itself, which may be 제외."""
    matches = EXCEPTION.finditer(sentence.text)
    return any(not match.start() < value.end - sentence.start <= match.end() for match in matches)


def _sentence_of(read: Read, found: ValueFinding) -> Sentence:
    """The sentence of the material that holds the other value."""
    sentences = read.material.readings[found.passage].sentences
    start = found.other.start if found.other is not None else 0
    return next((each for each in sentences if start < each.end), sentences[-1])


def _of_opposites(read: Read, found: ValueFinding) -> bool:
    """Whether claim and sentence hold the two sides of a pair, so that their values are of different things.

    The fee of redeeming is not the fee of subscribing; an income of May is not a loss of May.
    """
    sentence = _sentence_of(read, found)
    values = read.material.readings[found.passage].passage.values
    there = {(each.unit, each.low) for each in values if sentence.start <= each.start < sentence.end}
    itself = _ORDERS if found.reason.startswith(("bound", "opposite")) else ""
    mine = {
        (each.unit, each.low)
        for each in read.claim.passage.values
        if each.kind == "polarity" and each.unit not in numeric_pairs() and each.unit != itself
    }
    return any((unit, -low) in there and (unit, low) not in there for unit, low in mine)


def _denied(reading: Reading, value: Value) -> bool:
    """Whether a text denies a value itself: 不是30万元, not 30 dollars, 30만원이 아니."""
    text = reading.text
    return _DENIED_BEFORE.search(text, max(0, value.start - 9), value.start) is not None or (
        _DENIED_BEHIND.match(text, value.end) is not None
    )


_DENIED_BEFORE = re.compile(r"(?:不是|并非|而非|非|(?:\bnot|n't)(?: an?)?)\s*$", re.IGNORECASE)
_DENIED_BEHIND = re.compile(r"\s?(?:이|가|은|는)?\s?아니")


def _by_conflict(conflict: Conflict, material: Material) -> Decision:
    return Decision("contradicted", conflict.reason, (material.place(conflict.sentence), conflict.start, conflict.end))
