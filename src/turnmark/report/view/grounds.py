"""The ground of a verdict in the reader's language: what judges say in a few English words.

Rules give grounds of few forms (``number 5 ≠ 3``, ``value stated: 0.8% = 0.8%``); what a model gives is shown as it is.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from turnmark.locale.texts import Texts, filled


class _Form(NamedTuple):
    """A form of grounds and the text that words it, with what stands in the groups for its braces."""

    pattern: re.Pattern[str]
    key: str


def _form(pattern: str, key: str) -> _Form:
    return _Form(re.compile(pattern, re.DOTALL), f"ground_{key}")


_FORMS = (
    _form(r"says so in the same words", "same_words"),
    _form(r"value stated: (?P<inner>.+) within (?P<outer>.+)", "value_within"),
    _form(r"value stated: (?P<values>.+)", "value_stated"),
    _form(r"number (?P<mine>.+) ≠ (?P<theirs>.+)", "number"),
    _form(r"name (?P<mine>.+) ≠ (?P<theirs>.+)", "name"),
    _form(r"(?:word|opposite:?) (?P<mine>.+) ≠ (?P<theirs>.+)", "word"),
    _form(r"(?:amount|bound|code|currency|date|grade|per|ratio|sign|time|unit) (?P<mine>.+) ≠ (?P<theirs>.+)", "value"),
    _form(r"said of something else: (?P<mine>.+) ≠ (?P<theirs>.+)", "elsewhere"),
    _form(r"excepted: (?P<word>.+)", "excepted"),
    _form(r"must ≠ may", "must_may"),
    _form(r"the other side of (?P<value>.+)", "other_side"),
    _form(r"who is compared with whom is exchanged", "compared"),
    _form(r"the same comparison the other way round", "turned"),
    _form(r"who acts and who is acted on are exchanged", "roles"),
    _form(r"another person is named", "person"),
    _form(r"stands in the clause that the question asks for", "clause"),
    _form(r"the question in other order", "other_order"),
    _form(r"name: (?P<mine>.+) is said of something else", "name_elsewhere"),
    _form(r"negated: (?P<word>.+)", "negated"),
    _form(r"yes ≠ no", "yes_no"),
    _form(r"no ≠ yes", "no_yes"),
    _form(r"both say yes", "both_yes"),
    _form(r"both say no", "both_no"),
    _form(r"paraphrase: no rule can tell", "paraphrase"),
    _form(r"(?P<value>.+) is not stated, and was asked for", "asked_for"),
    _form(r"(?P<value>.+) is not stated", "not_stated"),
    _form(r"(?:not|hardly) a word of it stands in the (?:material|answer)", "no_word"),
    _form(r"no sentence comes close", "no_sentence"),
    _form(r"no material", "no_material"),
    _form(r"another passage holds more of what is asked about", "other_passage"),
    _form(r"holds more of what is asked about(?: and a value of the asked kind)?", "more"),
    _form(r"holds most of what is asked about", "most"),
    _form(r"holds (?:nothing|too little) of what is asked about", "nothing_asked"),
    _form(r"holds something of what is asked about", "something_asked"),
    _form(r"no other passage to compare", "no_other"),
    _form(r"brings what is asked for: (?P<kind>.+)", "brings"),
    _form(r"on the subject without what is asked for: (?P<kind>.+)", "without"),
    _form(r"hardly on the subject", "off_subject"),
    _form(r"opens with yes or no|yes or no|a bare answer", "answers"),
    _form(r"nothing that was asked for: (?P<kind>.+)", "nothing_for"),
)


def worded_ground(ground: str, texts: Texts) -> str:
    """A ground in the language of the texts; parts of a form that is not known stay as they are."""
    return texts["semicolon"].join(_part(part, texts) for part in ground.split("; ")) if ground else ""


def _part(part: str, texts: Texts) -> str:
    for pattern, key in _FORMS:
        if match := pattern.fullmatch(part):
            parts = {name: _bounded(value, texts) for name, value in match.groupdict().items()}
            if "kind" in parts:
                parts["kind"] = texts.get(f"ground_kind_{parts['kind']}", parts["kind"])
            return filled(texts, key, **parts)
    return part


_BOUND = re.compile(r"(at most|at least|less than|more than|before|after|from|until) (.+?)(?= = |$)")


def _bounded(value: str, texts: Texts) -> str:
    """A value with the word before it that makes it a bound in the language of the texts."""
    return _BOUND.sub(lambda found: filled(texts, f"ground_{found[1].replace(' ', '_')}", value=found[2]), value)
