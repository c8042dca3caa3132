"""From codes and displays of a record to concepts of the terminology, and to the names that slots and questions use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

import msgspec

from turnmark.language.text.fold import fold
from turnmark.packs.loading import parse, shipped
from turnmark.packs.terminology import Entry, Language, Terminology
from turnmark.synth.fhir.elements import Element, codes, label

_QUALIFIER = re.compile(r"\s*\((?:disorder|finding|situation|procedure|morphologic abnormality|event)\)$")
_STRENGTH = re.compile(r"(\d+(?:\.\d+)?)\s*(mg|mcg|ug|μg|g|unt|units?|meq|iu|%)(/\S+)?", re.IGNORECASE)
_WORD = re.compile(r"[^\s\[\](),]+")
_LONGEST_NAME = 6
_LEAST_MG = 0.1
"""Strengths below are said in micrograms."""


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A dosage form: words of English product names, its name by language, whether the strength is shown."""

    words: tuple[str, ...]
    names: dict[Language, str]
    strength: bool


class Forms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The dosage forms, of which the first that fits wins, and how units of strength are written."""

    version: str
    units: dict[str, dict[Language, str]]
    forms: tuple[Form, ...]


@cache
def dosage_forms() -> Forms:
    """The dosage forms that come with turnmark."""
    return parse(shipped("clinical/synth/forms.yaml"), "clinical/synth/forms.yaml", Forms)


def concept_entry(terms: Terminology, concept: Element | None, kinds: Iterable[str]) -> Entry | None:
    """The concept of a CodeableConcept: by code, else by name; None when the terminology does not know it."""
    wanted = tuple(kinds)
    results = [entry for code in codes(concept) for entry in _by_code(terms, code) if entry.kind in wanted]
    if results:
        return results[0]
    name = plain(label(concept))
    if "medication" in wanted:
        return _medication(terms, name)
    named = [entry for entry in terms.by_name(fold(name).text) if entry.kind in wanted]
    return named[0] if named else None


def _by_code(terms: Terminology, code: str) -> list[Entry]:
    """Concepts with a code; an ICD or ATC code without its own row stands for the nearest wider one."""
    system, _, own = code.partition(":")
    if system in {"ICD", "ICD10CM"}:
        return terms.by_code(code) or list(_widened(terms, own))
    if system == "ATC":
        entry = terms.get("medication", own)
        return [entry] if entry else terms.by_code(code)
    return terms.by_code(code)


def _widened(terms: Terminology, code: str) -> Iterator[Entry]:
    while len(code) >= 3:
        entry = terms.get("condition", code)
        if entry is not None:
            yield entry
            return
        code = code[:-1].rstrip(".")


def plain(name: str) -> str:
    """A display without the tag that SNOMED puts behind it: ``Chronic sinusitis (disorder)``."""
    return _QUALIFIER.sub("", name).strip()


def _medication(terms: Terminology, name: str) -> Entry | None:
    """The medication in a product name: ``Amoxicillin 250 MG / Clavulanate 125 MG Oral Tablet``."""
    whole = [entry for entry in terms.by_name(fold(name).text) if entry.kind == "medication"]
    if whole:
        return whole[0]
    parts = [_substance(terms, part) for part in name.split(" / ")]
    if len(parts) > 1:
        for order in (parts, parts[::-1]):
            joined = "/".join(part[0] for part in order)
            combined = [entry for entry in terms.by_name(joined) if entry.kind == "medication"]
            if combined:
                return combined[0]
        return None
    return parts[0][1]


def _substance(terms: Terminology, part: str) -> tuple[str, Entry | None]:
    """English name and concept of the longest known name in a part, or its first word when none is known.

    A class (insulin) is the answer only when no substance is named.
    """
    words = _WORD.findall(fold(part).text)
    names = [
        " ".join(words[start : start + length])
        for length in range(min(_LONGEST_NAME, len(words)), 0, -1)
        for start in range(len(words) - length + 1)
    ]
    for kind in ("medication", "medication_class"):
        known = [entry for name in names for entry in terms.by_name(name) if entry.kind == kind]
        if known:
            return known[0].english, known[0]
    return next((word for word in words if word.isalpha()), ""), None


def medication_name(terms: Terminology, product: str, entry: Entry | None, language: Language) -> str:
    """How a slot calls a product: ``메트포르민 500mg``, ``fluticasone inhaler``.

    Of a product that is no concept, the known substances are called by their names, the others as they are written.
    """
    folded = fold(product).text
    form = next((form for form in dosage_forms().forms if any(word in folded for word in form.words)), None)
    name = _shown_name(folded, entry, language) if entry else _substances(terms, product, language)
    form_name = form.names.get(language, "") if form else ""
    if form_name and fold(form_name).text not in fold(name).text:
        name = f"{name}{'' if language == 'zh' else ' '}{form_name}"
    strength = _strength(product, language) if form is None or form.strength else ""
    return f"{name} {strength}".strip()


def _substances(terms: Terminology, product: str, language: Language) -> str:
    names = []
    for part in product.split(" / "):
        strength = _STRENGTH.search(part)
        known = _substance(terms, part)[1]
        written = (part[: strength.start()] if strength else part).strip()
        names.append(_shown_name(fold(part).text, known, language) if known else written)
    return "/".join(dict.fromkeys(names)) or product


def _shown_name(folded: str, entry: Entry, language: Language) -> str:
    """The canonical name; in English the generic name that the record itself uses (albuterol, not salbutamol)."""
    if language != "en" or fold(entry.english).text in folded:
        return entry.canonical(language)
    own = [name.text for name in entry.names if name.language == "en" and not name.brand and name.folded in folded]
    # The shortest leaves salts out: metoprolol, not metoprolol succinate.
    return min(own, key=len) if own else entry.english


def _strength(product: str, language: Language) -> str:
    """``500mg``; ``250/125mg`` for combinations; empty where the product gives a concentration or nothing."""
    results: list[tuple[str, str, str]] = _STRENGTH.findall(product)
    if not results or any(per for _, _, per in results):
        return ""
    if all(unit.lower() == "mg" and float(value) < _LEAST_MG for value, unit, _ in results):
        # Nobody says 0.075mg of levothyroxine.
        results = [(f"{float(value) * 1000:g}", "mcg", per) for value, _, per in results]
    written = dosage_forms().units
    units = [written.get(unit.lower(), {}).get(language, unit.lower()) for _, unit, _ in results]
    amounts = [_amount(value) for value, _, _ in results]
    if len(set(units)) == 1:
        return "/".join(amounts) + units[0]
    return "/".join(amount + unit for amount, unit in zip(amounts, units, strict=True))


def _amount(value: str) -> str:
    return value.rstrip("0").rstrip(".") if "." in value else value
