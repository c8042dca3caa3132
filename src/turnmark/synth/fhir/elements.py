"""Reading FHIR elements whose shape nobody has checked: a wrong type reads as missing, never as an exception.

R4, R4B and R5 are read alike where their fields mean the same. Source: https://hl7.org/fhir/R4/datatypes.html and
https://hl7.org/fhir/R5/datatypes.html.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from turnmark.schemas.problems import Problem, shown

Element = dict[str, Any]

SYSTEMS = {
    "http://snomed.info/sct": "SCT",
    "http://loinc.org": "LOINC",
    "http://www.nlm.nih.gov/research/umls/rxnorm": "RXNORM",
    "http://hl7.org/fhir/sid/icd-10": "ICD",
    "http://hl7.org/fhir/sid/icd-10-cm": "ICD10CM",
    "http://www.whocc.no/atc": "ATC",
    "urn:oid:2.16.840.1.113883.6.73": "ATC",
}
"""Code systems that the terminology knows, by their FHIR address."""

_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)?")


class Resource(NamedTuple):
    """A resource of a bundle: its place (for messages) and what it holds."""

    file: str
    path: str
    body: Element

    def problem(self, field: str, expected: str, found: Any, advice: str = "") -> Problem:
        """A fault of one field of this resource; the resource or the value is left out."""
        return Problem(
            file=self.file,
            field=f"{self.path}.{field}",
            expected=expected,
            found=shown(found),
            advice=advice,
            severity="warning",
        )


def element(value: Any, *path: str) -> Any:
    """What lies under a path of field names; None when anything on the way is missing or no object."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def elements(value: Any, name: str) -> list[Element]:
    """The objects of a list field; a single object counts as a list of one."""
    result = element(value, name)
    return [item for item in (result if isinstance(result, list) else [result]) if isinstance(item, dict)]


def text(value: Any) -> str:
    """A text without surrounding space; empty for anything else."""
    return value.strip() if isinstance(value, str) else ""


def number(value: Any) -> float | None:
    """A finite number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def date(value: Any) -> dt.date | None:
    """The day of a FHIR date, dateTime or instant; of a year or month its first day. None when it is none."""
    match = _DATE.match(text(value))
    if not match:
        return None
    try:
        return dt.date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
    except ValueError:
        return None


def instant(value: Any) -> dt.datetime | None:
    """A FHIR dateTime or instant by the clock of UTC; of a date its beginning. None when it is none.

    A time without a zone is taken as of UTC.
    """
    day = date(value)
    if day is None:
        return None
    match = _TIME.match(text(value))
    if match is None:
        return dt.datetime(day.year, day.month, day.day, tzinfo=dt.UTC)
    try:
        found = dt.datetime.fromisoformat(match.group())
        return (found if found.tzinfo else found.replace(tzinfo=dt.UTC)).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return dt.datetime(day.year, day.month, day.day, tzinfo=dt.UTC)


def first_instant(value: Element, *names: str) -> dt.datetime | None:
    """The first of several fields that holds a time; of a period its start."""
    results = (element(value, name) for name in names)
    times = (instant(element(result, "start") if isinstance(result, dict) else result) for result in results)
    return next((time for time in times if time is not None), None)


def impossible_date(value: Element, *names: str) -> str | None:
    """The first of these fields that holds a text that is no date; None when each is one or is missing."""
    for name in names:
        result = element(value, name)
        path, written = (f"{name}.start", element(result, "start")) if isinstance(result, dict) else (name, result)
        if text(written) and date(written) is None:
            return path
    return None


def first_date(value: Element, *names: str) -> dt.date | None:
    """The first of several fields that holds a date; of a period its start."""
    for name in names:
        result = element(value, name)
        day = date(element(result, "start") if isinstance(result, dict) else result)
        if day is not None:
            return day
    return None


def codes(concept: Any) -> Iterator[str]:
    """The codes of a CodeableConcept as ``SYSTEM:code``, those of known systems only."""
    for coding in elements(concept, "coding"):
        system = SYSTEMS.get(text(element(coding, "system")))
        code = text(element(coding, "code"))
        if system and code:
            yield f"{system}:{code}"


def label(concept: Any) -> str:
    """What a CodeableConcept is called: its text, else the first display of its codings, else its first code."""
    own = text(element(concept, "text"))
    displays = [text(element(coding, "display")) for coding in elements(concept, "coding")]
    plain = [text(element(coding, "code")) for coding in elements(concept, "coding")]
    return next((name for name in (own, *displays, *plain) if name), "")


def status(concept: Any) -> str:
    """The first code of a status; one that is a plain text, or has only a text, is that text in small letters."""
    if isinstance(concept, str):
        return text(concept).lower()
    coded = (text(element(coding, "code")) for coding in elements(concept, "coding"))
    return next((code for code in coded if code), text(element(concept, "text")).lower())
