"""Whether a short answer gives the value that its question asks for.

Of the values of the material that may answer, those stay whose weekday, limits and time hold for what the question
gives; of these the one whose words are those of the question. The same value in the answer is supported where all
that it says stands there or in the question; another one of the same measure is contradicted where this is the only
one that may be meant; where none is chosen nothing is decided.
"""

from __future__ import annotations

import math
import re
from itertools import repeat
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from turnmark.judges.rules import words
from turnmark.judges.rules.asked.cells import MOST, Cell, cells
from turnmark.judges.rules.asked.wanted import FREE, WEEKDAYS, Wanted, base_measure, free_of_charge, measure, of_days, in_period, period_in, read_wanted, without_measures
from turnmark.judges.rules.decision import PARAPHRASE, Decision, Read
from turnmark.judges.rules.plain.limits import is_taken_back
from turnmark.judges.rules.plain.matching import names, same_value
from turnmark.judges.rules.plain.statements import Token, pattern, read_statement
from turnmark.judges.rules.wording import wording
from turnmark.language.values import Value, compare_values
from turnmark.language.values.value import AMOUNTS
from turnmark.language.values.derived import announces
from turnmark.language.values.measures import in_base
from turnmark.language.values.weekdays import weekdays

_UNITS = 20
"""Units of a short answer, at most."""
_OWN, _CARRIED, _RIVAL, _AROUND = 1.0, 0.7, 0.5, 0.3
_FOLLOWS = {"ko": 0.5}
"""What a word of the question counts for in the clause of a value, before it in the sentence, in the one before;
and behind it in the sentence, where the predicate of several Korean clauses stands."""
_KNOWN = 0.3
"""Share of a question's words that must stand at a value for it to answer."""
_TOLD = 0.5
"""The same, where other values might be meant."""
_CERTAIN = 0.5
"""Share of them at the only value that may be meant, for another one in its place to be wrong."""
_MARGIN = 0.15
"""By so much of them a value stands before all others, or it is not chosen."""


class Answered(NamedTuple):
    """What the answer gives beside the chosen value: the same one, another one, or one that nothing tells from it."""

    gives: Literal["same", "other", "unclear"]
    decision: Decision


def by_question(read: Read) -> Answered | None:
    """How the one value of a short answer stands to the one that is asked for; None where there is none to choose."""
    if read.question is None or len(read.claim.sentences) != 1 or len(read.claim.units) > _UNITS:
        return None
    if len(read.material.sentences) > MOST or len(read.question.sentences) > 2:
        return None
    wanted = read_wanted(read.question)
    mine = _given(read, wanted)
    if mine is None or not wanted.admits(mine):
        return None
    found = [
        each._replace(value=_applied(each, wanted, mine))
        for each in cells(read, wanted, lambda value: _may_stand_for(value, mine, wanted))
        if _in_role(each, wanted)
    ]
    chosen = _choose(read, wanted, found)
    if chosen is None:
        return None
    cell, degree, alone, clear = chosen
    relation = _relation(mine, cell.value, wanted)
    if not clear:
        return Answered("other", _OPEN) if relation == "other" else None
    if relation == "same":
        reason = f"value stated: {mine.text} = {cell.value.text}"
        sound = degree >= (_KNOWN if alone else _TOLD) and _is_all_known(read, cell, mine) and not _is_conditional(read, cell)
        return Answered("same", Decision("supported", reason, _place(read, cell)) if sound else _OPEN)
    if relation == "other":
        rivals = [each for each in found if _relation(mine, each.value, wanted) == "same"]
        told = not rivals or _excluded(rivals, cell, wanted)
        told = told and (not cell.limits or _is_placed(cell, wanted)) and not announces(read.claim.folded.text)
        sure = degree >= _CERTAIN and told and (alone or bool(wanted.measures)) and not _speaks_of_another(read, cell, wanted)
        reason = f"asked for: {cell.value.text}, not {mine.text}"
        return Answered("other", Decision("contradicted", reason, _place(read, cell)) if sure else _OPEN)
    return Answered("unclear", _OPEN)


_OPEN = Decision("not_decided", PARAPHRASE)


def _given(read: Read, wanted: Wanted) -> Value | None:
    """The one value that an answer gives and its question does not; a weekday of the question is none."""
    named = list(weekdays(read.claim.folded.text))
    days = frozenset[int]().union(*[each.days for each in named])
    given = [each for each in read.claim.passage.values if each.kind not in ("polarity", "truth")]
    given = [each for each in given if not any(same_value(each, other) for other in wanted.given)]
    given = [each for each in given if not _is_weekday(each)]
    if any(each.kind == "duration" for each in given):
        given = [each for each in given if not (each.unit == "occurrence" and each.low == each.high == 1)]
    if not given and days and not days <= wanted.days:
        return of_days(named[0].start, named[-1].end, days, read.claim.folded.text[named[0].start : named[-1].end])
    if not given and "money" in wanted.measures:
        return free_of_charge(read.claim.folded.text)
    return given[0] if len(given) == 1 else None


