"""Stance: whether the words around a passage recommend it, advise against it or leave it open.

The words are a lexicon of the cue engine (``language/scope/cues.py``), from the pack's word lists: ``endorse``,
``praise`` and ``reject``; ``conflict`` (it does not fit the user), ``honour`` (the user's rule is recalled), ``relax``
(it is loosened), ``cling`` (loosens it when negated), ``danger``, ``swap`` (one thing for another), ``seems``,
``hearsay``, ``urging`` and ``sober`` (tone, a last resort), ``negate``, and ``skip`` for look-alikes; ``allow`` and
``forbid`` combine with every word of ``act``, ``gain`` with every word of ``means``. A clause is read from left to
right; a negation right before a word turns it round, two leave it as it is. What the clause of a passage leaves open
the clauses around it decide, nearest first. The lists of ``PHRASES`` and the patterns of ``SIGNS`` are asked for by
name. Words of ``whole`` are common ones inside which no other may start.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from turnmark.language.analysis import Analysis
from turnmark.language.match.patterns import compile_any
from turnmark.language.match.phrases import Phrases
from turnmark.language.scope import cues as engine
from turnmark.language.scope.chain import chain_length
from turnmark.language.text.fold import fold_texts
from turnmark.packs.rules import Rule

CLASSES = (
    "skip", "negate", "endorse", "praise", "reject", "conflict", "relax", "cling", "honour", "danger", "swap", "seems",
    "hearsay", "urging", "sober",
)  # fmt: skip
PHRASES = (
    "explain", "rhetorical", "line", "over", "instance", "hard", "cut_back", "proposed", "warned", "fact", "pace",
    "total",
    "added", "broad", "between", "withdrawn", "denies", "deny", "deny_between", "forbids", "supposed", "harm",
    "holds_back", "denied", "the_line", "off_the_line", "of_the_user", "each", "refused_after", "joint", "beaten",
    "classed", "narrated", "told_of", "gives_share", "gives_between", "pays", "pays_between",
)  # fmt: skip
"""Word lists that judges ask for by name, with ``StanceReader.says``."""
SIGNS = (
    "acts", "or_else", "for_you", "pledged", "imperative", "defined", "offered", "assents", "of_a_plan", "under_a_move",
    "of_the_market", "beside_the_line", "of_the_line", "parted", "one", "positions", "held", "price_of_more",
    "dont_shun", "instead", "shared",
)  # fmt: skip
"""Labels of the pack's rules whose patterns judges ask for by name."""
SHORT_REPLY = 320
"""A reply up to this length is one piece of advice; in a longer one only the sentence of a passage speaks of it."""

_ASKING_REACH = 6
_DENIED_REACH, _DENIED_GAP = 12, 10
_PLEDGED_REACH = 40
_CLAUSE_MARKS, _STOPS = ",。;:、", ",。;"
_PERSONS = "您你"
_DEGREES = frozenset("挺蛮很还也较更最是")
_EMPHASIS = frozenset('"*_ ')
_NEGATE = frozenset(("negate",))
_NAME = 12
_OPENING, _CLOSING, _ENDS = frozenset("\"'“‘「『"), frozenset("\"'”’」』"), frozenset("。!?\n")


class Cue(NamedTuple):
    """A stance word in folded offsets; ``sign`` is above 0 for, below 0 against, 0 for words that only colour others.

    Praise (弹性大) counts half as much as a call to act.
    """

    start: int
    end: int
    kind: str
    sign: int


class Span(NamedTuple):
    """A clause in folded offsets with the index of its sentence and block."""

    start: int
    end: int
    sentence: int
    block: int


_SIGNS_OF_KINDS = {"endorse": 2, "relax": 2, "praise": 1, "reject": -2, "conflict": -2, "honour": -2}
_PAIRED = (("allow", "act", "endorse"), ("forbid", "act", "reject"), ("gain", "means", "endorse"))


