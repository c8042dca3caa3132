"""One text read: its mentions, and the cues that govern each."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from turnmark.detectors.clinical.read.bodies import adjectives, organs_without_trouble
from turnmark.detectors.clinical.read.comparison import held_by
from turnmark.detectors.clinical.read.measurements import Measurements
from turnmark.detectors.clinical.read.mentions import (
    Mention,
    age_mentions,
    condition_mentions,
    medication_mentions,
    sex_mentions,
)
from turnmark.detectors.clinical.read.operations import told_of
from turnmark.detectors.clinical.read.record import Record
from turnmark.detectors.clinical.read.sides import SidedPart, sided_parts
from turnmark.detectors.clinical.read.slot_mentions import slot_mentions
from turnmark.detectors.clinical.read.slot_words import SlotWords
from turnmark.detectors.clinical.read.statements import Governing, StatementReader, read_medication
from turnmark.detectors.clinical.read.vocabulary import Named, vocabulary
from turnmark.language.analysis import Analysis, analyse
from turnmark.language.computed import computed
from turnmark.language.later import later
from turnmark.language.quantity.quantity import Quantity
from turnmark.packs.clinical_facts import mention_words, words

_ADULT = 18
# What stands between two entries of a list: a comma or a new line, and remarks in brackets.
_LISTED = later(
    r" ?[○✓✔]?(?:\([^()\n]{0,16}\)|（[^（）\n]{0,16}）)?(?:, ?|、|;|\n)[ ]*"
    r"(?:[-•*·①-⑳]|[0-9]{1,2}[.)]|[一二三四五六七八九十]、)?[ ]*"
)
_PREDICATE = later(
    r" (?:would|could|can|may|might|means?|is|are|was|were|will|should|must|needs?|comes?|often|usually|has|have)\b"
    "|[才会则]|可能|通常"
)
"""What begins to speak of a name: it opens a statement of its own, and is no entry of the list before it."""
_CONCLUDES = later(
    r"\b(?:so|because|therefore|hence|thus|since|but|which|where)\b|이므로|이라서|이니까|여서|所以|因此|因为|故"
)
"""Between an age and a condition: what follows is concluded, and no entry of a summary."""
_LIST_REACH = 160
"""Longest way between the beginnings of two entries of a list: a long name with a note and a bullet."""
_JOINED_TO_PART = ("", " ", "의 ", "에 ", "的", "有")
_OF_PART = later(r" (?:of|in) (?:your |the )?")
_REASON_OF = later(
    r"(?:으로|로)(?: ?인해)? ?(?:현재 |지금 |매일 )?|(?:이|가) 있어(?:서)? ?| ?때문에 ?"
    r"|(?:而|,)?(?:目前|现在|正在|在|一直|长期|每天)*(?:服用|吃|使用|用)(?:着)?"
)
"""Between a condition and a medicine that is taken for it: 갑상선기능항진증으로 메티마졸, 因为哮喘在服用沙丁胺醇."""
_TAKEN_FOR = later(
    r"(?: [0-9.]+ ?(?:mg|mcg|ug|g))?(?: (?:once|twice|daily|every|each|a|day|morning|evening|night))*"
    r" (?:for|to treat|to control) (?:the )?"
    r"|(?:来|以|用于|用来)?(?:治疗|控制)"
)
"""Between a medicine that is taken and the condition it is taken for."""
_NO_REASON = later(r" (?:prevention|prophylaxis|risk)| ?(?:예방|위험)|的?(?:预防|风险)")
_NEXT_OPERATION = later(r"(?:, | and |, and |과 |와 |하고 |、|和)(?:an? |the |your |(?:left|right) )*")
"""Between two operations of one list."""
_CLOSED = later("(?:이고요?|이며|고요|이신데|이시고|이시며),")
_GOES_ON = later("(?:고|며|지만|는데|은데|으나) ")
_WORD = later("[가-힣]*")
_PARTICLES = {"degree": later("도(?![가-힣])"), "day": later("일(?= ?(?:때|경우|수|정도|지도|지))")}
"""Units that are also Korean particles and endings behind a number: 82도 (82, too), 48일 때 (when it is 48)."""
_MAY_BE_PARTICLES = frozenset((*_PARTICLES, "m"))
_WORD_REACH = 8
"""Characters from a name to the word that makes it one of a slot."""
_SUMMARY_REACH = 40
"""Characters between an age and a condition of one summary."""


def _without_particle(text: str, base: str, amount: Quantity) -> Quantity:
    """Return an amount without what only looks like its unit: a particle, or the M of "72 M", a man."""
    if amount.unit == "m" and base[amount.end - 1] == "M" and amount.low == amount.high >= _ADULT:
        return amount._replace(end=amount.start + len(f"{amount.low:g}"), unit="")
    pattern = _PARTICLES.get(amount.unit)
    if pattern is None or not pattern.match(text, amount.end - 1):
        return amount
    return amount._replace(end=amount.end - 1, unit="")


@cache
def _question_words() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of a question for a relative, and of one for the age."""
    mentions = mention_words()
    return (
        re.compile("|".join(map(re.escape, words(mentions.caregiver)))),
        re.compile("|".join(map(re.escape, words(mentions.age_asked)))),
    )


