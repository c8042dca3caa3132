"""Clinical terminology: medications, conditions, labs, vitals, procedures and symptoms in three languages.

The tables lie in ``packs/clinical/terminology/*.tsv``: one concept a row, its names in English, Korean and Chinese,
the first of each column the canonical one, ``|`` between names. A name with ``?`` before it is also an everyday word.
What a concept is called is data; how a name is told from a part of a longer word is the detectors' business.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import Literal

import msgspec

from turnmark.errors import PackError
from turnmark.language.text.fold import fold_text
from turnmark.packs.terminology_tables import Row, folder, parse_conversion, read_shipped, tables_digest

READY = "ready.json"
"""The file beside the tables that ``tools/generate.py`` makes of them, which reads ten times faster."""

Kind = Literal["medication", "medication_class", "condition", "lab", "vital", "procedure", "symptom"]
Language = Literal["en", "ko", "zh"]

KINDS: tuple[Kind, ...] = (
    "medication",
    "medication_class",
    "condition",
    "lab",
    "vital",
    "procedure",
    "symptom",
)
"""The kinds of concept, in the order in which tables are read."""

_HANGUL = re.compile("[가-힣]")
_HAN = re.compile("[一-鿿]")


class Name(msgspec.Struct, frozen=True, array_like=True):
    """One name of one concept.

    ``text`` as written in the table, ``folded`` as ``language.fold`` gives it, ``brand`` for trade names, ``canonical``
    for the first name of its language. ``short`` says that it is easily part of another word (three Latin letters,
    two syllables or two characters at most), ``ambiguous`` that it is an everyday word too or names several concepts.
    """

    text: str
    folded: str
    language: Language
    brand: bool
    canonical: bool
    short: bool
    ambiguous: bool


class Conversion(msgspec.Struct, frozen=True, array_like=True):
    """How a value of another unit becomes one of the concept's own unit: ``value * factor + offset``."""

    factor: float
    offset: float = 0.0

    def __call__(self, value: float) -> float:
        """The value in the concept's own unit."""
        return value * self.factor + self.offset


class Unit(msgspec.Struct, frozen=True):
    """One unit of measure: its UCUM code, how values are shown with it (``5.4mmol/L``), and other spellings."""

    ucum: str
    shown: str
    spellings: tuple[str, ...]


class Entry(msgspec.Struct, frozen=True, eq=False, omit_defaults=True):
    """One concept.

    ``id`` is unique within its kind: an ATC code (``INN:…`` where ATC has none), an ICD-10 code, a slot name such as
    ``hba1c``. ``english`` is the canonical English name. ``ingredients`` are the ids of a combination's parts,
    ``members`` the ATC prefixes of a class, ``broader`` the id of the condition that this one is a kind of,
    ``codes`` other codes as ``SYSTEM:code``. ``unit`` and ``conversions`` (by UCUM code) belong to labs and vitals.
    """

    kind: Kind
    id: str
    names: tuple[Name, ...]
    ingredients: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    broader: str = ""
    codes: tuple[str, ...] = ()
    unit: Unit | None = None
    conversions: dict[str, Conversion] = {}
    source: tuple[str, ...] = ()

    @property
    def english(self) -> str:
        """The canonical English name."""
        return self.canonical("en")

    def canonical(self, language: Language) -> str:
        """The canonical name in a language; the English one where the language has none."""
        first = {name.language: name.text for name in reversed(self.names) if name.canonical}
        return first.get(language) or first["en"]

    def converts(self, unit: str) -> Conversion | None:
        """How values of ``unit`` (UCUM or any known spelling) become values of the own unit; None when they do not."""
        return next((self.conversions[code] for code in unit_codes(unit) if code in self.conversions), None)


class _Ready(msgspec.Struct):
    """The entries, and the digest of the tables that they were made of."""

    made_of: str
    entries: list[Entry]


