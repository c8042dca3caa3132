"""Whether a passage holds the answer to a question, and not only its subject.

It does when one of its sentences speaks of what is asked about and brings something of the asked kind: an amount, a
date or period, a person, a place, a reason; for any other question, something that the question does not hold.
"""

from __future__ import annotations

import re

from turnmark.judges.rules import words
from turnmark.judges.rules.directness import Degree, asks_for, delivers, focus_units, told, without_question_words
from turnmark.judges.rules.names import is_name
from turnmark.judges.rules.reading import Reading, Sentence

_KINDS = ("reason", "place", "person")
"""What else a question may ask for; the first kind whose words it holds decides, before amounts and times."""
_MARKS = {"reason": "reason_marks", "place": "place_marks"}
_SUBJECT = 0.5
"""Share of the weight of the question's subject that the sentence, or it and the one before it, must hold."""
_RELATED = 0.6


def answerability(passage: Reading, question: Reading) -> Degree:
    """1 for a passage that holds the answer, 0.6 for one on the subject without it, less for any other."""
    asked = told(question.compact)
    kind = next((each for each in _KINDS if each in asked), asks_for(question))
    about = Reading(without_question_words(question.compact))
    weights = about.weights
    subject = about.content - focus_units()
    whole = sum([weights[unit] for unit in subject])
    best = 0.0
    before: frozenset[str] = frozenset()
    for sentence in passage.sentences:
        held = subject & (sentence.unit_set | before)
        # A sentence that holds nothing of the subject itself speaks of something else.
        topic = sum([weights[unit] for unit in held]) / whole if whole else 1.0
        if topic >= _SUBJECT and (not whole or not subject.isdisjoint(sentence.unit_set)):
            if brings(sentence, question, kind):
                return Degree(1.0, f"holds what is asked for: {kind}")
            best = _RELATED
        best = max(best, min(topic, _RELATED) * _SUBJECT)
        before = sentence.unit_set
    return Degree(best, f"does not hold what is asked for: {kind}")


def brings(sentence: Sentence, question: Reading, kind: str) -> bool:
    """Whether a sentence holds something of the asked kind that the question does not hold itself."""
    statement = Reading(sentence.text)
    if kind in _MARKS:
        return _MARKS[kind] in told(statement.compact)
    if kind == "person":
        return bool(set(statement.names) - question.unit_set) or _holds_name(sentence, question)
    return delivers(statement, question, kind)


def _holds_name(sentence: Sentence, question: Reading) -> bool:
    """Whether a few characters open like a name, in Chinese and Korean, which have no capitals."""
    if sentence.language == "ko":
        # A Korean name is a word of its own.
        candidates = [words.korean_stem(word) for word in _KOREAN.findall(sentence.folded)]
    elif sentence.language == "zh":
        text = sentence.folded
        candidates = [text[start : start + size] for start in range(len(text)) for size in _NAME_SIZES]
    else:
        return False
    return any(_is_new_name(each, sentence.language, question) for each in candidates)


def _is_new_name(text: str, language: str, question: Reading) -> bool:
    if not is_name(text, language) or text in question.compact:
        return False
    # Korean words of two syllables open like names too often.
    return language == "zh" or (
        len(text) == max(_NAME_SIZES) and all(words.weight(unit) >= _RARE for unit in words.units(text))
    )


_KOREAN = re.compile("[\uac00-\ud7a3]+")
_NAME_SIZES = (2, 3)
_RARE = 60