class StanceWords:
    """The stance lexicon of the packs, compiled once.

    Raises: PackError for a rule whose patterns are wrong.
    """

    def __init__(self, words: Mapping[str, Sequence[str]], rules: Sequence[Rule] = ()) -> None:
        kinds = {kind: fold_texts(words.get(kind, ())) for kind in CLASSES}
        kinds["skip"] += fold_texts(words.get("whole", ()))
        listed = frozenset(word for kind in kinds.values() for word in kind)
        for first, second, kind in _PAIRED:
            paired = fold_texts(word + act for word in words.get(first, ()) for act in words.get(second, ()))
            kinds[kind] += [word for word in paired if word not in listed]
        self.lexicon = engine.Lexicon(kinds)
        look_alikes = words.get("look_alikes", ())
        self.phrases = {name: Phrases(words.get(name, ()), words.get(f"{name}_not", look_alikes)) for name in PHRASES}
        labelled = {name: [pattern for rule in rules if rule.label == name for pattern in rule.any] for name in SIGNS}
        self.signs = {name: compile_any(patterns, words, look_alikes) for name, patterns in labelled.items()}


def _signed(cue: engine.Cue) -> Cue | None:
    """A cue with the kind that decides, the last of ``CLASSES``, and its sign; None for a word that only asks."""
    kind = next((kind for kind in reversed(CLASSES) if kind in cue.kinds), None)
    return Cue(cue.start, cue.end, kind, _SIGNS_OF_KINDS.get(kind, 0)) if kind else None


