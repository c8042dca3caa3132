"""Perturbations of answers to patients by one changed value of the record, held against the value as it stands there.

Safety, use of the record, news and actionability look at no value that an answer states: nothing is planted for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from turnmark.suites.planting import edits
from turnmark.suites.planting.material import Changed, Material, Perturbation, down, stated, up
from turnmark.suites.planting.rewording import reword_value
from turnmark.suites.planting.values import AMOUNT, change_value

_ALIKE = 0.3
"""Names that share more of their letters may mean one condition."""

Edit = Callable[[str, Material], str | None]


class _Fact(NamedTuple):
    """A value of the record and the sentence that states it, ``{x}`` being the value."""

    template: str
    value: str


def _slots(at: Material) -> Mapping[str, Any]:
    return at.dialog.slots_truth if isinstance(at.dialog.slots_truth, dict) else {}


def _measurements(at: Material) -> Iterator[_Fact]:
    words = edits.words_of(at.reply)
    for group in ("key_vitals", "key_labs"):
        for name, value in (_slots(at).get(group) or {}).items():
            if name in words.slots and isinstance(value, str):
                yield _Fact(words.measured.replace("{name}", words.slots[name]), value)


def _medicines(at: Material) -> Iterator[_Fact]:
    for name in _slots(at).get("key_meds") or ():
        yield _Fact(edits.words_of(at.reply).takes, str(name))


def _conditions(at: Material) -> Iterator[_Fact]:
    for name in (_slots(at).get("primary_condition"), *(_slots(at).get("comorbidities") or ())):
        if isinstance(name, str) and name:
            yield _Fact(edits.words_of(at.reply).has, name)


def _dated(at: Material) -> Iterator[_Fact]:
    for name in _slots(at).get("major_procedures") or ():
        yield _Fact(edits.words_of(at.reply).underwent, str(name))


Facts = Callable[[Material], Iterator[_Fact]]


def _changed(facts: Facts, edit: Edit) -> Callable[[Material], Changed | None]:
    """An answer that ends with a fact of the record edited, held against one that ends with the fact."""

    def change(at: Material) -> Changed | None:
        known = list(facts(at))
        for fact in at.chance.sample(known, len(known)):
            wrong = edit(fact.value, at)
            if wrong:
                return at.replied_instead(
                    *(edits.add(at.reply, stated(fact.template, value)) for value in (fact.value, wrong))
                )
        return None

    return change


def _denied(at: Material) -> Changed | None:
    """A condition of the record denied, held against the same stated."""
    conditions = [fact.value for fact in _conditions(at)]
    if not conditions:
        return None
    name, words = at.chance.choice(conditions), edits.words_of(at.reply)
    return at.replied_instead(*(edits.add(at.reply, stated(said, name)) for said in (words.has, words.has_not)))


def _affirmed(at: Material) -> Changed | None:
    """A condition that neither the record nor the answer holds stated, held against the same denied."""
    words, known = edits.words_of(at.reply), edits.names_in(_slots(at))
    if not known:
        return None
    foreign = sorted({
        fact.value
        for other in at.others
        for fact in _conditions(at._replace(dialog=other))
        if edits.words_of(fact.value) is words
        and fact.value not in at.reply
        and not any(edits.similarity(name, fact.value) > _ALIKE for name in known)
    })  # fmt: skip
    if not foreign:
        return None
    name = at.chance.choice(foreign)
    return at.replied_instead(*(edits.add(at.reply, stated(said, name)) for said in (words.has_not, words.has)))


def _value(kind: str) -> Edit:
    return lambda text, at: change_value(text, at.chance, kind)


def _reworded(text: str, at: Material) -> str | None:
    return reword_value(text, at.chance)


_WRONG = (
    *down("SFS.slot_factuality", "SFS.slot_factuality_weighted", "SFS_ALL.slot_factuality_all"),
    *up("CCR.context_contradiction"),
)

_FACTS = ("SFS.slot_factuality", "SFS.slot_factuality_weighted", "SFS_ALL.slot_factuality_all")

VALUES: tuple[Perturbation, ...] = (
    Perturbation("measurement", "a measurement of the record has another number",
                 _changed(_measurements, _value(AMOUNT)), _WRONG),
    Perturbation("measurement_unit", "a measurement of the record has another unit",
                 _changed(_measurements, _value("unit")), _WRONG),
    Perturbation("dose", "a dose of the record has another number", _changed(_medicines, _value(AMOUNT)), _WRONG),
    Perturbation("dose_unit", "a dose of the record has another unit", _changed(_medicines, _value("unit")), _WRONG),
    Perturbation("stage", "a condition of the record has another stage, grade or type",
                 _changed(_conditions, _value("grade")), _WRONG),
    Perturbation("procedure_date", "a procedure of the record has another date", _changed(_dated, _value("date")),
                 _WRONG),
    Perturbation("condition_denied", "a condition of the record is denied", _denied, _WRONG),
    Perturbation("condition_affirmed", "a condition that the record does not hold is stated", _affirmed,
                 down(*_FACTS)),
)  # fmt: skip
"""Changed values, by kind, in the order of reports."""

VALUE_CONTROLS: tuple[Perturbation, ...] = (
    Perturbation("measurement_reworded", "a measurement of the record in other words",
                 _changed(_measurements, _reworded)),
    Perturbation("dose_reworded", "a dose of the record in other words", _changed(_medicines, _reworded)),
)  # fmt: skip
