"""Faults of input in the reader's language: where, what was expected, what was found, what to do.

Readers write a few English words. A phrase that the catalogues hold is worded by its own words (``problem_`` and these,
joined by ``_``), kinds of JSON values and counts by their form; any other phrase is shown as it is.
"""

from __future__ import annotations

import re

from turnmark.locale.texts import Texts, filled, named
from turnmark.schemas.problems import Problem

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
)  # fmt: skip


def worded_problem(problem: Problem, texts: Texts) -> str:
    """A fault in one line: ``file:line: $.field: expected …, found …; advice``, in the language of the texts."""
    where = f"{problem.file}:{problem.line}" if problem.line else problem.file
    said = filled(texts, "problem_line", where=where, field=problem.field, expected=_worded(problem.expected, texts))
    if problem.found:
        said += filled(texts, "problem_line_found", found=_worded(problem.found, texts))
    if problem.advice:
        said += texts["semicolon"] + texts["semicolon"].join(_worded(one, texts) for one in problem.advice.split("; "))
    return said


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