class Question(NamedTuple):
    """What the question tells: whether it is asked for a relative or for the age, and the labs and vitals it names."""

    for_another: bool = False
    asks_age: bool = False
    topics: tuple[Named, ...] = ()


NO_QUESTION = Question()


def read_question(text: str, names: Sequence[Named]) -> Question:
    """What a folded question tells; ``names`` are those of the vocabulary in it."""
    topics = tuple(named for named in names if named.terms[0].kind in ("lab", "vital"))
    caregiver, age = _question_words()
    return Question(caregiver.search(text) is not None, age.search(text) is not None, topics)


class Reading:
    """The mentions of one text beside one record, and what governs each."""

    def __init__(
        self, analysis: Analysis, record: Record, names: Sequence[Named], question: Question, slots: SlotWords
    ) -> None:
        """Read a text; ``names`` are those of the vocabulary in it, ``question`` what it answers."""
        self.folded = analysis.folded
        self.text, self.base = self.folded.text, self.folded.base
        # Offsets inside are folded; a text whose length folding changes is read in its folded form.
        self.analysis = analysis if self.folded.same_length else analyse(self.base)
        self.record = record
        self.question = question
        self.slots = slots
        self._names = names
        self.statements = StatementReader(self.text)
        self.amounts = [
            _without_particle(self.text, self.base, quantity) if quantity.unit in _MAY_BE_PARTICLES else quantity
            for quantity in self.analysis.quantities
            if quantity.kind == "amount"
        ]
        self.amount_starts = [amount.start for amount in self.amounts]
        self.ages: list[Mention] = []
        self.mentions = [mention for mention in self._apart(self._mentions()) if not self._is_everyday(mention)]

    def _is_everyday(self, mention: Mention) -> bool:
        """Tell an everyday word (安定, 디스크) from a name: without dose, it must be in the record."""
        told = mention.kind in self.slots.definitions.slots
        if told or mention.quantities or not mention.terms or not all(term.everyday for term in mention.terms):
            return False
        if mention.kind == "medication" and mention.end > mention.named_at[1]:
            # Its form tells a medicine: vitamin K tablets.
            return False
        entries = self.record.medications if mention.kind == "medication" else self.record.conditions
        return not held_by(mention, entries)

    def _mentions(self) -> list[Mention]:
        """Return all mentions, in no particular order."""
        text = self.text
        names = self._names
        if self.record.own_names:
            own = vocabulary().find_own(text, self.record.own_names, names)
            names = sorted((*names, *own), key=lambda named: named.start) if own else names
        of_kind: dict[str, list[Named]] = {"medication": [], "condition": [], "sex": []}
        measures: list[Named] = []
        for named in names:
            of_kind.get(named.terms[0].kind, measures).append(named)
        amounts = self.amounts
        medications = medication_mentions(text, of_kind["medication"], amounts)
        ages = self.ages = age_mentions(text, of_kind["sex"], measures, amounts, asked=self.question.asks_age)
        used = {mention.quantities[0].start for mention in (*medications, *ages) if mention.quantities}
        numbers = [amount for amount in amounts if amount.start not in used]
        values = Measurements(text, measures, numbers, self.record, self.statements.stands_by, self.question.topics)
        return [
            *medications,
            *self._conditions(of_kind["condition"]),
            *ages,
            *sex_mentions(text, of_kind["sex"], ages),
            *values.find(self._sentence),
            *slot_mentions(text, names, self.slots, self.record.slots, self._sentence),
        ]

    def _conditions(self, names: list[Named]) -> Iterator[Mention]:
        """The conditions named, those told by an adjective, and those that a part without trouble denies."""
        denied = organs_without_trouble(self.text)
        for mention in (*condition_mentions(self.text, [*names, *adjectives(self.text)]), *denied):
            # The whole statement is what is said: you have no kidney problems.
            if mention.absent or all(mention.end <= one.start or one.end <= mention.start for one in denied):
                yield mention

    def sided_part(self, mention: Mention) -> SidedPart | None:
        """The part of the body, with its side, that a condition is said of: osteoarthritis of your right knee."""
        for part in self._sided:
            if part.start < mention.end and mention.start < part.end:
                return part
            gap = self.text[part.end : mention.start] if part.end <= mention.start else None
            behind = self.text[mention.end : part.start] if mention.end <= part.start else ""
            if gap in _JOINED_TO_PART or _OF_PART.fullmatch(behind):
                return part
        return None

    @computed
    def _sided(self) -> list[SidedPart]:
        return sided_parts(self.text)

    def _apart(self, mentions: list[Mention]) -> Iterator[Mention]:
        """The mentions without two that say one thing: penicillin allergy is an allergy, no medicine that is taken.

        A name that the record holds elsewhere stays what it is there, unless the record fills the slot.
        """
        told = [mention for mention in mentions if mention.kind in self.slots.definitions.slots]
        named = [mention for mention in mentions if mention.kind in ("medication", "condition")] if told else []
        dropped: set[int] = set()
        for one in told:
            for other in named:
                if (one.start < other.end and other.start < one.end) or self._joined(one, other):
                    entries = self.record.medications if other.kind == "medication" else self.record.conditions
                    stays = one.kind not in self.record.known and held_by(other, entries)
                    dropped.add(id(one if stays else other))
        return (mention for mention in mentions if id(mention) not in dropped)

    def _joined(self, one: Mention, other: Mention) -> bool:
        """Tell whether a condition is the very word that makes a name one of a slot: the allergy of an egg allergy."""
        words = self.slots.definitions.slots[one.kind]
        return (
            0 <= other.start - one.end <= _WORD_REACH
            and bool(words.after)
            and any(
                hit.start <= other.start and other.end <= hit.end and hit.payload.role in ("after", "called")
                for hit in self.slots.find(self.text)
                if hit.payload.slot == one.kind
            )
        )

    def _sentence(self, position: int) -> tuple[int, int]:
        segments = self.analysis.segments
        sentence = segments.sentences[segments.sentence_index(position)]
        return sentence[:2]

    def governing(self, mention: Mention) -> Governing:
        """Return the cues that govern a mention."""
        segments = self.analysis.segments
        index = segments.sentence_index(mention.start)
        sentence = segments.sentences[index]
        clause = segments.clause_in(index, mention.start)
        span = (mention.start, mention.end)
        # A semicolon parts what is said of one value from the next.
        parted = self.text.rfind(";", sentence.start, mention.start) + 1
        own = (max(sentence.start, parted), sentence.end)
        # 협심증이고요, 심근경색은 아닙니다: a predicate with a comma closes what is said.
        ends = self.text.find(",", mention.end, clause.end) >= 0
        closed = _CLOSED.search(self.text, mention.end, clause.end) if ends else None
        if self._says_value(mention):
            # The words say their own denial (담배는 피우신 적이 없|습니다); what follows is said of another habit.
            span = (mention.start, self._word_end(mention.end))
            closed = _GOES_ON.search(self.text, mention.end, clause.end) or closed
        clause_end = closed.end() if closed else clause.end
        if closed:
            own = (own[0], clause_end)
        if mention.kind in ("lab", "vital"):
            # What stands between the name of a value and its number governs the number.
            first, last = mention.quantities[0].start, mention.quantities[-1].end
            span = (first, max(last, mention.end))
            index = bisect_left(self.amount_starts, first)
            after = bisect_left(self.amount_starts, last)
            own = (
                max(self.amounts[index - 1].end, parted) if index else own[0],
                self.amount_starts[after] if after < len(self.amounts) else own[1],
            )
        return self.statements.governing(span, (clause.start, clause_end), (sentence.start, sentence.end), own)

    def _says_value(self, mention: Mention) -> bool:
        """Tell a mention of a slot that holds a text: its words are a whole statement."""
        slot = self.slots.definitions.slots.get(mention.kind)
        return slot is not None and slot.type == "text"

    def _word_end(self, position: int) -> int:
        """The end of the Korean word that a position lies in."""
        word = _WORD.match(self.text, position)
        return word.end() if word else position

    @computed
    def _neighbours(self) -> dict[str, tuple[list[int], list[Mention]]]:
        """The mentions of each kind in the order of the text, with their places: an answer may hold thousands."""
        results: dict[str, tuple[list[int], list[Mention]]] = {}
        for mention in sorted(self.mentions, key=lambda one: one.start):
            starts, mentions = results.setdefault(mention.kind, ([], []))
            starts.append(mention.start)
            mentions.append(mention)
        return results

    def is_listed(self, mention: Mention) -> bool:
        """Tell whether a mention goes on with a list that holds what the record holds: "A (morning), B, C"."""
        entries = self.record.medications if mention.kind == "medication" else self.record.conditions
        if _PREDICATE.match(self.text, mention.end):
            return False
        starts, others = self._neighbours[mention.kind]
        low, high = bisect_left(starts, mention.start - _LIST_REACH), bisect_left(starts, mention.end + _LIST_REACH)
        for other in others[low:high]:
            if other.start != mention.start:
                first, second = sorted((other, mention), key=lambda one: one.start)
                if _LISTED.fullmatch(self.text, first.end, second.start) and held_by(other, entries):
                    return True
        return False

    def is_reason(self, mention: Mention) -> bool:
        """Tell whether a condition is given as the reason of a medicine that the patient is said to take."""
        for medicine in self._of_kind("medication"):
            between = sorted((mention, medicine), key=lambda one: one.start)
            gap = self.text[between[0].end : between[1].start]
            pattern = _REASON_OF if medicine is between[1] else _TAKEN_FOR
            if pattern.fullmatch(gap) and not _NO_REASON.match(self.text, mention.end):
                governing = self.governing(medicine)
                claim = read_medication(governing, in_record=False)
                if claim.reason == "take" and not claim.denied:
                    return True
        return False

    def _of_kind(self, kind: str) -> list[Mention]:
        return self._neighbours[kind][1] if kind in self._neighbours else []

    def told_of(self, mention: Mention) -> str:
        """Tell whether an operation is told as done or denied, by its own words or as the next of a list."""
        told = told_of(self.text, mention.start, mention.end)
        if told:
            return told
        for other in self._of_kind(mention.kind):
            if other.end <= mention.start and _NEXT_OPERATION.fullmatch(self.text, other.end, mention.start):
                return self.told_of(other)
        return ""

    def follows_age(self, mention: Mention) -> bool:
        """Tell whether a condition stands in a summary: "72세 여성, 심부전", "a 24-year-old man, asthma"."""
        segments = self.analysis.segments
        first = segments.sentences[segments.sentence_index(mention.start)].start
        between = [
            age for age in self.ages if first <= age.start < mention.start and mention.start - age.end <= _SUMMARY_REACH
        ]
        return any(
            not age.general
            and not age.quantities[0].comparator
            and not _CONCLUDES.search(self.text, age.end, mention.start)
            for age in between
        )
