"""Faults of input in the reader's language: where, what was expected, what was found, what to do.

Readers write a few English words. A phrase that the catalogues hold is worded by its own words (``problem_`` and these,
joined by ``_``), kinds of JSON values and counts by their form. Where any other phrase is in a line, all of it is
English.
"""

from __future__ import annotations

import re

from turnmark.locale.texts import ENGLISH, Texts, filled, named
from turnmark.schemas.problems import Problem

_DATA = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\([^()]*\)|\$[.\w\[\]]*")
"""What input holds, in quotes or brackets, and where it holds it."""
_OURS = re.compile(r"[a-z]{2,} [a-z]")
_KINDS = "string|integer|number|boolean|array|object|null"
_ONE_OF_KINDS = re.compile(rf"(?:{_KINDS})(?: or (?:{_KINDS}))*")
_VALUE = re.compile(r"(?P<kind>string|integer|number|boolean) (?P<value>.+)", re.DOTALL)
_SIZED = re.compile(r"(?P<kind>array|object) of (?P<count>\d+)")
_FORMS = (
    (re.compile(r"(?P<count>\d+) cells, as in the header"), "problem_cells_header"),
    (re.compile(r"(?P<count>\d+) cells"), "problem_cells"),
    (re.compile(r"JSON \((?P<why>.+)\)", re.DOTALL), "problem_json"),
    (re.compile(r"one of (?P<names>.+)", re.DOTALL), "problem_one_of"),
    (re.compile(r"(?P<size>\d+) bytes ending in (?P<end>.+)", re.DOTALL), "problem_ending"),
    (re.compile(r"write it as (?P<own>\S+) or (?P<others>.+)", re.DOTALL), "problem_write_as"),
    (re.compile(r"(?P<name>'.+') again, first at (?P<place>.+)", re.DOTALL), "problem_again"),
    (re.compile(r"the column (?P<name>'.+'), which names limits of the user"), "problem_column_of_limits"),
    (re.compile(r"turns that hold what a metric needs \((?P<needs>.+)\)"), "problem_turns_that_hold"),
    (re.compile(r"none among (?P<turns>\d+), so that there is no figure"), "problem_none_among"),
    (re.compile(r"a list of texts, or of objects with one of (?P<names>.+)"), "problem_a_list_of_texts"),
    (re.compile(r"the event is used without (?P<name>\S+)"), "problem_used_without"),
    (re.compile(r"none up to the end of the file, line (?P<line>\d+)"), "problem_none_up_to_the_end"),
    (re.compile(r"the ids of the (?P<count>\d+) dialogues read"), "problem_ids_of_dialogues"),
    (re.compile(r"(?P<count>\d+) of them"), "problem_some_of_them"),
)  # fmt: skip


def worded_problem(problem: Problem, texts: Texts) -> str:
    """A fault in one line: ``file:line: $.field: expected …, found …; advice``, in the language of the texts."""
    texts = spoken_of(problem, texts)
    where = f"{problem.file}:{problem.line}" if problem.line else problem.file
    line = "problem_notice" if problem.severity == "notice" else "problem_line"
    said = filled(texts, line, where=where, field=problem.field, expected=_worded(problem.expected, texts))
    if problem.found:
        said += filled(texts, "problem_line_found", found=_worded(problem.found, texts))
    if problem.advice:
        said += texts["semicolon"] + texts["semicolon"].join(_worded(one, texts) for one in problem.advice.split("; "))
    return said


def spoken_of(problem: Problem, texts: Texts) -> Texts:
    """The texts in which all of a line about a fault is worded: the given ones, else English."""
    if texts.language == ENGLISH.language:
        return texts
    phrases = (problem.expected, problem.found, *problem.advice.split("; "))
    return texts if all(_is_value(phrase) or _worded(phrase, texts) != phrase for phrase in phrases) else ENGLISH


def _is_value(phrase: str) -> bool:
    """Whether a phrase holds no words of ours: names, numbers and quoted data are the same in every language."""
    return _OURS.search(_DATA.sub("", phrase)) is None


def _worded(phrase: str, texts: Texts) -> str:
    key = re.sub(r"[^a-z0-9]+", "_", phrase.lower()).strip("_")
    known = named(texts, "problem", key)
    if known != key:
        return known
    if _ONE_OF_KINDS.fullmatch(phrase):
        return texts["problem_or"].join(named(texts, "json", kind) for kind in phrase.split(" or "))
    if match := _VALUE.fullmatch(phrase):
        return f"{named(texts, 'json', match['kind'])} {match['value']}"
    if match := _SIZED.fullmatch(phrase):
        return filled(texts, "problem_sized", kind=named(texts, "json", match["kind"]), count=match["count"])
    for pattern, form in _FORMS:
        if match := pattern.fullmatch(phrase):
            return filled(texts, form, **match.groupdict())
    return phrase