def _is_weekday(value: Value) -> bool:
    return value.kind == "date" and value.parts[:3] == (None, None, None)


def _may_stand_for(value: Value, mine: Value, wanted: Wanted) -> bool:
    """Whether a value of the material may answer where the answer gives ``mine``."""
    if any(same_value(value, other) for other in wanted.given):
        return False
    kind = measure(mine)
    if (mine.unit == WEEKDAYS) != (value.unit == WEEKDAYS) or _of_points(mine) != _of_points(value):
        return False
    if mine.kind == "time" and value.kind == "duration":
        return _moment(wanted) is not None and value.name == "before"
    if mine.kind == "number" and value.kind in AMOUNTS and wanted.measures:
        return measure(value) in wanted.measures
    return measure(value) == kind or (kind == "money" and measure(value) == "percent" and _amount(wanted) is not None)


def _of_points(value: Value) -> bool:
    """Whether a value is the difference of two rates: 0.3 percentage points."""
    return value.unit == "percent" and _POINTS.search(value.text) is not None


_POINTS = re.compile("points?|百分点|포인트|p$")


def _moment(wanted: Wanted) -> Value | None:
    """The one time of day that a question gives."""
    given = [each for each in wanted.given if each.kind == "time" and each.low == each.high]
    return given[0] if len(given) == 1 else None


def _amount(wanted: Wanted) -> Value | None:
    """The one amount of money that a question gives."""
    given = [each for each in wanted.given if measure(each) == "money"]
    return given[0] if len(given) == 1 and given[0].low == given[0].high else None


def _applied(cell: Cell, wanted: Wanted, mine: Value) -> Value:
    """The value of a cell; a share of an amount that the question gives is taken of that: 10% of 8000."""
    value, amount = cell.value, _amount(wanted)
    if value.kind in AMOUNTS and (wanted.per or mine.name):
        per = value.name if value.name in PERIODS else period_in(cell.part.words)
        value = in_period(value, per, mine.name if mine.name in PERIODS else wanted.per)
    moment = _moment(wanted)
    if moment is not None and mine.kind == "time" and value.kind == "duration":
        at = moment.low - round(in_base(value.low, value.unit) * 1440)
        return moment._replace(low=at, high=at, comparator="", text=f"{moment.text} - {value.text}")
    if amount is None or measure(value) != "percent" or measure(mine) != "money":
        return value
    share = 100 - value.low if "折" in value.text or _OFF.search(cell.part.words) else value.low
    whole = round(amount.low * share / 100, 6)
    return amount._replace(low=whole, high=whole, comparator="", name="", text=f"{value.text} x {amount.text}")


PERIODS = ("year", "month", "week", "day", "hour")
_OFF = re.compile(r"\boff\b|discount|할인|优惠|减免")


def _in_role(cell: Cell, wanted: Wanted) -> bool:
    """Whether a value is of the side of a change, and the end of opening hours, that is asked for."""
    if cell.former != wanted.old and (cell.former or wanted.old):
        return False
    when = cell.value.kind in ("time", "date") and cell.value.low == cell.value.high
    return not when or not wanted.end or not cell.end or cell.end == wanted.end


def _choose(read: Read, wanted: Wanted, found: Sequence[Cell]) -> tuple[Cell, float, bool, bool] | None:
    """The value that is asked for, how far its words are those of the question, whether no other may be meant, and
    whether it stands before all others."""
    fitting = [each for each in found if _holds(each, wanted)]
    if wanted.days:
        # What holds on Sundays alone stands before what holds every day.
        closest = min([len(each.days) for each in fitting if each.days], default=0)
        fitting = [each for each in fitting if len(each.days) == closest]
    elif any(each.days for each in fitting):
        fitting = [each for each in fitting if not each.days] or fitting
    placed = [each for each in fitting if _is_placed(each, wanted)]
    fitting = placed or fitting
    if not fitting:
        return None
    ranked = sorted(((_degree(each, wanted), -at, each) for at, each in enumerate(fitting)), key=lambda each: each[:2])
    degree, _, best = ranked.pop()
    others = [(other, each) for other, _, each in ranked if not _equal(each.value, best.value)]
    return best, degree, not others, not others or others[-1][0] <= degree - _MARGIN


def _holds(cell: Cell, wanted: Wanted) -> bool:
    """Whether the days and the limits of a value hold for what the question gives."""
    if wanted.days and cell.days and not wanted.days <= cell.days:
        return False
    return all(cell.limits[base_measure(each)].hold(each) for each in _exact(wanted) if base_measure(each) in cell.limits)


