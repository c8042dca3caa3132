"""Constraints that rule something out: whether the reply endorses the topic, advises against it or only names it.

Each mention of the topic is judged where it stands. Its own clause speaks loudest: a negation in front of it, a stance
word, a share of the portfolio given to it, the user's rule recalled. Where the clause is silent the sentence speaks,
and in a short reply the reply as a whole. One loud endorsement breaks the constraint whatever disclaimer follows; a
faint one loses against a loud refusal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from turnmark.detectors.finance.contextual.constraints.limits.measured import Measured
from turnmark.detectors.finance.contextual.constraints.options import OptionReader
from turnmark.detectors.finance.contextual.constraints.speech_act import (
    MODERATE,
    STRONG,
    WEAK,
    ActVerdict,
    forewarned,
    in_earnest,
    negation,
)
from turnmark.detectors.finance.contextual.constraints.stance import ConstraintStanceReader, Cue, Span

_JOINT, _REFUSED_GAP, _PRICE_GAP, _CLASSED = 2, 8, 6, 4
_PRONOUNS = "它这该"
_INTO = "它这该去,。;!"
"""What follows 换进 where it is the mention that money goes into: a pronoun, or nothing."""


class Mention(NamedTuple):
    """A word of the topic; ``role`` is ``topic`` or ``preferred``."""

    start: int
    end: int
    role: str


def judge_mentions(
    reader: ConstraintStanceReader,
    mentions: Sequence[Mention],
    shares: Sequence[Measured],
    options: OptionReader,
) -> list[ActVerdict]:
    """What a reply makes of each mention; mentions it only names are left out. ``shares`` are allocations."""
    judged: list[ActVerdict] = []
    parts = _parts(reader, mentions)
    before: tuple[Mention, ActVerdict] | None = None
    for mention in mentions:
        result = _of_option(options, mention)
        if result is None and before and _joined(reader, before[0], mention):
            result = before[1]._replace(end=mention.end)
        if result is None:
            result = _judge(reader, mention, parts, shares)
        before = (mention, result) if result else None
        if result is None:
            continue
        if mention.role == "preferred":
            classed = reader.ends("classed", max(0, mention.start - _CLASSED), mention.start)
            if classed or result.why in ("danger", "reply") or (result.sign < 0 and result.strength < STRONG):
                continue
            result = result._replace(sign=-result.sign, strength=result.strength if result.sign > 0 else MODERATE)
        meant = _as_meant(reader, mention, result) if result.sign > 0 else result
        if meant:
            judged.append(meant)
    return judged


def _as_meant(reader: ConstraintStanceReader, mention: Mention, found: ActVerdict) -> ActVerdict | None:
    """A breach once it is asked whether the reply means it, of this user, and not to warn."""
    if found.strength < STRONG and _price_of_more(reader, mention):
        return None
    if not in_earnest(reader, mention.start, mention.end):
        return _turned_away(reader, mention)
    if forewarned(reader, mention.start, mention.end):
        return found._replace(sign=-1, strength=MODERATE, why="forewarned")
    return found


def _joined(reader: ConstraintStanceReader, first: Mention, second: Mention) -> bool:
    """Whether two mentions stand side by side (高抛低吸做T, 两融和配资) and share what is said of the first."""
    return (
        first.role == second.role
        and 0 <= second.start - first.end <= _JOINT
        and reader.joins("joint", first.end, second.start)
    )


def _of_option(options: OptionReader, mention: Mention) -> ActVerdict | None:
    """A mention that describes one of several options is chosen or left with it."""
    if not options.chosen:
        return None
    name = options.at(mention.start)
    if not name:
        return None
    if name == options.chosen:
        return ActVerdict(1, STRONG, mention.start, mention.end, "option_chosen")
    return ActVerdict(-1, MODERATE, mention.start, mention.end, "option_left") if mention.role == "topic" else None


def _judge(
    reader: ConstraintStanceReader, mention: Mention, parts: frozenset[Cue], shares: Sequence[Measured]
) -> ActVerdict | None:
    clauses, position = reader.place(mention.start)
    clause = clauses[position]
    own_clause = _own_clause(reader, mention, parts, clause, shares)
    loose = reader.loosened(clause.start, clauses[-1].end)
    if loose and own_clause and own_clause.sign < 0 and mention.role == "topic":
        return ActVerdict(1, STRONG, min(mention.start, loose.start), max(mention.end, loose.end), "loosened")
    if own_clause and own_clause.sign > 0:
        conflict = _conflict(reader, clauses, mention)
        if conflict:
            return conflict
        first = clauses[max(0, position - 1)].start  # 基金里,宁德时代占4%
        held = own_clause.why == "allocated" and reader.sign("held", first, clause.end)
        if held or (own_clause.why == "allocated" and reader.overall() < 0):
            # What a product holds is not yet what the user is told to hold: the words around decide.
            return _around(reader, mention, clauses, position, ())
    return own_clause or _around(reader, mention, clauses, position, shares) or _praised(reader, mention, clause)


def _praised(reader: ConstraintStanceReader, mention: Mention, clause: Span) -> ActVerdict | None:
    """Praise in the mention's clause that nothing around contradicts."""
    sign = reader.stance(clause)
    return ActVerdict(sign, MODERATE, mention.start, clause.end, "praised") if sign > 0 and reader.short else None


