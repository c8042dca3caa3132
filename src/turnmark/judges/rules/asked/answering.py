"""Whether a short answer gives the value that its question asks for.

Of the values of the material that may answer, those stay whose weekday, limits and time hold for what the question
gives; of these the one whose words are those of the question. The same value in the answer is supported where all
that it says stands there or in the question; another one of the same measure is contradicted where this is the only
one that may be meant; where none is chosen nothing is decided.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Literal, NamedTuple

from turnmark.judges.rules import words
from turnmark.judges.rules.asked.cells import MOST, Cell, cells
from turnmark.judges.rules.asked.choosing import (
    MARGIN,
    Chosen,
    choose,
    degree,
    holds,
    in_role,
    is_placed,
    names_case,
    stands,
)
from turnmark.judges.rules.asked.comparing import relation
from turnmark.judges.rules.asked.wanted import (
    FREE,
    WEEKDAYS,
    Wanted,
    free_of_charge,
    in_period,
    measure,
    of_days,
    period_in,
    read_wanted,
    share_in_words,
    without_measures,
)
from turnmark.judges.rules.decision import PARAPHRASE, Decision, Read
from turnmark.judges.rules.directness import polarity_of
from turnmark.judges.rules.plain.limits import is_taken_back
from turnmark.judges.rules.plain.matching import Words, same_value
from turnmark.judges.rules.plain.sides import Side, against, sides_of
from turnmark.judges.rules.plain.statements import pattern, read_statement
from turnmark.judges.rules.plain.tokens import Token
from turnmark.judges.rules.wording import wording
from turnmark.language.values import Value, read_values
from turnmark.language.values.derived import announces
from turnmark.language.values.measures import in_base
from turnmark.language.values.value import AMOUNTS
from turnmark.language.values.weekdays import weekdays

_UNITS = 12
"""Units of a short answer, at most."""
_KNOWN = 0.3
"""Share of a question's words that must stand at a value for it to answer."""
_TOLD = 0.5
"""The same, where other values might be meant."""
_CERTAIN = 0.5
"""Share of them at the only value that may be meant, for another one in its place to be wrong."""


class Answered(NamedTuple):
    """What the answer gives beside the chosen value.

    The same one, another one, one that nothing tells from it, or one of several of which any may be the chosen one.
    """

    gives: Literal["same", "other", "unclear", "either"]
    decision: Decision

    @property
    def excluded(self) -> Sequence[str]:
        """The labels that the words of an answer cannot give it any more."""
        return _EXCLUDED[self.gives]


_EXCLUDED = {"same": ("contradicted",), "other": ("supported",), "unclear": (), "either": ("supported", "contradicted")}


def by_question(read: Read) -> Answered | None:
    """How the one value of a short answer stands to the one that is asked for; None where there is none to choose."""
    question = read.question
    if question is None or len(read.claim.sentences) != 1 or len(read.claim.units) > _UNITS:
        return None
    if len(read.material.sentences) > MOST or len(question.sentences) > _TURNS:
        return None
    wanted = read_wanted(question)
    mine = _given(read, wanted)
    if not mine or not wanted.admits(mine):
        return None
    found = [
        each._replace(value=_applied(each, wanted, mine))
        for each in cells(read, wanted, lambda value: _may_stand_for(value, mine, wanted))
        if in_role(each, wanted)
    ]
    chosen = choose(wanted, found)
    beside = None if chosen is None else _beside(read, wanted, mine, chosen, found)
    if beside is not None and wanted.kind in ("none", "yes_no") and not _is_of_another_case(beside, read, wanted):
        return beside._replace(decision=_OPEN)
    return beside


_TURNS = 2
"""Sentences of a question, at most."""


def _beside(read: Read, wanted: Wanted, mine: Value, chosen: Chosen, found: Sequence[Cell]) -> Answered | None:
    """How the value of an answer stands to the chosen one."""
    cell = chosen.cell
    gives = relation(mine, cell.value, wanted)
    rivals = [each for each in found if _gives(mine, each.value, wanted)]
    said = _said_beside(read, mine)
    told = is_placed(cell, wanted) and not any(holds(each, wanted) for each in rivals)
    if gives == "other" and not told and _names_its_own(said, cell, rivals):
        return None
    turned = against(read.claim, cell.part.words) if gives == "same" else None
    if turned == "":
        # A value that the limits tell is the right one, whatever else the answer says of it.
        return Answered("same", _OPEN) if chosen.clear and is_placed(cell, wanted) else None
    if turned is not None:
        decision = (
            Decision("contradicted", turned, _place(read, cell))
            if chosen.clear and chosen.degree >= _CERTAIN
            else _OPEN
        )
        return Answered("other", decision)
    if chosen.clear:
        return _at_chosen(read, wanted, mine, chosen, rivals)
    if wanted.kind == "yes_no":
        # Of which case a yes speaks, its words do not tell either.
        either = any(against(read.claim, each.part.words) is None for each in rivals)
        return Answered("either" if either else "other", _OPEN)
    return Answered("other", _OPEN) if gives == "other" else None


