"""What of a reply the judges look at: the topic words that count as mentions, and stance words as acts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from turnmark.detectors.finance.contextual.constraints.acts import Act
from turnmark.detectors.finance.contextual.constraints.ban import Mention
from turnmark.detectors.finance.contextual.constraints.kinds import ParsedConstraint
from turnmark.detectors.finance.contextual.constraints.limits.grades import grades
from turnmark.detectors.finance.contextual.constraints.speech_act import STRONG, ActVerdict, meant_sign
from turnmark.detectors.finance.contextual.constraints.stance import ConstraintStanceReader
from turnmark.detectors.finance.contextual.constraints.words import PATTERN_ROLES, Entry, Hit
from turnmark.language.match.phrases import Phrases
from turnmark.language.text.fold import Folded

_ACTS = {"endorse": "urge", "relax": "loosen", "honour": "recall", "conflict": "refuse", "reject": "refuse",
         "praise": "praise", "danger": "warn"}  # fmt: skip
"""Stance words as acts."""
_OWN, _PREFERRED = Entry("", "topic"), Entry("", "preferred")


def own_hits(asked: ParsedConstraint, folded: Folded, named: Mapping[float, Phrases]) -> list[Hit]:
    """Where a text names what no pack knows: the constraint's own words, grades beyond its limit and within it."""
    if asked.grades is not None:
        told = [grade for grade in grades(folded, named) if grade.scale == asked.grades.scale]
        return [Hit(each.start, each.end, _PREFERRED if asked.grades.allows(each) else _OWN) for each in told]
    spans = Phrases(asked.own).all(folded.text) if asked.own and asked.kind.form == "ban" else []
    return [Hit(*span, _OWN) for span in spans]


def apart_from(hits: Sequence[Hit], own: Sequence[Hit]) -> list[Hit]:
    """Words of packs that are no part of a constraint's own hits: what AA or R3 is worth, its limit says."""
    return [hit for hit in hits if not any(hit.start < each.end and each.start < hit.end for each in own)]


def stance_acts(reader: ConstraintStanceReader) -> list[Act]:
    """The stance words of a reply, with negations applied, as acts."""
    results = []
    for cue in reader.cues:
        kind = _ACTS.get(cue.kind, "") if cue.sign or cue.kind == "danger" else ""
        if kind in ("urge", "refuse"):
            kind = "urge" if cue.sign > 0 else "refuse"
        if kind and (kind != "urge" or not reader.asked_at(cue.start)):
            results.append(Act(cue.start, cue.end, kind))
    return results


def left_to_others(reader: ConstraintStanceReader, mention: Mention) -> bool:
    """Whether a passage speaks of others and the reply never turns to the user after it."""
    scope = reader.analysis.scope(reader.analysis.folded.to_original(mention.start, mention.end))
    return scope.addressed_to_other and not any(word in reader.text[mention.end :] for word in "您你咱")


def mentions_of(hits: Sequence[Hit], reader: ConstraintStanceReader) -> list[Mention]:
    """Topic words without those that are part of a look-alike or of a longer topic word."""
    asides = [(hit.start, hit.end) for hit in hits if hit.entry.role == "aside"]
    roles = ("topic", "preferred", "faint") if reader.short else ("topic", "preferred")
    mentions: list[Mention] = []
    for hit in sorted((hit for hit in hits if hit.entry.role in roles), key=lambda hit: (hit.start, -hit.end)):
        if any(first <= hit.start and hit.end <= last for first, last in asides) or reader.is_defined(hit.end):
            continue
        if mentions and hit.start < mentions[-1].end:
            continue
        mentions.append(Mention(hit.start, hit.end, "preferred" if hit.entry.role == "preferred" else "topic"))
    return mentions


def decided(reader: ConstraintStanceReader, hits: Iterable[Hit]) -> Iterator[ActVerdict]:
    """Patterns of a kind that decide alone, searched in the sentence of their anchor."""
    for hit in hits:
        if hit.entry.pattern is None or hit.entry.role not in PATTERN_ROLES:
            continue
        clauses, _ = reader.place(hit.start)
        for match in hit.entry.pattern.finditer(reader.text, clauses[0].start, clauses[-1].end):
            sign = 1 if hit.entry.role == "violates" else -1
            if sign > 0:
                sign = meant_sign(reader, *match.span())
            if sign:
                yield ActVerdict(sign, STRONG, *match.span(), "pattern")
            break


def placed(reader: ConstraintStanceReader, hits: Iterable[Hit]) -> Iterator[Hit]:
    """Hits with those of topic patterns replaced by what the pattern matches."""
    for hit in hits:
        if hit.entry.pattern is None:
            yield hit
        elif hit.entry.role not in PATTERN_ROLES:
            clauses, _ = reader.place(hit.start)
            for match in hit.entry.pattern.finditer(reader.text, clauses[0].start, clauses[-1].end):
                yield Hit(*match.span(), hit.entry)