def _is_placed(cell: Cell, wanted: Wanted) -> bool:
    """Whether the question gives a value for the limits of a cell; what it asks the price of a day of is none."""
    given = [each for each in _exact(wanted) if not (each.low == 1 and each.unit == wanted.per)]
    return any(base_measure(each) in cell.limits for each in given)


def _exact(wanted: Wanted) -> list[Value]:
    return [each for each in wanted.given if each.kind in _LIMITED and each.low == each.high]


_LIMITED = ("duration", "quantity", "number")


def _degree(cell: Cell, wanted: Wanted) -> float:
    """Share of the weight of a question's words that stand at a value, by how near they stand."""
    weights = {each: _weight(each) * (_COUNTED if each.key in cell.value.text else 1.0) for each in wanted.topic}
    weights |= {each: _weight(each) * _COUNTED for each in wanted.naming if _stands(each, cell.own)}
    whole = sum(weights.values())
    if (wanted.days and wanted.days <= cell.days) or _is_placed(cell, wanted):
        whole = whole or 1.0
        return (whole + sum(map(_held, weights.items(), repeat(cell)))) / (2 * whole)
    return sum(map(_held, weights.items(), repeat(cell))) / whole if whole else 1.0


def _held(weighed: tuple[Token, float], cell: Cell) -> float:
    word, weight = weighed
    if word.key in cell.value.text or _stands(word, cell.own):
        return weight * _OWN
    places = ((_CARRIED, cell.carried), (_RIVAL, cell.rivals), (_FOLLOWS.get(cell.part.sentence.language, 0.2), cell.follows), (_AROUND, cell.around))
    return weight * next((near for near, theirs in places if _stands(word, theirs)), 0.0)


_COUNTED = 0.5
"""What a word of a question weighs that only names what is counted: 몇 권."""


def _weight(token: Token) -> float:
    return float(words.weight(token.key)) if token.key.isascii() else 1.0


def _stands(token: Token, theirs: Sequence[Token]) -> bool:
    """Whether a word stands among others; a Korean one also within a compound: 주차 in 주차장."""
    if names(token, theirs):
        return True
    stems = [form.stem for form in token.forms if len(form.stem) > 1]
    return any(stem in form.stem or (len(form.stem) > 1 and form.stem in stem) for stem in stems for each in theirs for form in each.forms)


def _equal(one: Value, other: Value) -> bool:
    return compare_values(one, other).relation == "equal"


def _relation(mine: Value, theirs: Value, wanted: Wanted) -> Literal["same", "other", "unclear"]:
    """Whether two values of one measure say the same of what is asked for."""
    if mine.unit == theirs.unit == WEEKDAYS:
        subset = set(mine.name) <= set(theirs.name)
        return "same" if mine.name == theirs.name else "unclear" if subset else "other"
    if FREE in (mine.unit, theirs.unit):
        return "same" if mine.low == theirs.low == 0 else "other"
    if mine.kind == theirs.kind == "time":
        return _of_clock(mine, theirs, wanted)
    if mine.kind in AMOUNTS and theirs.kind in AMOUNTS:
        if mine.name != theirs.name and mine.name and theirs.name:
            return "unclear"
        bare = "" in (mine.unit, theirs.unit)
        own, known = ((mine.low, mine.high), (theirs.low, theirs.high)) if bare else (_span(mine), _span(theirs))
        same = all(math.isclose(one, other, rel_tol=_ROUGH if mine.unit != theirs.unit else 1e-6, abs_tol=1e-9) for one, other in zip(own, known, strict=True))
        same = same and (mine.unit == theirs.unit or compare_values(mine, theirs).relation != "conflicting")
        if same:
            return "same" if mine.comparator in ("", theirs.comparator) else "unclear"
        comparable = bare or compare_values(mine, theirs).relation in ("conflicting", "contained")
        apart = own[1] < known[0] or known[1] < own[0]
        return "other" if comparable and apart and not mine.approximate and not theirs.approximate else "unclear"
    relation = compare_values(mine, theirs)
    if relation.relation == "equal" or (relation.relation == "contained" and relation.follows):
        return "same"
    return "other" if relation.relation == "conflicting" else "unclear"


_ROUGH = 0.03
"""Months and years hold no whole number of days."""


def _span(value: Value) -> tuple[float, float]:
    return in_base(value.low, value.unit), in_base(value.high, value.unit)