class Terminology:
    """All concepts, and the ways to find one.

    Attributes:
        entries: Every concept, in the order of the tables.

    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries: tuple[Entry, ...] = tuple(entries)

    @cached_property
    def _by_name(self) -> dict[str, list[Entry]]:
        results: dict[str, list[Entry]] = {}
        for entry in self.entries:
            for folded in dict.fromkeys(name.folded for name in entry.names):
                results.setdefault(folded, []).append(entry)
        return results

    @cached_property
    def _by_id(self) -> dict[tuple[str, str], Entry]:
        return {(entry.kind, entry.id): entry for entry in self.entries}

    @cached_property
    def _by_code(self) -> dict[str, list[Entry]]:
        results: dict[str, list[Entry]] = {}
        for entry in self.entries:
            for code in (*entry.codes, *([entry.id] if ":" in entry.id else [])):
                results.setdefault(code, []).append(entry)
        return results

    def by_name(self, folded: str) -> list[Entry]:
        """Every concept with this name (folded with ``language.fold``); empty when nothing has it."""
        return self._by_name.get(folded, [])

    def by_code(self, code: str) -> list[Entry]:
        """Every concept with this code, e.g. ``LOINC:4548-4`` or ``SCT:44054006``."""
        return self._by_code.get(code, [])

    def get(self, kind: Kind, entry_id: str) -> Entry | None:
        """The concept of this kind with this id."""
        return self._by_id.get((kind, entry_id))

    def of_kind(self, kind: Kind) -> list[Entry]:
        """Every concept of one kind, in the order of its table."""
        return [entry for entry in self.entries if entry.kind == kind]

    def names(self, language: Language | None = None) -> Iterator[tuple[Name, Entry]]:
        """Every name with its concept; of one language, or of all."""
        for entry in self.entries:
            for name in entry.names:
                if language is None or name.language == language:
                    yield name, entry

    def members(self, entry: Entry) -> list[Entry]:
        """The medications of a class, combinations that contain a member included; empty for other kinds."""
        return [medication for medication in self.of_kind("medication") if entry in self.classes(medication)]

    def classes(self, entry: Entry) -> list[Entry]:
        """The classes that a medication or one of its ingredients belongs to."""
        return self._classes.get(entry.id, []) if entry.kind == "medication" else []

    @cached_property
    def _classes(self) -> dict[str, list[Entry]]:
        classes = self.of_kind("medication_class")
        of_prefix: dict[str, list[int]] = {}
        for place, entry in enumerate(classes):
            for prefix in entry.members:
                of_prefix.setdefault(prefix, []).append(place)
        results: dict[str, list[Entry]] = {}
        for medication in self.of_kind("medication"):
            begun = (code[:size] for code in self._codes_of(medication) for size in range(len(code) + 1))
            places = {place for prefix in begun for place in of_prefix.get(prefix, ())}
            results[medication.id] = [classes[place] for place in sorted(places)]
        return results

    def _codes_of(self, medication: Entry) -> set[str]:
        """The ids of a medication and its ingredients, and their other codes."""
        parts = [medication, *(self._by_id["medication", part] for part in medication.ingredients)]
        return {code for part in parts for code in (part.id, *(other.removeprefix("ATC:") for other in part.codes))}

    def broader(self, entry: Entry) -> list[Entry]:
        """What a condition is a kind of, nearest first: CKD stage 3a, then stage 3, then chronic kidney disease."""
        entries: list[Entry] = []
        current = entry
        while current.broader:
            current = self._by_id[current.kind, current.broader]
            entries.append(current)
        return entries


@cache
def terminology() -> Terminology:
    """The terminology that comes with turnmark: as it was made ready from the tables, or from them if they changed.

    Raises: PackError with every fault of the tables, one a line, as ``file:line: $.column: expected …, found …``.
    """
    try:
        ready = msgspec.json.decode(folder().joinpath(READY).read_bytes(), type=_Ready)
        if ready.made_of == tables_digest():
            return Terminology(ready.entries)
    except (OSError, msgspec.DecodeError):
        pass  # missing or damaged: the tables say the same
    return Terminology(_entries())


def made() -> bytes:
    """What ``ready.json`` should hold, an entry a line. Raises: PackError as `terminology` does."""
    lines = ",\n".join(msgspec.json.encode(entry).decode() for entry in _entries())
    return f'{{"made_of":"{tables_digest()}","entries":[\n{lines}\n]}}\n'.encode()


def _entries() -> tuple[Entry, ...]:
    rows, problems = read_shipped()
    if problems:
        raise PackError("\n".join(str(problem) for problem in problems))
    return build(rows).entries


def build(rows: dict[str, list[Row]]) -> Terminology:
    """A terminology from checked rows of all tables (``terminology_tables.read``)."""
    units = {row.cells["ucum"]: _unit(row) for row in rows["unit"]}
    counts: dict[str, int] = {}
    for kind in KINDS:
        for row in rows[kind]:
            for folded in {_folded(text) for _, text, _ in _texts(row)}:
                counts[folded] = counts.get(folded, 0) + 1
    return Terminology(_entry(kind, row, units, counts) for kind in KINDS for row in rows[kind])


@cache
def unit_codes(text: str) -> tuple[str, ...]:
    """The UCUM codes that a spelling of a unit stands for; empty when it is unknown."""
    spellings = _spellings()
    return spellings.get(text) or spellings.get(_tight(text), ())


@cache
def _spellings() -> dict[str, tuple[str, ...]]:
    results: dict[str, dict[str, None]] = {}
    for row in read_shipped()[0]["unit"]:
        unit = _unit(row)
        for spelling in (unit.ucum, unit.shown, *unit.spellings):
            if spelling:
                results.setdefault(spelling, {})[unit.ucum] = None
                results.setdefault(_tight(spelling), {})[unit.ucum] = None
    return {spelling: tuple(codes) for spelling, codes in results.items()}


def _tight(unit: str) -> str:
    return fold_text(unit).replace(" ", "")


def _unit(row: Row) -> Unit:
    return Unit(row.cells["ucum"], row.cells["shown"], row.values("spellings"))


def _texts(row: Row) -> Iterator[tuple[Language, str, bool]]:
    """Language, name (with its ``?``) and whether it is a brand, of every name of a row."""
    for language, column in (("en", "english"), ("ko", "korean"), ("zh", "chinese")):
        for text in row.values(column):
            yield _language(text, language), text, False
    for text in row.values("brands"):
        yield _language(text, "en"), text, True


def _language(text: str, column: str) -> Language:
    if _HANGUL.search(text):
        return "ko"
    if _HAN.search(text):
        return "zh"
    return "ko" if column == "ko" else "zh" if column == "zh" else "en"


@cache
def _folded(text: str) -> str:
    return fold_text(text.removeprefix("?"))


def _entry(kind: Kind, row: Row, units: dict[str, Unit], counts: dict[str, int]) -> Entry:
    names: list[Name] = []
    seen: set[Language] = set()
    for language, text, brand in _texts(row):
        folded = _folded(text)
        names.append(
            Name(
                text=text.removeprefix("?"),
                folded=folded,
                language=language,
                brand=brand,
                canonical=not brand and language not in seen,
                short=len(folded) <= (3 if folded.isascii() else 2),
                ambiguous=text.startswith("?") or counts[folded] > 1,
            )
        )
        seen.add(language)
    unit = units.get(row.cells.get("unit", ""))
    return Entry(
        kind=kind,
        id=row.cells["id"],
        names=tuple(names),
        ingredients=row.values("ingredients"),
        members=row.values("members"),
        broader=row.cells.get("broader", ""),
        codes=row.values("codes"),
        unit=unit,
        conversions=dict(_conversions(row, unit)),
        source=row.values("source"),
    )


def _conversions(row: Row, unit: Unit | None) -> Iterator[tuple[str, Conversion]]:
    if unit is not None:
        yield unit.ucum, Conversion(1.0)
    for text in row.values("conversions"):
        parsed = parse_conversion(text)
        if parsed is not None:
            code, factor, offset = parsed
            yield code, Conversion(factor, offset)
