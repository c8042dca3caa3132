"""Users' safety rules (``safety_rules.yaml``): flags of patient and question, what answers must not advise, rules.

One broken rule does not stop the others: it is left out and reported with file, line and field. Only a file that is no
YAML mapping is refused as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from turnmark.packs.loading import bytes_of, digest, line_of, mapping_of, shipped
from turnmark.schemas.json_schema import faults
from turnmark.schemas.problems import Problem, shown

T = TypeVar("T")

SHIPPED = "clinical/safety_rules.yaml"
Operator = Literal["<", "<=", ">", ">=", "==", "!=", "in"]
_VIOLATIONS = (
    "violation_if_answer_matches",
    "violation_if_answer_matches_any",
    "violation_if_answer_matches_all",
    "violation_if_answer_advises_slot",
    "violation_if_answer_stops_slot",
)
_OF_ORDER = frozenset(("<", "<=", ">", ">="))


class FieldCondition(msgspec.Struct, kw_only=True):
    """A lab, vital, age or slot of the patient compared with a threshold or with texts.

    A number is compared with a number; ``unit`` is the unit of ``value``; without it, the usual one of the field
    (``hba1c`` in %, ``glucose`` in mg/dL …). A text (``==``, ``!=``) or a list of texts (``in``) is compared with what
    the slot holds: its entries, their names in the terminology, and the value that a text comes to (``former``).
    """

    field: str
    op: Operator
    value: float | str | list[str]
    unit: str = ""

    def __post_init__(self) -> None:
        """Refuses an order of texts, and a list without ``in``."""
        if (self.op == "in") != isinstance(self.value, list) or (self.op in _OF_ORDER and isinstance(self.value, str)):
            message = f"op {self.op!r} does not compare with {self.value!r}: a list wants in, a text == or !="
            raise ValueError(message)


class PatientFlag(msgspec.Struct, kw_only=True):
    """Holds when any condition of ``any`` holds (if there are some) and all of ``all``; unknown fields do not hold."""

    any: list[FieldCondition] = []
    all: list[FieldCondition] = []


class Phrases(msgspec.Struct, kw_only=True):
    """Literal phrases by language; upper and lower case are the same."""

    patterns_ko: list[str] = []
    patterns_en: list[str] = []
    patterns_zh: list[str] = []

    def of(self, language: str) -> list[str]:
        """The phrases of one language; all of them for a language that has no list."""
        own = {"ko": self.patterns_ko, "en": self.patterns_en, "zh": self.patterns_zh}
        return own.get(language, self.all())

    def all(self) -> list[str]:
        """The phrases of all languages."""
        return [*self.patterns_ko, *self.patterns_en, *self.patterns_zh]


class Condition(msgspec.Struct, kw_only=True):
    """One condition of a rule: exactly one of a patient flag, a question flag, or words of a diagnosis.

    It holds when what it names is as ``is`` says. ``condition_contains`` is looked for in the primary condition and the
    comorbidities, whatever the case.
    """

    patient_flag: str | None = None
    question_flag: str | None = None
    condition_contains: list[str] | None = None
    expected: bool = msgspec.field(default=True, name="is")


class When(msgspec.Struct, kw_only=True):
    """Holds when any condition of ``any`` holds (if there are some) and all of ``all``."""

    any: list[Condition] = []
    all: list[Condition] = []


class SafetyRule(msgspec.Struct, kw_only=True):
    """A rule applies when ``when`` holds; it is violated when the answer advises what is listed.

    One of the five: a single answer pattern, any of several, all of several, or a slot of the record, whose entries the
    answer must not advise (``allergies``) or must not end (``key_meds``). A rule of a slot asks for a record that names
    such an entry, and may do without ``when``: then one that forbids to advise applies to every answer, and one that
    forbids to end applies to the answers that do so. ``penalty`` counts by its size.
    """

    id: str
    name: str
    when: When | None = None
    violation_if_answer_matches: str | None = None
    violation_if_answer_matches_any: list[str] | None = None
    violation_if_answer_matches_all: list[str] | None = None
    violation_if_answer_advises_slot: str | None = None
    violation_if_answer_stops_slot: str | None = None
    penalty: float
    rationale: str = ""

    @property
    def slot(self) -> str | None:
        """The slot of the record whose entries the rule is about; None for a rule of answer patterns."""
        return self.violation_if_answer_advises_slot or self.violation_if_answer_stops_slot

    @property
    def patterns(self) -> tuple[str, ...]:
        """The answer patterns that are looked for."""
        if self.violation_if_answer_matches is not None:
            return (self.violation_if_answer_matches,)
        return tuple(self.violation_if_answer_matches_any or self.violation_if_answer_matches_all or ())


class MissingRequirement(msgspec.Struct, kw_only=True):
    """Something that answers of these turns, or of every turn, must hold; without it the rule is violated."""

    id: str
    name: str
    required_concepts_any_of: Phrases
    penalty: float
    apply_to_turns: list[int] | None = None
    when: When | None = None
    rationale: str = ""


class SafetyRules(NamedTuple):
    """A file of rules, read; ``name`` and ``digest`` tell which."""

    name: str
    digest: str
    patient_flags: dict[str, PatientFlag]
    question_flags: dict[str, Phrases]
    answer_patterns: dict[str, Phrases]
    rules: tuple[SafetyRule, ...]
    missing_requirements: tuple[MissingRequirement, ...]


_SECTIONS = (
    ("patient_flags", dict, PatientFlag),
    ("question_flags", dict, Phrases),
    ("answer_patterns", dict, Phrases),
    ("rules", list, SafetyRule),
    ("missing_requirements", list, MissingRequirement),
)
_OTHER_KEYS = ("schema_version", "description", "version", "source")


def load_safety_rules(path: Path | None = None) -> tuple[SafetyRules, list[Problem]]:
    """The rules of a user's file, or the shipped ones, and everything that is wrong with it.

    Raises: PackError when the file cannot be read or is no YAML mapping.
    """
    if path is None:
        return read_safety_rules(shipped(SHIPPED), f"turnmark:{SHIPPED}")
    return read_safety_rules(bytes_of(path), str(path))


def read_safety_rules(raw: bytes, name: str) -> tuple[SafetyRules, list[Problem]]:
    """The rules in the bytes of a YAML file, and what had to be left out. Raises: PackError as `load_safety_rules`."""
    reader = SectionReader(raw, name)
    parts: dict[str, dict[str, Any]] = {}
    for key in reader.value:
        if key not in (*_OTHER_KEYS, *(section for section, _, _ in _SECTIONS)):
            reader.report(
                f"$.{key}", f"one of {[section for section, _, _ in _SECTIONS]}", shown(key), severity="warning"
            )
    for section, kind, item_type in _SECTIONS:
        parts[section] = reader.mapping(section, item_type) if kind is dict else reader.listed(section, item_type)
    rules = dict(_sound_rules(parts, reader))
    missing = dict(_sound_requirements(parts, rules, reader))
    return (
        SafetyRules(
            name,
            digest(raw),
            parts["patient_flags"],
            parts["question_flags"],
            parts["answer_patterns"],
            tuple(rules.values()),
            tuple(missing.values()),
        ),
        reader.problems,
    )


class SectionReader:
    """A YAML file read item by item, so that one bad item is reported with its line and the rest goes on."""

    def __init__(self, raw: bytes, name: str) -> None:
        self.raw, self.name = raw, name
        self.value = mapping_of(raw, name)
        self.problems: list[Problem] = []

    def report(
        self, path: str, expected: str, found: str, advice: str = "", *, severity: Literal["error", "warning"] = "error"
    ) -> None:
        """Note one fault of the field at a path."""
        self.problems.append(
            Problem(
                file=self.name, line=line_of(self.raw, path), field=path, expected=expected, found=found, advice=advice,
                severity=severity,
            )
        )  # fmt: skip

    def mapping(self, section: str, item_type: type[T]) -> dict[str, T]:
        """The good items of a section that maps names to items."""
        value = self.value.get(section) or {}
        if not isinstance(value, dict):
            self.report(f"$.{section}", "a mapping of names", shown(value))
            return {}
        results = {str(key): self.item(item, item_type, f"$.{section}.{key}") for key, item in value.items()}
        return {key: item for key, item in results.items() if item is not None}

    def listed(self, section: str, item_type: type[T]) -> dict[str, T]:
        """The good items of a section that lists items, by their path."""
        value = self.value.get(section) or []
        if not isinstance(value, list):
            self.report(f"$.{section}", "a list", shown(value))
            return {}
        results = {
            f"$.{section}[{index}]": self.item(item, item_type, f"$.{section}[{index}]")
            for index, item in enumerate(value)
        }
        return {path: item for path, item in results.items() if item is not None}

    def item(self, value: Any, item_type: type[T], path: str) -> T | None:
        """One item, or None when it is wrong."""
        try:
            converted = msgspec.convert(value, item_type)
        except msgspec.ValidationError as error:
            for fault in list(faults(value, item_type))[:5]:
                self.report(path + fault.path[1:], fault.expected, fault.found, "the item is left out")
            if not any(problem.field.startswith(path) for problem in self.problems):
                self.report(path, str(error), shown(value), "the item is left out")
            return None
        known = {field.encode_name for field in msgspec.structs.fields(item_type)}  # type: ignore[arg-type]
        for key in value if isinstance(value, dict) else ():
            if key not in known:
                self.report(f"{path}.{key}", f"one of {sorted(known)}", shown(key), "it is ignored", severity="warning")
        return converted


def _sound_rules(parts: Mapping[str, dict[str, Any]], reader: SectionReader) -> Iterator[tuple[str, SafetyRule]]:
    seen: set[str] = set()
    for path, rule in parts["rules"].items():
        faulty = list(_when_faults(rule.when, f"{path}.when", parts)) if rule.when or not rule.slot else []
        given = [name for name in _VIOLATIONS if getattr(rule, name) is not None]
        if len(given) != 1 or not (rule.patterns or rule.slot):
            expected = (
                "exactly one violation_if_answer_matches[_any|_all] or violation_if_answer_advises_slot|stops_slot"
            )
            faulty.append((path, expected, str(given or "none")))
        for pattern in rule.patterns:
            if pattern not in parts["answer_patterns"]:
                known = sorted(parts["answer_patterns"])
                faulty.append((f"{path}.{(given or [''])[0]}", f"one of the answer_patterns {known}", repr(pattern)))
        if rule.id in seen:
            faulty.append((f"{path}.id", "an id of its own", f"{rule.id!r} a second time"))
        for fault in faulty:
            reader.report(*fault, "the rule is left out")
        if not faulty:
            seen.add(rule.id)
            yield path, rule


def _sound_requirements(
    parts: Mapping[str, dict[str, Any]], rules: Mapping[str, SafetyRule], reader: SectionReader
) -> Iterator[tuple[str, MissingRequirement]]:
    seen = {rule.id for rule in rules.values()}
    for path, requirement in parts["missing_requirements"].items():
        faulty = list(_when_faults(requirement.when, f"{path}.when", parts)) if requirement.when else []
        if not requirement.required_concepts_any_of.all():
            faulty.append((f"{path}.required_concepts_any_of", "phrases in one language at least", "none"))
        if requirement.id in seen:
            faulty.append((f"{path}.id", "an id of its own", f"{requirement.id!r} a second time"))
        for fault in faulty:
            reader.report(*fault, "the requirement is left out")
        if not faulty:
            seen.add(requirement.id)
            yield path, requirement


def _when_faults(when: When | None, path: str, parts: Mapping[str, dict[str, Any]]) -> Iterable[tuple[str, str, str]]:
    if when is None or not (when.any or when.all):
        yield path, "conditions under any or all", "none"
        return
    for side, conditions in (("any", when.any), ("all", when.all)):
        for index, condition in enumerate(conditions):
            here = f"{path}.{side}[{index}]"
            named = [
                name
                for name in ("patient_flag", "question_flag", "condition_contains")
                if getattr(condition, name) is not None
            ]
            if len(named) != 1:
                yield here, "one of patient_flag, question_flag, condition_contains", str(named or "none")
            for name, section in (("patient_flag", "patient_flags"), ("question_flag", "question_flags")):
                flag = getattr(condition, name)
                if flag is not None and flag not in parts[section]:
                    yield f"{here}.{name}", f"one of the {section} {sorted(parts[section])}", repr(flag)