def _of_clock(mine: Value, theirs: Value, wanted: Wanted) -> Literal["same", "other", "unclear"]:
    """A time of day, or the end of opening hours that is asked for; 8 may be 20:00."""
    end = wanted.end or {"from": -1, "until": 1}.get(mine.comparator, 0)
    known = (theirs.low, theirs.high)
    if mine.low == mine.high and theirs.low != theirs.high:
        known = ((theirs.low,), (theirs.low, theirs.high), (theirs.high,))[end + 1]
        if any(_same_hour(mine.low, each, mine, theirs) for each in known):
            return "same" if len(known) == 1 else "unclear"
        return "other"
    same = _same_hour(mine.low, theirs.low, mine, theirs) and _same_hour(mine.high, theirs.high, mine, theirs)
    if same:
        return "same"
    return "other" if (mine.low == mine.high) == (theirs.low == theirs.high) else "unclear"


def _same_hour(one: float, other: float, mine: Value, theirs: Value) -> bool:
    return one == other or (bool(mine.parts or theirs.parts) and (one - other) % 720 == 0)


def _is_all_known(read: Read, cell: Cell, mine: Value) -> bool:
    """Whether all that an answer says beside its value stands with the chosen one or in the question."""
    sentence = read.material.sentences[cell.sentence]
    question = read.question
    if question is None or any(own.signals.negations for own in read.claim.sentences):
        return False
    values = read.material.readings[read.material.place(cell.sentence)].passage.values
    there = [each for each in values if sentence.start <= each.start < sentence.end]
    sides = {(each.unit, each.low) for each in (*there, *question.passage.values) if each.kind == "polarity"}
    if any((each.unit, -each.low) in sides and (each.unit, each.low) not in sides for each in read.claim.passage.values if each.kind == "polarity"):
        return False
    known = sentence.unit_set.union(*[words.units(each.key) for each in cell.around])
    return any(not wording(text, known, question.unit_set).missing for text in _beside_value(read, mine))


def _beside_value(read: Read, mine: Value) -> Iterator[str]:
    """What an answer says beside its value, what that is per and weekdays: with what only names a measure, and without."""
    statement = read_statement(read.claim, read.claim.sentences[0])
    spans = [(each.start, each.end) for each in statement.tokens if each.value is not None]
    spans += [(each.start, each.end) for each in weekdays(statement.folded)]
    if mine.unit == FREE:
        spans.append((mine.start, mine.end))
    for text in (statement.folded, without_measures(statement.folded)):
        for start, end in spans:
            behind = _PARTICLES.sub(lambda found: " " * len(found.group()), text[end:], count=1)
            text = text[:start] + " " * (end - start) + behind  # noqa: PLW2901 - each span is blanked in what is left
        text = _PER.sub(" ", text) if mine.name else text  # noqa: PLW2901
        yield _BOUND.sub(" ", text) if mine.comparator else text


_BOUND = re.compile(
    r"[之以]?内|以[上下]|最[多少高低]|[至起]?[少码多]|不超过|이내|이상|이하|까지|안에|최[대소]|적어도|늦어도|\b(?:within|at (?:most|least)|up to|no more than|no later than|by|until|maximum|minimum)\b"
)


_PARTICLES = re.compile("^[가-힣]{1,5}(?![가-힣])")
_PER = re.compile(r"每个?[天日月周年小]时?|按[天日月周年]|(?:한 ?달|하루|일 ?년|일주일|한 ?시간)(?:에|마다)?|매[일월주년]|\b(?:an?|per|each|every) [a-z]+")


def _is_conditional(read: Read, cell: Cell) -> bool:
    """Whether the chosen value holds under a condition of which neither the answer nor its question speaks."""
    language = read.claim.language
    conditions = pattern("conditions", language)
    if is_taken_back(read, cell.sentence):
        return True
    text = cell.part.sentence.folded
    if not conditions.search(f"{text} "):
        return False
    said = f"{read.claim.compact} {read.question.compact if read.question else ''} "
    return conditions.search(said) is None


def _excluded(rivals: Sequence[Cell], cell: Cell, wanted: Wanted) -> bool:
    """Whether what the question gives tells the chosen value from those that the answer may have meant."""
    return all(not _holds(each, wanted) or each.days != cell.days or _degree(each, wanted) < _degree(cell, wanted) - 2 * _MARGIN for each in rivals)


def _speaks_of_another(read: Read, cell: Cell, wanted: Wanted) -> bool:
    """Whether an answer names something that stands away from the chosen value."""
    mine = [each for each in read_statement(read.claim, read.claim.sentences[0]).telling if each.value is None]
    new = [each for each in mine if not _stands(each, wanted.topic)]
    here = (*cell.own, *cell.carried, *cell.around)
    return any(
        not _stands(each, here) and any(unit in reading.unit_set for reading in read.material.readings for unit in words.units(each.key))
        for each in new
    )


def _place(read: Read, cell: Cell) -> tuple[int, int, int]:
    sentence = read.material.sentences[cell.sentence]
    return read.material.place(cell.sentence), sentence.start, sentence.end
