"""What can be known of a claim without understanding it: supported, contradicted, not stated, or not decided.

Each decision names its ground. *Supported*: one clause of the material says so in the same words, or states every value
of the claim, of which no other word is new. *Contradicted*: a value bound to the same thing differs and no equal one
stands beside it, a shared predicate is denied, or an opposite or another name stands in its place. *Undetermined* (the
material does not say so): a long statement of which hardly a word is there. All else is a paraphrase: not decided.
`docs/rules-judge.md` says on which labels the limits below were chosen, and how they hold on others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from turnmark.judges.rules import words
from turnmark.judges.rules.conflicts import Conflict
from turnmark.judges.rules.directness import asks_for, focus_units
from turnmark.judges.rules.features import Measured, coverage
from turnmark.judges.rules.material import Material
from turnmark.judges.rules.reading import Reading, Sentence
from turnmark.judges.rules.wording import Wording, wording
from turnmark.language.values import Value, ValueFinding, compare_texts
from turnmark.language.values.opposites import shipped_reader
from turnmark.schemas.judging.judgement import Label

PARAPHRASE = "paraphrase: no rule can tell"
SAME_WORDS = "says so in the same words"
LONG = 20
"""From so many units on a statement is long: it says more than a value and a few words."""
_LITTLE = {"en": 0.25, "zh": 0.4, "ko": 0.4}
"""A long statement of which the closest sentences cover no more is not stated by the material."""
_SAME_SCORE = {"en": 0.85, "zh": 0.65, "ko": 0.65}
"""From this probability on a long statement is said in the same words."""
_SAME_PAIRS = 0.9
"""Share of the neighbouring words of a statement that are neighbours in its closest sentences too."""
_EVERY_PAIR = 0.97
"""The same for a statement of several sentences, each of which must be there."""
_TERSE = 6
"""A claim with a stated value may hold so many telling words beside it, at most."""
_ALIKE = 0.2
"""Share of the letters (English: runs of three) that a claim about something else may share with the material."""
_NOTHING = {"en": 4}
_NOTHING_DENSE = 5
"""From so many telling words on a claim without any of them in the material is about something else."""
_TOPIC, _EVENT = 0.6, 0.75
"""Share of a long claim's weight that a sentence must hold to stand against it by a value, or by a date."""


THRESHOLD = 0.5
"""From this probability on, weights that were fitted on a user's own labels decide for support."""
NEEDED = frozenset(("pairs_by_two", "letters", "parity", "opposite", "absolute"))
"""Measures that decide, whatever the weights go by."""


class Decision(NamedTuple):
    """The label and its ground in words; ``place`` is text, start and end of the words that decided, where some did."""

    label: Label
    reason: str
    place: tuple[int, int, int] | None = None


class Read(NamedTuple):
    """One claim with everything that decides on it."""

    claim: Reading
    material: Material
    question: Reading | None
    measured: Measured
    probability: float
    conflict: Conflict | None


def decide(read: Read) -> Decision:
    """What rules can say of a claim."""
    values = read.measured.values
    if stands_verbatim(read) and _undisturbed(values, read.conflict):
        return Decision("supported", SAME_WORDS)
    findings = find_values(read)
    against = value_conflict(read, findings)
    if against is not None:
        return against
    if read.conflict is not None and read.conflict.explicit:
        return _by_conflict(read.conflict, read.material)
    return _worded_alike(read, findings)


def by_threshold(read: Read, relation: str) -> Decision:
    """What fitted weights say: every claim is decided, by its probability, unless an explicit conflict is there."""
    against = explicit(read)
    if against is not None:
        return against
    if relation == "conflict":
        return Decision("undetermined", "")
    supported = read.probability >= THRESHOLD and read.conflict is None
    return Decision("supported" if supported else "undetermined", "")


def stands_against(read: Read) -> Decision:
    """Contradicted where a conflict can be pointed at, else not decided."""
    return explicit(read) or Decision("not_decided", PARAPHRASE)


def explicit(read: Read) -> Decision | None:
    """What stands against a claim and can be pointed at; None when there is nothing."""
    against = value_conflict(read, find_values(read))
    if against is None and read.conflict is not None and read.conflict.explicit:
        return _by_conflict(read.conflict, read.material)
    return against


def answer_yes_or_no(read: Read, polarity: int) -> Decision:
    """A bare yes (1) or no (-1) says what the question asks, or its opposite."""
    if read.question is None:
        return Decision("not_decided", PARAPHRASE)
    asked = read._replace(claim=read.question, question=None)
    against = explicit(asked)
    if against is not None:
        return against if polarity > 0 else against._replace(label="supported")
    sentence = read.material.sentences[read.measured.closest[0]]
    held = coverage(_content(read.question), sentence.unit_set)
    told = {unit: weight for unit, weight in sentence.weights.items() if weight > words.LIGHT}
    back = coverage(told, asked.claim.unit_set)
    if min(held, back) >= _SAME_QUESTION and _undisturbed(read.measured.values, None):
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
        if finding.state == "conflicting" and _binds(read, finding):
            return Decision("contradicted", finding.reason, (finding.passage, other.start, other.end))
        if finding.state != "conflicting" and other_bound(read, finding, other) and _binds(read, finding):
            reason = f"number {finding.value.text} ≠ {other.text}"
            return Decision("contradicted", reason, (finding.passage, other.start, other.end))
    return None


def _asks(value: Value) -> bool:
    """Whether a value is the word that asks for one: 几个, 몇 개."""
    return value.text.startswith(("几", "몇", "多少"))


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
    if len(claim.units) < LONG:
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
_EXCEPT = re.compile(r"(?i)\b(?:except|unless|other than|apart from)\b|除.{1,12}外|除非|제외|외에|다만|단,")


