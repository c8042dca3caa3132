"""Perturbations of finance dialogues by one changed value: in memory, in what a reply goes by, in what it recommends.

Marks of disclosures, compliance and explanation look at no value of a constraint: nothing is planted for them here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from turnmark.language.script import detect_language
from turnmark.language.values import Value, read_values
from turnmark.suites.finance.material import constraints, recalls, required_keys
from turnmark.suites.planting import edits
from turnmark.suites.planting.material import Changed, Material, Perturbation, down, stated, up
from turnmark.suites.planting.rewording import in_months, reword_value
from turnmark.suites.planting.values import AMOUNT, KINDS, change_value, scaled

_BEYOND, _WITHIN = 3, 0.5
"""What a recommendation has of the most that a constraint allows."""
_MOST_PERCENT = 95
_UPPER = ("at_most", "less_than")
_DIGITS = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_LIMIT = re.compile(
    r"[<≤]=?|不超过|不高于|低于|小于|控制在|at most|under|below|less than|up to|no more than", re.IGNORECASE
)

Edit = Callable[[str, Material], str | None]


def _required(at: Material) -> list[str]:
    return required_keys(at, "constraints_gt", "preferences_gt")


def _pair(at: Material, texts: Sequence[str], edit: Edit) -> tuple[str, str] | None:
    """One of the texts that the edit applies to, and what it becomes."""
    shuffled = at.chance.sample(list(texts), len(texts))
    return next(((text, changed) for text in shuffled if (changed := edit(text, at))), None)


def _in_memory(edit: Edit) -> Callable[[Material], Changed | None]:
    """Memory that holds an edited key, held against memory that holds the key itself."""

    def change(at: Material) -> Changed | None:
        pair = _pair(at, _required(at), edit) if at.turn.recall else None
        return pair and Changed(recalls(at, pair[1]), recalls(at, pair[0]))

    return change


def _in_reply(edit: Edit) -> Callable[[Material], Changed | None]:
    """A reply that goes by an edited key, held against one that goes by the key itself."""

    def change(at: Material) -> Changed | None:
        pair = _pair(at, _required(at), edit)
        return pair and at.replied_instead(*(stated(edits.words_of(key).abides, key) for key in pair))

    return change


def _edit(kind: str) -> Edit:
    return lambda text, at: change_value(text, at.chance, kind)


def _reworded(text: str, at: Material) -> str | None:
    return reword_value(text, at.chance)


def _bounds(text: str) -> tuple[str, Value] | None:
    """What a constraint bounds from above, and by which value; None where it is said in another way."""
    found = [value for value in read_values(text) if value.kind in {"quantity", "duration"}]
    if len(found) != 1 or found[0].comparator not in _UPPER:
        return None
    subject = _LIMIT.sub("", text[: found[0].start]).strip(" :：")
    return (subject, found[0]) if subject else None


def _offer(text: str, kind: str, *, breaks: bool) -> str | None:
    """A recommendation with a value beyond a constraint, or within it, written in the way of its kind."""
    bound, words = _bounds(text), edits.words_of(text)
    if bound is None:
        return None
    subject, value = bound
    if kind == "comparator":
        beyond, within = words.beyond
        written = stated(beyond if breaks else within, text[value.start : value.end])
    else:
        as_written = text[value.start : value.end]
        digits = _DIGITS.search(as_written)
        if digits is None or (kind == "duration") != (value.kind == "duration"):
            return None
        number = scaled(digits[0], _BEYOND if breaks else _WITHIN)
        if value.unit == "percent" and float(number) > _MOST_PERCENT:
            number = str(_MOST_PERCENT)
        if not float(number):
            return None
        written = as_written[: digits.start()] + number + as_written[digits.end() :]
        if kind == "sign":
            if not any(word in text.lower() for word in words.losses):
                return None
            written = f"-{written}"
        elif kind == "duration":
            written = next(
                (in_months(each, detect_language(text)) or written for each in read_values(written)), written
            )
    return stated(words.offers.replace("{subject}", subject), written)


def _offers(kind: str) -> Callable[[Material], Changed | None]:
    """A recommendation beyond a constraint of the user, held against one within it."""

    def change(at: Material) -> Changed | None:
        offers = [
            (within, beyond)
            for text in constraints(at)
            if (within := _offer(text, kind, breaks=False)) and (beyond := _offer(text, kind, breaks=True))
        ]
        return at.replied_instead(*at.chance.choice(offers)) if offers else None

    return change


def _graded(at: Material) -> Changed | None:
    """A product of a grade that a constraint rules out, held against one of the grade that it names."""
    for text in constraints(at):
        grades = [value for value in read_values(text) if value.kind == "code" and value.unit in {"r", "grade", "c"}]
        if len(grades) != 1 or (digit := _DIGITS.search(grades[0].text)) is None:
            continue
        named = text[grades[0].start : grades[0].end]
        beyond = re.sub(r"[0-9]+", str(int(digit[0]) + 2), named, count=1)
        template = edits.words_of(text).product
        return at.replied_instead(stated(template, named), stated(template, beyond))
    return None


def _kind_of_memory(kind: str) -> Perturbation:
    return Perturbation(
        f"memory_{kind}", f"a value of a constraint is another one in memory: {kind}", _in_memory(_edit(kind)),
        (*down("M1.key_coverage"), *up("M1.conflicting_key_rate")),
    )  # fmt: skip


def _kind_of_reply(kind: str) -> Perturbation:
    return Perturbation(
        f"reply_{kind}", f"a reply goes by another value than the memory target: {kind}", _in_reply(_edit(kind)),
        down("M1b.key_use_rate", "M1b.strict_key_use_rate"),
    )  # fmt: skip


def _kind_of_offer(kind: str, change: Callable[[Material], Changed | None]) -> Perturbation:
    return Perturbation(
        f"break_{kind}", f"a recommendation breaks a constraint by its value: {kind}", change,
        up("M1.contradiction_rate"),
    )  # fmt: skip


_OFFERED = (AMOUNT, "duration", "sign", "comparator")

VALUES: tuple[Perturbation, ...] = (
    *map(_kind_of_memory, (AMOUNT, *KINDS)),
    *map(_kind_of_reply, (AMOUNT, *KINDS)),
    *(_kind_of_offer(kind, _offers(kind)) for kind in _OFFERED),
    _kind_of_offer("grade", _graded),
)
"""Changed values, by kind, in the order of reports."""

VALUE_CONTROLS: tuple[Perturbation, ...] = (
    Perturbation("memory_reworded", "a value of a constraint in other words in memory", _in_memory(_reworded)),
    Perturbation("reply_reworded", "a reply that says the value of the memory target in other words",
                 _in_reply(_reworded)),
)  # fmt: skip
