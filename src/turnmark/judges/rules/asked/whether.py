"""Whether what a question asks is so: the clause about the same thing, and on which side it stands.

Question, clause and answer are read alike: the class of what is said (it holds, it costs, one must, it changed, another
may do it) with its side, the words of which it is said, and the days and values for which. A clause answers where it
is of the same words, and where what binds it is decided by what question and answer say. A value or a day beyond the
limits of a clause that says yes makes of it a no.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.judges.rules.asked.about import rewords
from turnmark.judges.rules.asked.clauses import ONLY, Found, clauses
from turnmark.judges.rules.asked.phrases import (
    NEW,
    NEW_ZH,
    SEVERAL,
    Asked,
    Phrase,
    is_said,
    named,
    read_asked,
    read_phrase,
)
from turnmark.judges.rules.decision import PARAPHRASE, Decision, Read
from turnmark.judges.rules.plain.matching import Words
from turnmark.judges.rules.plain.statements import mode, pattern, read_statement
from turnmark.language.values.opposition.stances import HOLDS

_MOST = 60
"""Sentences of material among which the clause is looked for, at most."""
_MEANT = "the clause about what is asked"


def whether(read: Read, opening: int, rest: str) -> Decision | None:
    """What a clause about the same thing says of a yes (1) or a no (-1) with what stands behind it.

    ``opening`` is 0 for a text that opens with neither. None where no clause tells; not decided where one goes with the
    yes or no, and not all that stands behind that is there.
    """
    asked = read_asked(read.question) if read.question is not None else None
    if asked is None or len(read.material.sentences) > _MOST:
        return None
    answer = read_phrase(rest, asked.phrase.language)
    said = _side_of(answer, asked, opens=bool(opening))
    if (not opening and _is_bound(answer, asked.kind)) or (opening and said and said != opening * asked.side):
        return None
    told_by = list(clauses(read, asked, answer))
    side = opening * asked.side or said
    if not side:
        return _stated(asked, answer, told_by, read)
    found = [each for each in told_by if not each.beyond] or told_by
    found = [each for each in found if each.held == max([one.held for one in found])]
    if not found and opening < 0:
        return _instead(read, asked, answer)
    return _held_against(read, asked, answer, found, side)


def _held_against(read: Read, asked: Asked, answer: Phrase, found: Sequence[Found], side: int) -> Decision | None:
    """What clauses that all stand on one side say of an answer that takes one."""
    if {each.side for each in found} not in ({1}, {-1}):
        return None
    told = next((each for each in found if _restates(answer, each, asked)), found[0])
    if told.side == side:
        if told.side == asked.side and not told.beyond and _is_less(asked, told):
            return None
        if not _restates(answer, told, asked):
            return Decision("not_decided", PARAPHRASE)
        return Decision("supported", _MEANT, _place(read, told.number))
    if (asked.topic and not told.held) or (told.limited and asked.kind != HOLDS) or _is_bound(answer, asked.kind):
        return None
    return Decision("contradicted", f"yes ≠ no: {told.phrase.text.strip()}", _place(read, told.number))


def _is_less(asked: Asked, told: Found) -> bool:
    """Whether a clause says less than yes: it holds no word of what is asked, or is of one way or so long only."""
    return bool(asked.topic and not told.held) or told.limited or ONLY.search(told.phrase.text) is not None


def _is_bound(answer: Phrase, kind: str) -> bool:
    """Whether an answer makes a condition."""
    return pattern("conditions", answer.language).search(f"{answer.without_stances(kind)} ") is not None


def _stated(asked: Asked, answer: Phrase, told_by: Sequence[Found], read: Read) -> Decision | None:
    """Supported where a text that takes no side says what a clause about what is asked does, in its words."""
    for each in told_by:
        side = -each.side if each.beyond else each.side
        said = [one for one in answer.topic(asked.kind) if is_said(one, each.tokens)]
        tells = any(one.value is not None for one in said)
        if side == answer.stances.parity(asked.kind) and tells and _restates(answer, each, asked):
            return Decision("supported", _MEANT, _place(read, each.number))
    return None


def _instead(read: Read, asked: Asked, answer: Phrase) -> Decision | None:
    """Supported where a no goes on with what a clause says of the same thing instead: First come? No, by lot."""
    mine = answer.topic(HOLDS)
    if asked.kind != HOLDS or asked.phrase.stances.of(HOLDS) or answer.stances.of(HOLDS) or answer.stances.denials:
        return None
    for number, sentence in enumerate(read.material.sentences):
        for part in read_statement(read.material.readings[read.material.place(number)], sentence).parts:
            clause = read_phrase(part.words, sentence.language)
            own = clause.topic(HOLDS)
            held = [each for each in asked.topic if named(each, own)]
            told = Found(1, number, clause, own, beyond=True)
            several = SEVERAL * (2 if clause.language == "zh" else 1)
            if (
                0 < len(held) < len(asked.topic)
                and len(mine) >= several
                and clause.stances.sign(HOLDS) > 0
                and rewords(answer, asked, own)
                and _restates(answer, told, asked)
            ):
                return Decision("supported", _MEANT, _place(read, number))
    return None


def _side_of(answer: Phrase, asked: Asked, *, opens: bool) -> int:
    """The side that an answer takes by itself; 0 where it takes none."""
    kind = asked.kind
    topic = answer.topic(kind)
    shares = not (topic and asked.topic) or any(named(each, asked.topic) for each in topic)
    if (answer.stances.of(kind) and (shares or opens)) or (kind == HOLDS and answer.stances.denials and shares):
        return answer.stances.sign(kind)
    restates = all(named(each, asked.topic) for each in topic) and (
        topic or mode(answer.text, answer.language) == "may"
    )
    whole = asked.topic and all(named(each, topic) for each in asked.topic)
    return answer.stances.parity(kind) if kind == HOLDS and (restates or whole) else 0


def _restates(answer: Phrase, told: Found, asked: Asked) -> bool:
    """Whether all that an answer says stands in the clause or in the question, but for the predicate."""
    known = Words([*told.tokens, *asked.phrase.tokens])
    new = [each for each in answer.topic(asked.kind) if not is_said(each, known)]
    if any(each.value is not None for each in new):
        return False
    if not answer.days.days <= told.phrase.days.days | asked.phrase.days.days:
        return False
    conditions = pattern("conditions", answer.language)
    mine, theirs = answer.without_stances(asked.kind), told.phrase.text
    if told.side < 0:
        mine = ONLY.sub(" ", mine)
    if not told.beyond and conditions.search(f"{mine} ") and not conditions.search(f"{theirs} "):
        return False
    return len(new) <= (NEW_ZH if answer.language == "zh" else NEW)


def _place(read: Read, number: int) -> tuple[int, int, int]:
    sentence = read.material.sentences[number]
    return read.material.place(number), sentence.start, sentence.end
