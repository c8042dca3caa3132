"""The gravest findings of a run as sentences: which three of them speak for the rest, and with which words marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from turnmark.language.script import detect_language
from turnmark.locale.texts import Texts, named
from turnmark.report.view.claims import is_verdict
from turnmark.report.view.data import TurnView
from turnmark.report.view.grounds import worded_ground
from turnmark.report.view.names import worded_name
from turnmark.report.view.notes import worded_note
from turnmark.report.view.quoted.behind import behind, breach
from turnmark.report.view.quoted.clipping import clipped
from turnmark.report.view.quoted.highlight import fits
from turnmark.report.view.quoted.sentences import LONGEST, Piece, Span, sentence_span, shown, unmarked
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.marks import FAULT_KINDS, FaultKind

MOST_QUOTES = 3
_QUOTED: tuple[FaultKind, ...] = ("severe", "forbidden", "contradiction", "minor")
"""Kinds of fault whose details are words of the reply."""
_LANGUAGES = frozenset({"zh", "ko", "en"})
_RULE_PARTS = 3
"""Parts of the name of a rule that say what it is about; what follows says by which wording."""
_MOST_TOLD = 2


class Finding(NamedTuple):
    """One of the gravest findings: the sentence in pieces, what is wrong with it, where it stands.

    ``about`` is the rule, the constraint or what speaks against the words ("" where the words are all there is);
    ``place`` is that of its turn among those shown, from 1.
    """

    kind: FaultKind
    pieces: tuple[Piece, ...]
    about: str
    dialog_id: str
    turn_pair_id: int
    place: int

    @property
    def is_against(self) -> bool:
        """Whether ``about`` speaks against the words, as a constraint or a fact does, and does not name the breach."""
        return self.kind == "contradiction"

    @property
    def quote(self) -> str:
        """The whole of what is shown."""
        return "".join(piece.text for piece in self.pieces)


class _Candidate(NamedTuple):
    """A finding that may be shown, and what it is about: metrics with the kinds of their rules."""

    finding: Finding
    things: tuple[str, ...]
    language: str


def worst_quotes(views: Sequence[TurnView], texts: Texts) -> list[Finding]:
    """The findings that speak for all: the gravest first, then other rules, other dialogues, other languages.

    Between equals the turn that is shown earlier is taken. A second finding of a dialogue gives way to one of the same
    kind and rule in a dialogue that is not shown yet.
    """
    found = [one for place, view in enumerate(views, 1) for one in _candidates(view, place, texts)]
    chosen: list[_Candidate] = []
    while len(chosen) < min(MOST_QUOTES, len(found)):
        chosen.append(min((one for one in found if one not in chosen), key=lambda one: _order(one, chosen)))
    for index, one in enumerate(chosen):
        others = chosen[:index] + chosen[index + 1 :]
        dialogs = {other.finding.dialog_id for other in others}
        if one.finding.dialog_id in dialogs:
            chosen[index] = next((
                other for other in found
                if other.finding.kind == one.finding.kind and not set(one.things).isdisjoint(other.things)
                and other.finding.dialog_id not in dialogs
            ), one)  # fmt: skip
    return sorted((one.finding for one in chosen), key=lambda one: (FAULT_KINDS.index(one.kind), one.place))


def _order(one: _Candidate, chosen: Sequence[_Candidate]) -> tuple[int, ...]:
    """How soon a candidate is taken, beside those that are; smaller is sooner."""
    things = Counter(thing for other in chosen for thing in other.things)
    dialogs = Counter(other.finding.dialog_id for other in chosen)
    said = [other.finding.quote for other in chosen].count(one.finding.quote)
    spoken = [other.language for other in chosen].count(one.language)
    seen = min(things[thing] for thing in one.things)
    return FAULT_KINDS.index(one.finding.kind), seen, dialogs[one.finding.dialog_id], said, spoken, one.finding.place


def _candidates(view: TurnView, place: int, texts: Texts) -> Iterator[_Candidate]:
    """The findings of a turn: of each kind of fault one a sentence, and what has no words in the reply."""
    for fault in view.reasons:
        if fault.kind not in _QUOTED:
            continue
        kind: FaultKind = fault.kind
        own = behind(kind, view)
        placed = [piece for piece in own if piece.source == "reply" and fits(piece, view.reply)]
        by_sentence: dict[Span, list[Evidence]] = {}
        for piece in sorted(placed, key=lambda piece: (piece.start, piece.end)):
            by_sentence.setdefault(sentence_span(view.reply, piece.start, piece.end), []).append(piece)
        for span, pieces in by_sentence.items():
            sentence = shown(view.reply, span, [(piece.start, piece.end) for piece in pieces])
            yield _candidate(kind, sentence, _told(pieces, texts), view, place, pieces)
        for piece in own:
            if piece not in placed and (piece.polarity == "missing" or not placed):
                yield _candidate(kind, unmarked(breach(piece, view, texts)), "", view, place, [piece])
        if not own and fault.details:
            names = texts["comma"].join(worded_name(name, texts) for name in fault.details)
            yield _candidate(kind, unmarked(names), "", view, place, [])


def _candidate(
    kind: FaultKind, pieces: tuple[Piece, ...], about: str, view: TurnView, place: int, own: Sequence[Evidence]
) -> _Candidate:
    things = tuple(dict.fromkeys(_thing(piece) for piece in own)) or (kind,)
    found = Finding(kind, pieces, about, view.dialog_id, view.turn_pair_id, place)
    return _Candidate(found, things, detect_language(view.reply))


def _told(pieces: Sequence[Evidence], texts: Texts) -> str:
    """What is wrong with the words of a sentence, the first two things of it; of claims, what decided the first."""
    said = list(dict.fromkeys(filter(None, (_about(piece, texts) for piece in pieces))))
    most = 1 if any(map(is_verdict, pieces)) else _MOST_TOLD
    return clipped(texts["comma"].join(said[:most]), LONGEST)


def _thing(piece: Evidence) -> str:
    """What a finding is about, whatever the language and the wording: its metric and the first parts of its rule."""
    parts = [part for part in piece.rule.partition("@")[0].split(".") if part not in _LANGUAGES]
    return ".".join((piece.metric, *parts[:_RULE_PARTS]))


def _about(piece: Evidence, texts: Texts) -> str:
    """What is wrong with words: what speaks against them, a safety rule, a constraint, the kind of breach."""
    if is_verdict(piece):
        return " · ".join(filter(None, (piece.source_quote, worded_ground(piece.note or "", texts))))
    if piece.metric == "csp":
        return named(texts, "safety_rule", piece.label)
    return worded_note(piece.note, texts) if piece.note else worded_name(piece.label, texts)