def _conflict(reader: ConstraintStanceReader, clauses: Sequence[Span], mention: Mention) -> ActVerdict | None:
    """A word that says the thing does not fit the user, later in the sentence and not loosened."""
    cues = reader.within(mention.end, clauses[-1].end)
    if reader.loosened(clauses[0].start, clauses[-1].end):
        return None
    against = next((cue for cue in cues if cue.kind in ("conflict", "honour") and cue.sign < 0), None)
    return ActVerdict(-1, STRONG, mention.start, against.end, "conflict") if against else None


def _own_clause(
    reader: ConstraintStanceReader,
    mention: Mention,
    parts: frozenset[Cue],
    clause: Span,
    shares: Sequence[Measured],
) -> ActVerdict | None:
    """What the mention's own clause says: a negation, a swap, stance words, a refusal behind it, a share given it."""
    start, end = mention.start, mention.end
    negated = negation(reader, clause.start, start, end)
    if negated:
        odd, first = negated
        return ActVerdict(-1 if odd else 1, STRONG, first, end, "negated" if odd else "double_negation")
    cues = [cue for cue in reader.within(clause.start, clause.end) if cue not in parts]
    swap = next((cue for cue in cues if cue.kind == "swap"), None)
    if swap:
        # What is swapped in is endorsed, what stands before is given up, unless a pronoun points back to it.
        if swap.end <= start or reader.text[swap.end : swap.end + 1] in _PRONOUNS:
            return ActVerdict(1, STRONG, min(start, swap.start), max(end, swap.end), "chosen")
        return ActVerdict(-1, MODERATE, start, swap.end, "replaced")
    if mention.role == "preferred":
        # What the user asked for: recalling the rule speaks for it; being worse than the rest speaks against it.
        cues = [cue._replace(sign=-cue.sign) if cue.kind in ("honour", "relax") else cue for cue in cues]
        if reader.ends("beaten", max(clause.start, start - 4), start):
            return ActVerdict(-1, STRONG, max(clause.start, start - 2), end, "beaten")
    if any(cue.kind == "hearsay" for cue in cues):
        return None
    given = shares if reader.short else ()  # in a long reply a number beside a topic is as often a fact
    return _by_stance(reader, mention, clause, cues) or _by_share(mention, clause, cues, given)


def _by_stance(
    reader: ConstraintStanceReader, mention: Mention, clause: Span, cues: Sequence[Cue]
) -> ActVerdict | None:
    """What the stance words of the mention's clause say; praise alone decides nothing here."""
    start, end = mention.start, mention.end
    signs = [cue for cue in cues if cue.sign and cue.kind != "praise"]
    total = sum(cue.sign for cue in signs)
    if any(cue.kind == "relax" and cue.sign > 0 for cue in signs):
        total = max(total, 1)
    first = min([start, *(cue.start for cue in signs)])
    last = max([end, *(cue.end for cue in signs)])
    if total < 0:
        urged = reader.sign("dont_shun", clause.start, start) and signs[-1].start >= end
        return ActVerdict(1 if urged else -1, STRONG, first, last, "double_negation" if urged else "advised_against")
    refused = None if total else reader.behind("refused_after", end, min(clause.end, end + _REFUSED_GAP + 3))
    if refused and refused[0] - end <= _REFUSED_GAP:
        return ActVerdict(-1, STRONG, start, refused[1], "advised_against")
    if total > 0 and not reader.asks(clause) and not any(cue.kind == "seems" for cue in cues):
        return ActVerdict(1, STRONG, first, last, "endorsed")
    return None