def _at_chosen(read: Read, wanted: Wanted, mine: Value, chosen: Chosen, rivals: Sequence[Cell]) -> Answered:
    """How the value of an answer stands to a chosen one that stands before all others."""
    cell = chosen.cell
    gives = relation(mine, cell.value, wanted)
    if gives == "same":
        sound = chosen.degree >= (_KNOWN if chosen.alone else _TOLD)
        sound = sound and _is_all_known(read, cell, mine) and not _is_conditional(read, cell)
        reason = f"value stated: {mine.text} = {cell.value.text}"
        return Answered("same", Decision("supported", reason, _place(read, cell)) if sound else _OPEN)
    if gives == "unclear" and _gives(mine, cell.value, wanted):
        return Answered("same", _OPEN)
    if gives == "other" and _is_against(read, wanted, chosen, rivals, _said_beside(read, mine)):
        reason = f"{'date' if mine.kind == 'date' else 'number'} {mine.text} ≠ {cell.value.text}"
        return Answered("other", Decision("contradicted", reason, _place(read, cell)))
    # What stands against the value of another case is said of that case, not of the one that the limits tell.
    return Answered("either" if gives == "other" and is_placed(cell, wanted) else gives, _OPEN)


def _is_of_another_case(told: Answered, read: Read, wanted: Wanted) -> bool:
    """Whether a yes goes on with the value of another case than the one that its question asks about."""
    opening = next((each for each in read.claim.passage.values if each.kind == "truth"), None)
    yes = (opening is None or opening.low > 0) and not any(own.signals.negations for own in read.claim.sentences)
    denied = read.question is not None and any(own.signals.negations for own in read.question.sentences)
    return wanted.kind == "yes_no" and told.gives == "other" and yes and not denied


def _is_against(read: Read, wanted: Wanted, chosen: Chosen, rivals: Sequence[Cell], said: Sequence[Token]) -> bool:
    """Whether another value in the place of the chosen one is wrong."""
    cell = chosen.cell
    if wanted.kind == "yes_no":
        meant = bool(rivals) or is_placed(cell, wanted)
    else:
        meant = chosen.alone or bool(wanted.measures)
    if chosen.degree < _CERTAIN or not meant or announces(read.claim.folded.text):
        return False
    if cell.limits and not is_placed(cell, wanted):
        return False
    return (not rivals or _excluded(rivals, cell, wanted)) and not _speaks_of_another(read, cell, wanted, said)


def _gives(mine: Value, theirs: Value, wanted: Wanted) -> bool:
    """Whether an answer gives a value, or one that leaves its bound out: within 30 days here, 14 days there."""
    plain = mine._replace(comparator="", start=theirs.start, end=theirs.end, text=theirs.text)
    return relation(mine, theirs, wanted) == "same" or (bool(mine.comparator) and theirs == plain)


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
    if not given:
        text = read.claim.folded.text
        free = free_of_charge(text) if "money" in wanted.measures and not wanted.free else None
        return free or _given_share(read, wanted, text)
    return given[0] if len(given) == 1 else None


def _given_share(read: Read, wanted: Wanted, text: str) -> Value | None:
    """All or nothing of an amount, where an answer gives that; a yes gives what its question asks for."""
    if wanted.kind != "yes_no":
        return share_in_words(text) if "percent" in wanted.measures else None
    if read.question is None or any(own.signals.negations for own in read.claim.sentences):
        return None
    share = share_in_words(text)
    return share or (share_in_words(read.question.folded.text) if polarity_of(text) > 0 else None)


def _is_weekday(value: Value) -> bool:
    return value.kind == "date" and value.parts[:3] == (None, None, None)


def _may_stand_for(value: Value, mine: Value, wanted: Wanted) -> bool:
    """Whether a value of the material may answer where the answer gives ``mine``."""
    return _is_of_measure(value, mine, wanted) and not any(same_value(value, other) for other in wanted.given)


def _is_of_measure(value: Value, mine: Value, wanted: Wanted) -> bool:
    """Whether a value measures what ``mine`` does, or gives it by what the question does."""
    kind = measure(mine)
    if value.unit == FREE and kind == "percent":
        return wanted.kind == "yes_no"
    if (mine.unit == WEEKDAYS) != (value.unit == WEEKDAYS) or _of_points(mine) != _of_points(value):
        return False
    if mine.kind == "time" and value.kind == "duration":
        return _moment(wanted) is not None and value.name == "before"
    own = measure(value)
    if mine.kind == "number" and value.kind in AMOUNTS and wanted.measures:
        return own in wanted.measures
    return own == kind or (kind == "money" and own == "percent" and _amount(wanted) is not None)


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


