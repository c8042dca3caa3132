"""What names stand for: concepts of the terminology as terms that can be compared, and conversions of their units."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from turnmark.language.later import later
from turnmark.language.quantity.units import normalise_unit
from turnmark.language.text.fold import fold_text
from turnmark.packs.clinical_facts import mention_words, words
from turnmark.packs.terminology import Entry, Terminology, terminology

Kind = str
"""Of a term: "medication", "condition", "lab", "vital", "sex", or "skip" for words that only hold a name."""


class Term(NamedTuple):
    """What a name stands for.

    Attributes:
        kind: See `Kind`.
        ids: What is named; several for a combination (telmisartan with amlodipine).
        broader: Classes of medicines and broader conditions that hold it.
        name: Canonical English name.
        units: Units that its values come in, by their normalised names; empty for kinds without values.
        everyday: True when the name is an everyday word too, and counts only with a dose or when the record holds it.

    """

    kind: Kind
    ids: frozenset[str]
    broader: frozenset[str]
    name: str
    units: frozenset[str] = frozenset()
    everyday: bool = False


NO_MENTION = Term("skip", frozenset(), frozenset(), "")
"""What words stand for that only hold a name, or are too vague to check."""

_OF_KIND: dict[str, Kind] = {
    "medication": "medication",
    "medication_class": "medication",
    "condition": "condition",
    "lab": "lab",
    "vital": "vital",
}
# "당뇨 환자" is a name of diabetes; here 환자 is read as part of the statement.
_PATIENT = later(r" ?환자$|患者$| patients?$")
_UCUM = {
    "{beats}/min": "bpm",
    "/min": "bpm",
    "mm[Hg]": "mmhg",
    "Cel": "celsius",
    "[degF]": "fahrenheit",
    "[lb_av]": "lb",
    "[in_i]": "inch",
    "[ft_i]": "ft",
    "{jin}": "jin",
    "mL/min/{1.73_m2}": "ml/min/1.73m2",
    "10*3/uL": "cells/ul",
    "10*9/L": "cells/ul",
}


def unit_name(ucum: str) -> str:
    """Return the normalised name of a UCUM unit, or the code itself, folded, where no such unit is written in prose."""
    known = _UCUM.get(ucum)
    if known:
        return known
    plain = re.sub(r"\{.*?\}", "", ucum.replace("[IU]", "iu"))
    try:
        return normalise_unit(plain)
    except ValueError:
        return fold_text(plain)


def clinical_terms() -> Iterator[tuple[str, Term]]:
    """Yield each name of a medicine, class, condition, lab or vital of the terminology, with its term."""
    known = terminology()
    mentions = mention_words()
    vague = {
        "medication": frozenset(words(mentions.vague_medicines)),
        "condition": frozenset(words(mentions.vague_conditions)),
    }
    vague_names = frozenset(words(mentions.vague_names))
    everyday_names = frozenset(words(mentions.everyday_names))
    everyday_medicines = frozenset(words(mentions.everyday_medicines))
    for entry in known.entries:
        if entry.kind not in _OF_KIND:
            continue
        term = NO_MENTION if entry.id in vague.get(_OF_KIND[entry.kind], ()) else _term(known, entry)
        everyday = term._replace(everyday=True)
        for name in entry.names:
            if name.folded in vague_names:
                yield name.text, NO_MENTION
            elif not (term.kind == "condition" and _PATIENT.search(name.folded)):
                is_everyday = name.ambiguous or name.folded in everyday_names or entry.id in everyday_medicines
                yield name.text, everyday if is_everyday else term


@cache
def condition_term(condition: str) -> Term:
    """What a condition of the terminology stands for. Raises: KeyError when there is none of this id."""
    entry = terminology().get("condition", condition)
    if entry is None:
        raise KeyError(condition)
    return _term(terminology(), entry)


def _term(known: Terminology, entry: Entry) -> Term:
    ids = frozenset(entry.ingredients or (entry.id,))
    if entry.kind == "medication":
        broader = frozenset(item.id for item in known.classes(entry))
    else:
        broader = frozenset(item.id for item in known.broader(entry))
    units = conversions(entry.id) if entry.kind in ("lab", "vital") else {}
    return Term(_OF_KIND[entry.kind], ids, broader, entry.english, frozenset(units))


@cache
def conversions(analyte: str) -> dict[str, tuple[float, float]]:
    """Return for each unit of a lab or vital, by its normalised name, (factor, offset) to its own unit."""
    entry = terminology().get("lab", analyte) or terminology().get("vital", analyte)
    results: dict[str, tuple[float, float]] = {}
    for ucum, conversion in entry.conversions.items() if entry else ():
        results.setdefault(unit_name(ucum), (conversion.factor, conversion.offset))
    return results


@cache
def analyte_of(english: str) -> str:
    """The identity of a lab or vital by its canonical English name."""
    for kind in ("lab", "vital"):
        for entry in terminology().of_kind(kind):
            if entry.english == english:
                return entry.id
    return english.replace(" ", "_")
