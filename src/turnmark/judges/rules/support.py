"""Whether the material says what a claim says in the same words, or says nothing of it; else nothing is decided."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from turnmark.judges.rules import words
from turnmark.judges.rules.conflicts import Conflict
from turnmark.judges.rules.decision import LONG, PARAPHRASE, SAME_WORDS, THRESHOLD, Decision, Read
from turnmark.judges.rules.directness import asks_for
from turnmark.judges.rules.reading import Reading, Sentence
from turnmark.judges.rules.slots import CLAUSES, roles_exchanged
from turnmark.judges.rules.wording import Wording, wording
from turnmark.language.values import ValueFinding
from turnmark.language.values.opposition.opposites import shipped_reader

_LITTLE = {"en": 0.15, "zh": 0.4, "ko": 0.4}
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


def worded_alike(read: Read, findings: Sequence[ValueFinding]) -> Decision:
    """Supported, undetermined or not decided, where nothing stands against a claim."""
    values = read.measured.values
    lost = next((each for each in findings if each.state == "not_stated"), None)
    words_of = _wording(read)
    if lost is None and undisturbed(values, read.conflict) and (values["verbatim"] or _told_together(read, findings)):
        if _same_words(read, words_of):
            return Decision("supported", SAME_WORDS)
        answered = _stated(read, findings, words_of)
        if answered:
            return Decision("supported", f"value stated: {answered}")
    # What one likes or is not sure of stands in no passage, and need not.
    stated = any(each.state == "stated" and not each.asked for each in findings) or (
        _OF_ONESELF.search(read.claim.compact) is not None
    )
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


_OF_ONESELF = re.compile(
    r"(?<![a-z])i (?:'|am |do |have |would |love |like |know |think )|我(?!们|国|司|行|院|校)|^(?:저는|제가|나는)"
)


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
        for clause in CLAUSES.split(sentences[number].folded):
            if shared <= set(words.units(clause)) and all(value in clause for value in stated):
                return not any(_denied_in(sentences[number], clause))
    return False


def _denied_in(sentence: Sentence, clause: str) -> Iterator[bool]:
    """Whether each denying word of a sentence stands in one of its clauses."""
    start = sentence.folded.find(clause)
    for first, _ in sentence.signals.negations:
        yield start <= first < start + len(clause)


def said_elsewhere(read: Read, found: Wording) -> bool:
    """Whether a claim of some length is about something else: not a word of it is there, hardly a letter."""
    least = _NOTHING.get(read.claim.language, _NOTHING_DENSE)
    return not found.shared and found.told >= least and read.measured.values["letters"] <= _ALIKE


def _stated(read: Read, findings: Sequence[ValueFinding], found: Wording) -> str:
    """The values of a claim that say what is asked for, where it says little else; "" for any other claim."""
    reasons = [
        each.reason
        for each in findings
        if each.state == "stated" and each.value.kind != "polarity" and each.other is not None and not each.asked
    ]
    if not reasons or not _terse(found):
        return ""
    if read.question is None or asks_for(read.question) == "none":
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
    closest = read.material.sentences[read.measured.closest[0]]
    if _QUESTION.search(closest.text) or _says_twice(read.claim, closest) or roles_exchanged(read.claim, closest):
        return False
    if values["pairs_by_two"] >= _SAME_PAIRS and (len(read.claim.units) > 1 or found.shared):
        return True
    alike = read.probability >= _SAME_SCORE.get(read.claim.language, 1.0)
    return alike and (len(read.claim.units) >= LONG or not found.missing)


_QUESTION = re.compile(r"[?？]\s*$")


def _says_twice(claim: Reading, sentence: Sentence) -> bool:
    """Whether a claim repeats a telling English word that a sentence holds once: it stands in place of another."""
    if claim.language != "en":
        return False
    counted = Counter(claim.units)
    return any(
        count > 1 and claim.weights[unit] > words.LIGHT and 0 < sentence.units.count(unit) < count
        for unit, count in counted.items()
    )


def undisturbed(values: dict[str, float], conflict: Conflict | None) -> bool:
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


def _terse(found: Wording) -> bool:
    """Whether a claim says little beside its values, and at most one word, no more than a third, is new."""
    return found.told <= _TERSE and len(found.missing) <= min(1, math.ceil(found.told / 3))


@cache
def numeric_pairs() -> frozenset[str]:
    """The pairs of opposites that only compare a number."""
    return shipped_reader().numeric