def _by_share(mention: Mention, clause: Span, cues: Sequence[Cue], shares: Sequence[Measured]) -> ActVerdict | None:
    """A share of the portfolio given to the mention in its clause endorses it; a share of nothing does not."""
    share = next((item for item in shares if clause.start <= item.start < clause.end), None)
    if share is None or any(cue.sign and cue.kind != "praise" for cue in cues):
        return None
    sign = 1 if share.high > 0 else -1
    return ActVerdict(sign, STRONG, min(mention.start, share.start), max(mention.end, share.end), "allocated")


def _parts(reader: ConstraintStanceReader, mentions: Sequence[Mention]) -> frozenset[Cue]:
    """Stance words that are only part of a topic word (低吸 in 高抛低吸)."""
    return frozenset(
        cue
        for mention in mentions
        for cue in reader.within(mention.start, mention.end)
        if cue.end <= mention.end and (cue.end - cue.start) < (mention.end - mention.start)
    )


def _around(
    reader: ConstraintStanceReader, mention: Mention, clauses: Sequence[Span], place: int, shares: Sequence[Measured]
) -> ActVerdict | None:
    """The nearest clause of the sentence with a stance, those behind first; then, in a short reply, other sentences."""
    order = [*clauses[place + 1 :], *reversed(clauses[:place])]
    for clause in order:
        other_clause = _other_clause(reader, mention, clause)
        if other_clause:
            return other_clause
    for share in shares:
        behind = any(
            clause.start <= share.start < clause.end and not reader.sign("held", clause.start, clause.end)
            for clause in clauses[place + 1 :]
        )
        if behind and share.measure in ("", "position", "banned") and share.high > 0:
            return ActVerdict(1, MODERATE, mention.start, share.end, "allocated")
    sign = reader.overall()
    if sign:
        return ActVerdict(sign, WEAK, mention.start, mention.end, "reply")
    for clause in (clauses[place], *order):
        danger = next((cue for cue in reader.within(clause.start, clause.end) if cue.kind == "danger"), None)
        if danger:
            return ActVerdict(-1, WEAK, min(danger.start, mention.start), max(danger.end, mention.end), "danger")
    return None


def _other_clause(reader: ConstraintStanceReader, mention: Mention, clause: Span) -> ActVerdict | None:
    """What another clause of the sentence says of the mention."""
    if clause.start > mention.start:
        swap = next((cue for cue in reader.within(clause.start, clause.end) if cue.kind == "swap"), None)
        if swap:
            back = reader.text[swap.end : swap.end + 1] in _INTO
            return ActVerdict(1 if back else -1, MODERATE, mention.start, swap.end, "chosen" if back else "replaced")
        if reader.follows("instead", clause.start, clause.end):
            return ActVerdict(-1, MODERATE, mention.start, clause.end, "replaced")
    sign = reader.stance(clause)
    if not sign:
        return None
    return ActVerdict(sign, MODERATE, min(mention.start, clause.start), max(mention.end, clause.end), "sentence")


def _price_of_more(reader: ConstraintStanceReader, mention: Mention) -> bool:
    """Whether a mention is only named as the price of a higher return."""
    clauses, _ = reader.place(mention.start)
    told = reader.sign("price_of_more", clauses[0].start, mention.start)
    return told is not None and mention.start - told.end() <= _PRICE_GAP


def _turned_away(reader: ConstraintStanceReader, mention: Mention) -> ActVerdict | None:
    """What is said for others or by others, and then turned away from this user in the same sentence."""
    clauses, position = reader.place(mention.start)
    for clause in clauses[position + 1 :]:
        if reader.stance(clause) < 0:
            return ActVerdict(-1, MODERATE, mention.start, clause.end, "turned_away")
    return None
