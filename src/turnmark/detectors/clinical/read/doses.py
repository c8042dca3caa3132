"""Which medicine each dose of an answer belongs to, and whether it is what the patient takes.

A dose belongs to the name before it when nothing but words of a dose stand between (lisinopril dose is 20 mg), or to
the name right behind it (20 mg of lisinopril). Of a list of names and one of doses each goes with its own (10 mg and
1000 mg respectively).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from turnmark.detectors.clinical.read.record import DOSE_UNITS
from turnmark.detectors.clinical.read.vocabulary import Named
from turnmark.language.later import later
from turnmark.language.quantity.quantity import Quantity
from turnmark.packs.clinical_facts import mention_words, words

_LONGEST_LINK = 48
_LONGEST_LEAD = 28
_NUMBER = r"(?:[0-9]{1,2}|[一二两三四])"
_BEFORE_CHANGE = 48
_EACH_REACH = 14
_GENERAL_REACH = 34
_STOP = later(r"[.;。；!?！？\n]")


def alternation(listed: str) -> str:
    """Return a pattern of any word of a list, the longest first."""
    return "|".join(sorted(map(re.escape, words(listed)), key=len, reverse=True))


class _Patterns(NamedTuple):
    """What stands between a name and its dose, between a dose and its name, and around lists of both."""

    behind: re.Pattern[str]
    before: re.Pattern[str]
    joined: re.Pattern[str]
    each: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    mentions = mention_words()
    # A word of Latin letters must end where it ends: "is", not "isomer".
    parts = f"(?:{alternation(mentions.dosage_forms)}|{alternation(mentions.dose_links)})(?![a-z])"
    counted = rf"{_NUMBER} ?(?:{alternation(mentions.dose_counts)})(?![a-z])"
    return _Patterns(
        re.compile(rf"(?:[ \-(*:：·,，、]|{counted}|{parts})*"),
        re.compile(rf"[ \-]*(?:(?:{alternation(mentions.dosage_forms)}|{alternation(mentions.dose_leads)})[ \-]*)*"),
        re.compile(rf"(?:[ ,，、]|{alternation(mentions.dose_joints)})*"),
        re.compile(alternation(mentions.dose_each)),
    )


def doses_of(text: str, names: list[Named], amounts: list[Quantity]) -> dict[int, Quantity]:
    """Return the dose of each medicine that has one written beside it, by the start of its name.

    Args:
        text: Folded text.
        names: Names of medicines, in order.
        amounts: Amounts of the text, in order.

    """
    doses = [amount for amount in amounts if amount.unit in DOSE_UNITS] if names else []
    starts = [name.start for name in names]
    bound: dict[int, Quantity] = {}
    for dose in doses:
        name = _name_of(text, dose, names, starts, bound)
        if name is not None:
            bound[name.start] = dose
    if len(doses) > 1:
        bound |= _listed(text, names, starts, doses)
    return bound


def _names_until(names: list[Named], starts: list[int], end: int) -> int:
    """Return how many names end at an offset or before it."""
    count = bisect_left(starts, end)
    while count and names[count - 1].end > end:
        count -= 1
    return count


def _name_of(
    text: str, dose: Quantity, names: list[Named], starts: list[int], bound: dict[int, Quantity]
) -> Named | None:
    """Return the medicine that a dose is of."""
    before_it, behind_it = _names_until(names, starts, dose.start), bisect_left(starts, dose.end)
    last = names[before_it - 1] if before_it else None
    following = names[behind_it] if behind_it < len(names) else None
    behind, before, _, _ = _patterns()
    if (
        following is not None
        and following.start not in bound
        and following.start - dose.end <= _LONGEST_LEAD
        and before.fullmatch(text, dose.end, following.start)
    ):
        lead: Named | None = following
    else:
        lead = None
    if (
        last is None
        or last.start in bound
        or dose.start - last.end > _LONGEST_LINK
        or not behind.fullmatch(text, last.end, dose.start)
    ):
        return lead
    # "Lisinopril, 500 mg of metformin": over a comma the name right behind is nearer.
    return lead if lead is not None and re.search("[,，、]", text[last.end : dose.start]) else last


def _listed(text: str, names: list[Named], starts: list[int], doses: list[Quantity]) -> dict[int, Quantity]:
    """Return the doses of a list of names that is followed by as many doses, told to go each with its own."""
    _, _, joined, each = _patterns()
    bound: dict[int, Quantity] = {}
    for run in _runs(text, doses):
        count = _names_until(names, starts, run[0].start)
        own = names[max(0, count - len(run)) : count]
        if len(own) < len(run) or not each.search(text, own[0].start, run[-1].end + _EACH_REACH):
            continue
        if all(joined.fullmatch(text, name.end, after.start) for name, after in pairwise(own)):
            bound |= {name.start: dose for name, dose in zip(own, run, strict=True)}
    return bound


def _runs(text: str, doses: list[Quantity]) -> list[list[Quantity]]:
    """Return the doses that stand in a row, two or more, with nothing but joints between."""
    joined = _patterns().joined
    runs = [[doses[0]]]
    for before, dose in pairwise(doses):
        if joined.fullmatch(text, before.end, dose.start):
            runs[-1].append(dose)
        else:
            runs.append([dose])
    return [run for run in runs if len(run) > 1]


@cache
def _not_taken() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return what tells a dose that is still to come (before, behind it) and one of people in general (before)."""
    mentions = mention_words()
    return (
        re.compile(rf"(?:^|[^a-z])(?:{alternation(mentions.dose_change_before)})(?:[a-z ]{{0,30}} to| by)? ?$"),
        re.compile(rf"[ )]?(?:{alternation(mentions.dose_change_behind)})"),
        re.compile(rf"(?<![a-z])(?:{alternation(mentions.dose_general)})(?![a-z])"),
    )


def is_taken_dose(text: str, dose: Quantity) -> bool:
    """Tell the dose that is taken from one that is still to come, a bound, a day's sum or what people usually take."""
    before, behind, general = _not_taken()
    since = max(0, dose.start - _BEFORE_CHANGE)
    stops = [match.end() for match in _STOP.finditer(text, since, dose.start)]
    until = _STOP.search(text, dose.end, dose.end + _GENERAL_REACH)
    return not (
        dose.comparator
        or dose.high > dose.low
        or before.search(text, since, dose.start)
        or behind.match(text, dose.end)
        or general.search(text, stops[-1] if stops else since, until.start() if until else dose.end + _GENERAL_REACH)
    )