def _excepts(sentence: Sentence, value: Value) -> bool:
    """Whether a sentence makes an exception beside the word of a pair itself, which may be 제외."""
    matches = _EXCEPT.finditer(sentence.text)
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


def _worded_alike(read: Read, findings: Sequence[ValueFinding]) -> Decision:
    """Supported, undetermined or not decided, where nothing stands against a claim."""
    values = read.measured.values
    lost = next((each for each in findings if each.state == "not_stated"), None)
    words_of = _wording(read)
    if lost is None and _undisturbed(values, read.conflict) and (values["verbatim"] or _told_together(read, findings)):
        if _same_words(read, words_of):
            return Decision("supported", SAME_WORDS)
        answered = _stated(read, findings, words_of)
        if answered:
            return Decision("supported", f"value stated: {answered}")
    stated = any(each.state == "stated" and not each.asked for each in findings)
    if (
        not stated
        and len(read.claim.units) >= LONG
        and values["covered_by_two"] <= _LITTLE.get(read.claim.language, 0.0)
    ):
        return Decision("undetermined", "hardly a word of it stands in the material")
    elsewhere = not words_of.shared and not stated
    if elsewhere and (said_elsewhere(read, words_of) or (words_of.told >= _BARE and lost is not None)):
        return Decision("undetermined", "not a word of it stands in the material")
    if lost is not None:
        return Decision("not_decided", f"{lost.value.text} is not stated; {PARAPHRASE}")
    return Decision("not_decided", PARAPHRASE)


def _told_together(read: Read, findings: Sequence[ValueFinding]) -> bool:
    """Whether all that a claim shares with its material stands in one clause of it, and neither denies anything.

    "Chemistry is taught by Grant, physics by Olsen" holds every word of "chemistry is taught by Olsen".
    """
    if any(own.signals.negations for own in read.claim.sentences):
        return False
    if len(read.claim.sentences) > 1:
        return True
    asked = read.question.unit_set if read.question is not None else frozenset()
    told = {unit for unit, weight in read.claim.weights.items() if weight > words.LIGHT} - asked
    stated = [each.other.text for each in findings if each.other is not None and each.value.kind != "polarity"]
    sentences = read.material.sentences
    shared = told & frozenset().union(*[sentence.unit_set for sentence in sentences])
    for number in read.measured.closest:
        for clause in _CLAUSES.split(sentences[number].folded):
            if shared <= set(words.units(clause)) and all(value in clause for value in stated):
                return not any(_denied_in(sentences[number], clause))
    return False


def _denied_in(sentence: Sentence, clause: str) -> Iterator[bool]:
    """Whether each denying word of a sentence stands in one of its clauses."""
    start = sentence.folded.find(clause)
    for first, _ in sentence.signals.negations:
        yield start <= first < start + len(clause)


_CLAUSES = re.compile(
    r"[;；。!?\n]|[:：，,](?![0-9])|\s(?:while|whereas|but|and|although|though|except|unless)\s"
    r"|(?<=고)\s|(?<=며)\s|(?<=지만)\s|(?<=는데)\s|(?<=으나)\s"
)
"""Where a sentence goes on to something else."""


def said_elsewhere(read: Read, found: Wording) -> bool:
    """Whether a claim of some length is about something else: not a word of it is there, hardly a letter."""
    least = _NOTHING.get(read.claim.language, _NOTHING_DENSE)
    return not found.shared and found.told >= least and read.measured.values["letters"] <= _ALIKE


def _stated(read: Read, findings: Sequence[ValueFinding], found: Wording) -> str:
    """The values of a claim that say what is asked for, where it says little else; "" for any other claim."""
    reasons = [
        each.reason
        for each in findings
        if each.state == "stated" and each.value.kind != "polarity" and each.reason and not each.asked
    ]
    if not reasons or not _terse(found):
        return ""
    if read.question is None:
        answers = not found.missing and (not found.told or read.probability >= THRESHOLD)
    else:
        answers = found.told <= _BARE or asks_for(read.question) in ("quantity", "time")
    return "; ".join(dict.fromkeys(reasons)) if answers else ""


_BARE = 2
"""A claim of so few words beside its values answers by these, whatever is asked."""


def _same_words(read: Read, found: Wording) -> bool:
    """Whether the material says what a claim says in the same words, in the same neighbourhoods."""
    values = read.measured.values
    if values["verbatim"]:
        return True
    if len(read.claim.sentences) > 1:
        return values["pairs_by_two"] >= _EVERY_PAIR
    if values["pairs_by_two"] >= _SAME_PAIRS:
        return True
    alike = read.probability >= _SAME_SCORE.get(read.claim.language, 1.0)
    return alike and (len(read.claim.units) >= LONG or not found.missing)


def _undisturbed(values: dict[str, float], conflict: Conflict | None) -> bool:
    """Whether nothing hints at another meaning: denial on one side, opposites, totality, another word in place."""
    return conflict is None and not (values["parity"] or values["opposite"] or values["absolute"])


def _wording(read: Read) -> Wording:
    units = frozenset().union(*[reading.unit_set for reading in read.material.readings])
    asked = read.question.unit_set if read.question is not None else frozenset()
    text = read.claim.passage.masked
    for value in read.claim.passage.values:
        if value.unit in numeric_pairs():
            # "At least" says nothing by itself.
            text = text.replace(value.text, " ")
    return wording(text, units, asked)


@cache
def numeric_pairs() -> frozenset[str]:
    """The pairs of opposites that only compare a number."""
    return shipped_reader().numeric


def _terse(found: Wording) -> bool:
    """Whether a claim says little beside its values, and at most one word, no more than a third, is new."""
    return found.told <= _TERSE and len(found.missing) <= min(1, math.ceil(found.told / 3))