class ConstraintStanceReader:
    """The stance words of one reply, by clause."""

    def __init__(self, analysis: Analysis, words: StanceWords, question: str = "") -> None:
        self.analysis = analysis
        self.plans = words.phrases["proposed"].within(question)
        self.text = analysis.folded.text
        self.explains = words.phrases["explain"].within(question) and not words.signs["for_you"].search(self.text)
        self.short = len(self.text) <= SHORT_REPLY
        self._words = words
        self._clauses: dict[int, list[Span]] = {}

    @cached_property
    def cues(self) -> list[Cue]:
        """Stance words with negations applied; a negation that turned another word round is left out."""
        results = (_signed(cue) for cue in self._words.lexicon.find(self.text))
        resolved = self._resolved([cue for cue in results if cue])
        return [cue for cue in resolved if cue.kind != "praise" or not _only_named(self.text, cue)]

    def says(self, name: str, start: int, end: int) -> bool:
        """Whether a folded span holds a word of a list of ``PHRASES``."""
        return self._words.phrases[name].within(self.text, start, end)

    def phrase(self, name: str, text: str) -> bool:
        """Whether any other folded text does."""
        return self._words.phrases[name].within(text)

    def is_phrase(self, name: str, text: str) -> bool:
        """Whether a folded text is a word of such a list."""
        return self._words.phrases[name].is_one(text)

    @cached_property
    def _starts(self) -> list[int]:
        return [cue.start for cue in self.cues]

    def within(self, start: int, end: int) -> list[Cue]:
        """The stance words inside a folded span."""
        return self.cues[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def sentence_clauses(self, index: int) -> list[Span]:
        """The clauses of a sentence."""
        clauses = self._clauses.get(index)
        if clauses is None:
            block = self.analysis.segments.sentences[index].block
            spans = self.analysis.clause_spans(index)
            clauses = self._clauses[index] = [Span(start, end, index, block) for start, end in spans]
        return clauses

    @cached_property
    def clauses(self) -> list[Span]:
        """All clauses; asked for in short replies only."""
        spans: list[Span] = []
        for index in range(len(self.analysis.segments.sentences)):
            spans += self.sentence_clauses(index)
        return spans

    def place(self, position: int) -> tuple[list[Span], int]:
        """The clauses of the sentence at a folded position, and which of them holds it."""
        original, _ = self.analysis.folded.to_original(position, position + 1)
        clauses = self.sentence_clauses(self.analysis.segments.sentence_index(original))
        return clauses, max(0, bisect_right(clauses, position, key=_start) - 1)

    def asks(self, clause: Span) -> bool:
        """Whether a clause is a question."""
        return engine.asks(self.text[max(clause.start, clause.end - _ASKING_REACH) : clause.end])

    def stance(self, clause: Span) -> int:
        """The sum of a clause's signs, cut to -1, 0 or 1; a question has none."""
        cues = self.within(clause.start, clause.end)
        total = sum(cue.sign for cue in cues)
        if any(cue.kind == "hearsay" or (cue.kind == "seems" and total > 0) for cue in cues):
            return 0
        if not total or (total > 0 and self.asks(clause)):
            return 0
        return 1 if total > 0 else -1

    def overall(self) -> int:
        """The stance of a short reply as a whole; 0 when it is balanced, long or explains a term that was asked."""
        if not self.short or self.explains:
            return 0
        total = sum(self.stance(clause) for clause in self.clauses if not self.asked_at(clause.start))
        return (total > 0) - (total < 0)

    def asked_at(self, position: int) -> bool:
        """Whether a folded position stands in a sentence that asks in earnest."""
        clauses, _ = self.place(position)
        return self.asks(clauses[-1]) and not self.says("rhetorical", clauses[0].start, clauses[-1].end)

    def tone(self) -> int:
        """The tone of a short reply, urging (1) or sober (-1), for want of anything clearer."""
        if not self.short or self.explains:
            return 0
        kinds = [cue.kind for cue in self.cues]
        balance = kinds.count("urging") + kinds.count("praise") - kinds.count("sober") - kinds.count("danger")
        return (balance > 0) - (balance < 0)

    def against(self) -> bool:
        """Whether a short reply holds something against the user's rules anywhere."""
        return any(cue.kind in ("conflict", "honour") and cue.sign < 0 for cue in self.cues)

    def loosened(self, start: int, end: int) -> Cue | None:
        """The first word in a span of a short reply that loosens the user's rule and is not denied (别为了打新破例)."""
        for cue in self.within(start, end) if self.short else ():
            if cue.kind == "relax" and cue.sign > 0 and not self._denied(cue.start) and not self.pledged(cue.start):
                return cue
        return None

    def _denied(self, position: int) -> bool:
        """Whether the words of a clause before a folded position deny what follows."""
        result = self._words.phrases["denies"].all(self.text, max(0, position - _DENIED_REACH), position)
        return any(
            position - end <= _DENIED_GAP and not any(mark in self.text[end:position] for mark in _STOPS)
            for _, end in result
        )

    def pledged(self, position: int) -> bool:
        """Whether words before a folded position vow in the first person to keep to a rule."""
        clauses, _ = self.place(max(0, position - 1))
        first = max(clauses[0].start, position - _PLEDGED_REACH)
        return self._words.signs["pledged"].search(self.text, first, position) is not None

    @cached_property
    def imperative(self) -> re.Match[str] | None:
        """A bare imperative that answers the user's question (冲, 上, 买吧), at the beginning of a reply."""
        return self._words.signs["imperative"].match(self.text) if self.short else None

    def acts(self, start: int, end: int) -> re.Match[str] | None:
        """Words that tell the user to do something, or offer to do it, in a folded span."""
        calls = self._words.signs["acts"].finditer(self.text, start, end)
        return next((call for call in calls if not self._narrated(call.start())), None)

    def _narrated(self, position: int) -> bool:
        """Whether a clause tells of a deed (您持有的茅台去年已经卖出, 您表弟买币的事)."""
        clauses, at = self.place(position)
        return self.says("narrated", clauses[at].start, clauses[at].end)

    def sign(self, name: str, start: int, end: int) -> re.Match[str] | None:
        """The first pattern of a label of ``SIGNS`` in a folded span."""
        return self._words.signs[name].search(self.text, start, end)

    def follows(self, name: str, position: int, end: int | None = None) -> re.Match[str] | None:
        """The pattern of a label of ``SIGNS`` that stands right behind a folded position, emphasis apart."""
        while self.text[position : position + 1] in _EMPHASIS:
            position += 1
        last = len(self.text) if end is None else end
        return self._words.signs[name].match(self.text, position, last)

    def signed(self, name: str) -> Iterator[re.Match[str]]:
        """Every pattern of a label of ``SIGNS`` in the reply."""
        return self._words.signs[name].finditer(self.text)

    def ends(self, name: str, first: int, position: int, gap: int = 0) -> bool:
        """Whether a word of a list stands before a folded position, ``gap`` away at most in its clause."""
        spans = self._words.phrases[name].all(self.text, first, position)
        return any(
            position - end <= gap and not any(mark in _CLAUSE_MARKS for mark in self.text[end:position])
            for _, end in spans
        )

    def led(self, name: str, between: str, first: int, position: int) -> bool:
        """Whether a word of a list leads up to a folded position with nothing but words of another between."""
        phrases = self._words.phrases
        return any(
            phrases[between].covers(self.text, end, position)
            for _, end in phrases[name].all(self.text, first, position)
        )

    def behind(self, name: str, start: int, end: int) -> tuple[int, int] | None:
        """The first word of a list of ``PHRASES`` in a folded span."""
        return self._words.phrases[name].first(self.text, start, end)

    def joins(self, name: str, start: int, end: int) -> bool:
        """Whether a folded span holds words of a list of ``PHRASES`` and nothing else."""
        return self._words.phrases[name].covers(self.text, start, end)

    def is_defined(self, end: int) -> bool:
        """Whether a word that ends at a folded position is being explained rather than talked about (融资是指 …)."""
        while self.text[end : end + 1] in _EMPHASIS:
            end += 1
        return self._words.signs["defined"].match(self.text, end) is not None

    def negation(self, first: int, start: int) -> tuple[int, int] | None:
        """The parity of the negations right before a folded position and where they begin; None without any."""
        phrases = self._words.phrases
        cues = [engine.Cue(*span, _NEGATE) for span in phrases["deny"].all(self.text, first, start)]
        length = chain_length(self.text, cues, start, phrases["deny_between"])
        return (length % 2, cues[-length].start) if length else None

    def _resolved(self, found: list[Cue]) -> list[Cue]:
        resolved: list[Cue] = []
        pending: list[Cue] = []  # negations that wait for what they negate
        for cue in found:
            if cue.kind == "negate":
                pending.append(cue)
                continue
            turns = cue.sign or cue.kind == "cling"
            length = self._negations(pending, cue.start) if turns and pending else 0
            resolved += pending[: len(pending) - length]
            start = pending[-length].start if length else cue.start
            pending = []
            if cue.kind == "cling" and length:
                resolved.append(Cue(start, cue.end, "relax", 2 if length % 2 else -2))
            else:
                resolved.append(self._followed(Cue(start, cue.end, cue.kind, -cue.sign if length % 2 else cue.sign)))
        return resolved + pending

    def _negations(self, pending: list[Cue], position: int) -> int:
        between = self._words.phrases["between"]
        return chain_length(self.text, [engine.Cue(cue.start, cue.end, _NEGATE) for cue in pending], position, between)

    def _followed(self, cue: Cue) -> Cue:
        """A cue with its sign after a look at what follows it."""
        text = self.text
        if cue.kind == "reject" and text[cue.end - 2] == "不" and self._words.signs["or_else"].match(text, cue.end):
            return cue._replace(kind="endorse", sign=2)  # 今天不买明天更贵 urges to buy
        if cue.kind != "endorse" or cue.sign <= 0:
            return cue
        graded = text[cue.start - 1 : cue.start] in _DEGREES  # 挺合适的 says it of the thing
        if text.startswith("的", cue.end) and text[cue.end - 1] not in _PERSONS and not graded:
            return cue._replace(sign=0)  # 冲进去的 are people, not a call
        if self._words.phrases["told_of"].opens(text, cue.end):
            return cue._replace(sign=0)  # 以接近面值买入时才成立 tells when something holds
        withdrawn = self._words.phrases["withdrawn"].opens(text, cue.end)
        return cue._replace(sign=-cue.sign) if withdrawn else cue  # 可以不用, 能不碰就不碰


def _only_named(text: str, cue: Cue) -> bool:
    """Whether a word stands between quotation marks, as something others say (可转债的"下有保底")."""
    before, after = text[max(0, cue.start - _NAME) : cue.start], text[cue.end : cue.end + _NAME]
    opened = next((mark for mark in reversed(before) if mark in _OPENING | _CLOSING | _ENDS), "")
    closed = next((mark for mark in after if mark in _OPENING | _CLOSING | _ENDS), "")
    return opened in _OPENING and closed in _CLOSING


def _start(clause: Span) -> int:
    return clause.start
