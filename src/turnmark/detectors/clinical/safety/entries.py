"""Where a text names what a slot of the record lists: the penicillin of an allergy, and amoxicillin with it."""

from __future__ import annotations

from collections.abc import Iterator

from turnmark.detectors.clinical.read.record import RecordedItem
from turnmark.detectors.clinical.read.slot_words import slot_words
from turnmark.detectors.clinical.read.terms import Term
from turnmark.detectors.clinical.read.vocabulary import vocabulary
from turnmark.detectors.clinical.safety.advice import Mention
from turnmark.detectors.clinical.utterance import Utterance


def entries_named(utterance: Utterance, slot: str) -> list[Mention]:
    """The mentions of a slot's entries, in order; words that tell the slot itself (allergic to penicillin) are none.

    A member of a class that the record lists is one (amoxicillin of penicillin); a wider class of an entry is none:
    a painkiller need not be aspirin.
    """
    entries = utterance.chart.entries(slot)
    told = [(fact.start, fact.end) for fact in utterance.facts if fact.type == slot]
    spans = {
        (start, end)
        for start, end, term in _terms(utterance, slot, entries)
        if any(_is_of(term, entry) for entry in entries) and all(end <= first or last <= start for first, last in told)
    }
    rule = f"clinical.safety.{slot}"
    return [Mention(slot, start, end, phrase_advises=False, rule=rule) for start, end in sorted(spans)]


def _is_of(term: Term, entry: RecordedItem) -> bool:
    return not (term.ids.isdisjoint(entry.ids) and term.broader.isdisjoint(entry.ids))


def _terms(utterance: Utterance, slot: str, entries: tuple[RecordedItem, ...]) -> Iterator[tuple[int, int, Term]]:
    """What the text names that the slot could hold: by the vocabulary, the words of the slot and the record's own."""
    definitions = utterance.chart.definitions
    definition = definitions.get(slot)
    for name in utterance.names:
        for term in name.named.terms:
            if definition is not None and term.kind in definition.terminology:
                yield name.start, name.end, term
    folded = utterance.analysis.folded
    own = [(entry.own.name, entry.own) for entry in entries if entry.own is not None]
    words = [] if definition is None else slot_words(definitions).terms_in(folded.text, definition)
    words += [(found.start, found.end, found.terms[0]) for found in vocabulary().find_own(folded.text, own, ())]
    for start, end, term in words:
        yield *((start, end) if folded.same_length else folded.to_original(start, end)), term