def _is_all_known(read: Read, cell: Cell, mine: Value) -> bool:
    """Whether all that an answer says beside its value stands with the chosen one or in the question."""
    sentence = read.material.sentences[cell.sentence]
    question = read.question
    if question is None or any(own.signals.negations for own in read.claim.sentences):
        return False
    sides = sides_of((*sentence.values, *question.passage.values))
    if any((unit, -low) in sides and (unit, low) not in sides for unit, low in sides_of(read.claim.passage.values)):
        return False
    known = sentence.unit_set.union(*[words.units(each.key) for each in cell.around])
    return any(not wording(text, known, question.unit_set).missing for text in _beside_value(read, mine, sides))


def _beside_value(read: Read, mine: Value, sides: Collection[Side]) -> Iterator[str]:
    """What an answer says beside its value, its period and weekdays: with what names a measure, and without.

    A word of one of the ``sides`` that the source takes says the same in whatever form: fell, decreased.
    """
    statement = read_statement(read.claim, read.claim.sentences[0])
    spans = [(each.start, each.end) for each in statement.tokens if each.value is not None]
    if any(each.kind == "polarity" for each in read.claim.passage.values):
        turning = [each for each in read_values(statement.folded) if each.kind == "polarity"]
        spans += [(each.start, each.end) for each in turning if (each.unit, each.low) in sides]
    spans += [(each.start, each.end) for each in weekdays(statement.folded)]
    if mine.unit == FREE:
        spans.append((mine.start, mine.end))
    for text in (statement.folded, without_measures(statement.folded)):
        for start, end in spans:
            behind = _PARTICLES.sub(lambda found: " " * len(found.group()), text[end:], count=1)
            before = _BY.sub(" ", text[:start], count=1)
            text = before + " " * (end - start) + behind  # noqa: PLW2901 - each span is blanked in what is left
        text = _PER.sub(" ", text) if mine.name else text  # noqa: PLW2901
        yield _BOUND.sub(" ", text) if mine.comparator else text


_BOUND = re.compile(
    r"[之以]?内|以[上下]|最[多少高低]|[至起]?[少码多]|不超过|이내|이상|이하|까지|안에|최[대소]|적어도|늦어도"
    r"|\b(?:within|at (?:most|least)|up to|no more than|no later than|by|until|maximum|minimum)\b"
)


_BY = re.compile("按$")
"""What only says by which value something is reckoned: 按5%计收."""
_PARTICLES = re.compile("^[가-힣]{1,5}(?![가-힣])")
_PER = re.compile(
    r"每个?[天日月周年小]时?|按[天日月周年]|(?:한 ?달|하루|일 ?년|일주일|한 ?시간)(?:에|마다)?|매[일월주년]"
    r"|\b(?:an?|per|each|every) [a-z]+"
)


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
    return all(
        not holds(each, wanted)
        or each.days != cell.days
        or degree(each, wanted) < degree(cell, wanted) - 2 * MARGIN
        or names_case(cell, each, wanted)
        for each in rivals
    )


def _said_beside(read: Read, mine: Value) -> list[Token]:
    """The words of an answer beside its value, which may be told in words itself."""
    told = read_statement(read.claim, read.claim.sentences[0]).telling
    in_words = mine not in read.claim.passage.values
    return [each for each in told if each.value is None and not (in_words and mine.start <= each.start < mine.end)]


def _names_its_own(said: Sequence[Token], cell: Cell, rivals: Sequence[Cell]) -> bool:
    """Whether an answer says in the words of its own value of what it is: of two things asked, the other one.

    Words that stand with the chosen value as well say nothing of that.
    """
    here = Words((*cell.own, *cell.carried))
    telling = any(not stands(each, here) for each in said)
    return telling and any(
        all(stands(each, other.own) or stands(each, other.carried) for each in said) for other in rivals
    )


def _speaks_of_another(read: Read, cell: Cell, wanted: Wanted, said: Sequence[Token]) -> bool:
    """Whether an answer names something that stands away from the chosen value, or mostly what stands nowhere."""
    behind = cell.follows if read.claim.language == "ko" else ()  # the predicate of several clauses stands behind them
    here = Words((*cell.own, *cell.carried, *behind, *cell.around))
    new = [each for each in said if not stands(each, wanted.topic) and not stands(each, here)]
    return 2 * len(new) > max(len(said), _FEW) or any(
        any(unit in reading.unit_set for reading in read.material.readings for unit in words.units(each.key))
        for each in new
    )


_FEW = 4
"""Telling words of an answer, of which half may be new whatever their number."""


def _place(read: Read, cell: Cell) -> tuple[int, int, int]:
    sentence = read.material.sentences[cell.sentence]
    return read.material.place(cell.sentence), sentence.start, sentence.end
