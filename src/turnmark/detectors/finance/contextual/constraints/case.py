"""One reply judged against constraints: what the words, the quantities and the reply as a whole say of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from turnmark.detectors.finance.contextual.constraints.acts import SHORT_ADVICE, Acts, ActWords
from turnmark.detectors.finance.contextual.constraints.asked import Asked
from turnmark.detectors.finance.contextual.constraints.ban import Mention, judge_mentions
from turnmark.detectors.finance.contextual.constraints.kinds import ParsedConstraint
from turnmark.detectors.finance.contextual.constraints.limits.amounts import Amounts
from turnmark.detectors.finance.contextual.constraints.limits.bounds import SHARES, bounded, enough
from turnmark.detectors.finance.contextual.constraints.limits.falls import borne, told_only
from turnmark.detectors.finance.contextual.constraints.limits.measured import Measured, MeasureWords, QuantityReader
from turnmark.detectors.finance.contextual.constraints.limits.numbers import (
    Limit,
    fee_of_choice,
    fits,
    judge_quantity,
    portfolio_shares,
    positions,
    stated_split,
    with_additions,
)
from turnmark.detectors.finance.contextual.constraints.mentions import (
    apart_from,
    decided,
    left_to_others,
    mentions_of,
    own_hits,
    placed,
    stance_acts,
)
from turnmark.detectors.finance.contextual.constraints.offers import TYPED_FIRST, offered
from turnmark.detectors.finance.contextual.constraints.options import OptionReader
from turnmark.detectors.finance.contextual.constraints.plans import Plan
from turnmark.detectors.finance.contextual.constraints.speech_act import (
    STRONG,
    WEAK,
    ActVerdict,
    decide,
    forewarned,
    in_earnest,
)
from turnmark.detectors.finance.contextual.constraints.stance import ConstraintStanceReader, StanceWords
from turnmark.detectors.finance.contextual.constraints.whole import assented, ordered, recalled
from turnmark.detectors.finance.contextual.constraints.words import ConstraintWords, Entry, Hit
from turnmark.detectors.finance.protocol import Reading
from turnmark.language.computed import computed
from turnmark.packs.rules import ConstraintKind

_ROUND_TRIPS = "short_term_trading"
"""The kind that buying and selling in one sentence is a topic of."""
_OWN = Entry("", "topic")


class ConstraintReading:
    """One reply under judgement; everything is computed once for all constraints."""

    def __init__(
        self,
        reading: Reading,
        asked: Sequence[ParsedConstraint],
        *,
        stance: StanceWords,
        measures: MeasureWords,
        words: ConstraintWords,
        acts: ActWords,
    ) -> None:
        self._reading = reading
        self._act_words = acts
        self._question = reading.user_analysis.folded.text
        self.reader = ConstraintStanceReader(reading.analysis, stance, self._question)
        self.amounts = Amounts(reading.analysis)
        self.asked_amounts = Amounts(reading.user_analysis)
        self._measures = measures
        self.options = OptionReader(self.reader)
        self._segments = reading.analysis.segments
        self._kinds = frozenset(("", *(item.kind.id for item in asked)))
        self._words = words
        self._hits: dict[str, list[Hit]] = {}
        for hit in words.find(self.reader.text, self._kinds):
            self._hits.setdefault(hit.entry.kind, []).append(hit)

    @computed
    def acts(self) -> Acts:
        """What the sentences of the reply do; Chinese stance words are acts too."""
        reader, words = self.reader, self._act_words
        return Acts(
            self._reading.analysis,
            self._reading.user_analysis,
            words,
            stances=lambda: stance_acts(reader) if words.passages_first else [],
            meant=lambda start, end: in_earnest(reader, start, end) and not forewarned(reader, start, end),
        )

    @computed
    def plan(self) -> Plan:
        """The numbers that the reply plans with."""
        return Plan(self.acts, self.amounts, self.asked_amounts)

    @computed
    def asked(self) -> Asked:
        """What the user's turn asks for."""
        turn = self._reading.user_analysis
        words = Acts(turn, turn, self._act_words)
        return Asked(self.acts, Plan(words, self.asked_amounts, self.asked_amounts), turn)

    @computed
    def quantities(self) -> QuantityReader:
        """The amounts of the reply with what they measure."""
        return QuantityReader(self.reader, self.amounts, self.asked_amounts, self._measures)

    @computed
    def _asked_hits(self) -> list[Hit]:
        """The words and measures that the user's question holds."""
        return self._words.find(self._question, self._kinds)

    def judge(self, asked: ParsedConstraint) -> ActVerdict | None:
        """What the reply makes of one constraint; None when it is silent."""
        own = own_hits(asked, self._segments.folded, self._act_words.grades)
        hits = apart_from(self._hits.get(asked.kind.id, []), own)
        judged = [found for each in decided(self.reader, hits) if (found := enough(self.plan, asked, each))]
        named = mentions_of([*placed(self.reader, hits), *own], self.reader)
        mentions = sorted((*named, *self._quantified(asked.kind)))
        if mentions:
            shares = self._shares(mentions)
            judged += judge_mentions(self.reader, mentions, shares, self.options)
        # Sums are compared where offers are.
        if asked.value is not None and asked.kind.form != "ban" and asked.kind.unit != "money":
            judged += self._limit(asked, mentions)
        if asked.kind.measure == "fee":
            judged += fee_of_choice(self.quantities, self.options, self.reader)
        if not judged and self.reader.short:
            judged += self._answer(asked, mentions)
        return decide(judged, short=self.reader.short)

    def said(self, asked: ParsedConstraint, *, alone: bool) -> ActVerdict | None:
        """What the words around its topic say of one constraint, where these are asked before what sentences do."""
        if not self._act_words.passages_first:
            return None
        return self.judge(asked) or (self.recalled() if alone else None)

    def read(self, asked: ParsedConstraint, said: ActVerdict | None, *, alone: bool) -> ActVerdict | None:
        """What the reply makes of one constraint, ``said`` being what the words around its topic say."""
        typed = self._typed(asked) if asked.kind.measure in TYPED_FIRST else None
        if typed and (said is None or said.why != "line_recalled"):
            return typed
        told = self._borne(asked) or self._told(asked, said, alone=alone)
        if told is None or (told.sign < 0 and told.strength == WEAK):
            told = self.asked.approved(asked, self._asked_topics(asked)) or told
        return told or self._typed(asked)

    def _borne(self, asked: ParsedConstraint) -> ActVerdict | None:
        """A fall beyond the limit of one that the reply calls bearable."""
        if asked.kind.measure != "drawdown" or asked.value is None or asked.kind.unit != "percent":
            return None
        return borne(self.plan, asked.value, self.reader.analysis.language)

    def _typed(self, asked: ParsedConstraint) -> ActVerdict | None:
        """What the typed values of a short reply make of a constraint's number."""
        if self.reader.explains and not self.acts.urges_throughout:
            return None
        facts = self.quantities.facts if asked.kind.measure in SHARES else frozenset
        return offered(self.plan, asked, facts, lambda: self._proposes)

    @computed
    def _proposes(self) -> bool:
        """Whether the reply urges, or a sentence that does not ask tells the user to do something."""
        spans = [(each.start, each.end) for each in self.acts.sentences if not each.asks]
        return bool(self.acts.urging) or any(self.reader.acts(*span) for span in spans)

    def _told(self, asked: ParsedConstraint, said: ActVerdict | None, *, alone: bool) -> ActVerdict | None:
        if not self._act_words.passages_first:
            return self._pattern(asked) or self._acted(asked, alone=alone) or self.judge(asked)
        long = len(self.reader.text) > SHORT_ADVICE  # there only words around a topic decide
        if long or (said and said.strength > WEAK and asked.kind.measure not in SHARES):
            return said
        planned = self._planned(asked)
        if planned or (said and said.strength > WEAK):
            return planned or said
        explains = self.reader.explains and not self.acts.urges_throughout
        acted = None if explains else self._acted(asked, alone=alone)
        return acted if acted and (said is None or acted.strength > said.strength) else said

    def _acted(self, asked: ParsedConstraint, *, alone: bool) -> ActVerdict | None:
        """What the sentences of a reply do about one constraint: recall it, plan past it, urge or refuse its topic."""
        kind = asked.kind.id
        own = own_hits(asked, self._segments.folded, self._act_words.grades)
        found = list(placed(self.reader, apart_from(self._hits.get(kind, []), own)))
        asides = [hit for hit in found if hit.entry.role == "aside"]
        hits = [hit for hit in found if not any(aside.start <= hit.start < aside.end for aside in asides)]
        hits += own
        asked_hits = self.asked.proposed(self._asked_topics(asked))
        if kind == _ROUND_TRIPS:
            trips = self.acts.words.signs["act_round_trip"].finditer(self.reader.text)
            hits += [Hit(*match.span(), _OWN) for match in trips]
        recalled = self.acts.recalled(asked, hits, alone=alone)
        kept = self.acts.kept(hits) if asked.grades else None
        return recalled or bounded(self.plan, asked) or kept or self.acts.taken(hits, asked_hits)

    def _planned(self, asked: ParsedConstraint) -> ActVerdict | None:
        """What a plan that hands out the whole makes of a constraint on shares: its sums, whatever words say."""
        if asked.kind.measure not in SHARES or not self.reader.short or not self.plan.complete:
            return None
        return self.acts.recalled(asked, (), alone=False) or bounded(self.plan, asked)

    def _pattern(self, asked: ParsedConstraint) -> ActVerdict | None:
        """What a pattern that decides alone says of one constraint, in a reply that recalls no rule."""
        if any(sentence.recalls for sentence in self.acts.sentences):
            return None
        found = next(iter(decided(self.reader, self._hits.get(asked.kind.id, []))), None)
        return found and enough(self.plan, asked, found)

    def recalled(self) -> ActVerdict | None:
        """Where a short reply holds something against the user's rules without naming what; of one rule only."""
        reader = self.reader
        if not reader.short or reader.explains:
            return None
        against = next((cue for cue in reader.cues if cue.kind in ("conflict", "honour") and cue.sign < 0), None)
        if against is None or reader.overall() > 0:
            return None
        return ActVerdict(-1, WEAK, against.start, against.end, "rule_recalled")

    def _quantified(self, kind: ConstraintKind) -> list[Mention]:
        """Quantities that are the topic: a valuation, a market value, a fee beyond what the kind says."""
        condition = kind.quantity
        if condition is None or condition.value is None or not self.reader.short:
            return []
        above = condition.compare in ("above", "at_least")
        results = []
        for index in range(len(self._segments.sentences)):
            for item in self.quantities.sentence(index):
                beyond = item.low >= condition.value if above else item.high <= condition.value
                named = item.measure == condition.measure or (item.measure == "" and kind.unit == "fold")
                if named and item.unit in (kind.unit, "", "times_earnings") and beyond:
                    results.append(Mention(min(item.start, item.word_start), max(item.end, item.word_end), "topic"))
        return results

    def _shares(self, mentions: Sequence[Mention]) -> list[Measured]:
        """Shares of the portfolio, and sums of money, in the sentences of the mentions."""
        spans = [(mention.start, mention.end) for mention in mentions]
        return [item for item in self._items(spans) if item.share]

    def _items(self, spans: Iterable[tuple[int, int]]) -> list[Measured]:
        """The quantities of the sentences in which any span stands; for the head of a table's row, of the row."""
        segments, folded = self._segments, self._segments.folded
        indexes: set[int] = set()
        for span in spans:
            index = segments.sentence_index(folded.to_original(*span)[0])
            indexes.add(index)
            block = segments.sentences[index].block
            if segments.blocks[block].kind == "table_cell":
                head = segments.blocks[block]
                while index + 1 < len(segments.sentences):
                    index += 1
                    other = segments.blocks[segments.sentences[index].block]
                    if other.row_header is None or other.row_header[0] != head.content_start:
                        break
                    indexes.add(index)
        return [item for index in sorted(indexes) for item in self.quantities.sentence(index)]

    def _limit(self, asked: ParsedConstraint, mentions: Sequence[Mention]) -> list[ActVerdict]:
        """What the quantities of the reply say of a limit."""
        kind, value = asked.kind, asked.value or 0.0
        limit = Limit(value, kind.form == "floor", kind.measure)
        chosen = self._measured(asked, limit, mentions)
        judged: list[ActVerdict] = []
        if kind.measure == "equity":
            split = stated_split(self.reader.text)
            if split:
                start, end, share = split
                judged.append(ActVerdict(1 if share > value else -1, STRONG, start, end, "split"))
            total = portfolio_shares(chosen, "equity") if self.reader.short else None
            if total:
                entry = judge_quantity(self.reader, total[0], limit, total[1])
                return [*judged, entry] if entry else judged
        if kind.measure in ("asset", "fund"):
            judged += positions(self.reader, limit)
            chosen = with_additions(chosen)
        elif kind.measure == "cash":
            # Everything in leaves nothing of what is to be kept.
            judged += positions(self.reader, limit._replace(value=100.0 - value))
        elif kind.measure == "equity" and any(hit.entry.role == "equity" for hit in self._hits.get("", ())):
            judged += positions(self.reader, limit)
        for item in chosen:
            if self.options.chosen and self.options.at(item.start) == self.options.chosen and item.high > value:
                judged.append(ActVerdict(1, STRONG, item.word_start, item.end, "option_chosen"))
                continue
            entry = judge_quantity(self.reader, item, limit, item.low if limit.floor else item.high)
            if entry and not (entry.sign > 0 and kind.measure == "drawdown" and told_only(self.acts, self.reader)):
                judged.append(entry)
        return judged

    def _measured(self, asked: ParsedConstraint, limit: Limit, mentions: Sequence[Mention]) -> list[Measured]:
        """The quantities that measure what the constraint limits; of several options, those of the chosen one."""
        kind, reader = asked.kind, self.reader
        if reader.short:
            items = [item for index in range(len(self._segments.sentences)) for item in self.quantities.sentence(index)]
        else:
            spans = [(hit.start, hit.end) for hit in self._hits.get("", ()) if hit.entry.role == kind.measure]
            items = self._items([*spans, *((mention.start, mention.end) for mention in mentions)])
        chosen = [item for item in items if item.unit == kind.unit and fits(reader, item, kind, limit, asked.own)]
        if self.options.chosen:
            chosen = [item for item in chosen if self.options.at(item.start) in ("", self.options.chosen)]
        if kind.measure in ("equity", "cash") and reader.short and not chosen:
            return self._asked_share(items, kind.measure)
        several = kind.measure == "equity" and any(item.share and item.high > limit.value for item in chosen)
        if several and not reader.short:  # portfolios for several profiles: only what is capped is said of all
            return [item for item in chosen if item.comparator in ("at_most", "less_than")]
        return chosen

    def _asked_share(self, items: Sequence[Measured], measure: str) -> list[Measured]:
        """Shares that name nothing, where the user asked about this measure (仓位要不要提 … 提到八成)."""
        asked = any(hit.entry.role == measure and not hit.entry.kind for hit in self._asked_hits)
        fitting = ("", "position", measure) if asked else ()
        return [item._replace(measure=measure) for item in items if item.share and item.measure in fitting]

    def _answer(self, asked: ParsedConstraint, mentions: Sequence[Mention]) -> list[ActVerdict]:
        """A short reply that speaks of the topic, or answers a question about it, without a clear word on it.

        Its overall stance is about the topic; without any, telling the user to act amounts to endorsing it.
        """
        if asked.kind.form != "ban":
            return []
        topics = [mention for mention in mentions if mention.role == "topic"]
        if self.reader.explains:
            about = topics or self._asked_about(asked)
            return recalled(self.reader) if about and self.reader.overall() <= 0 else []
        preferred = next((mention for mention in mentions if mention.role == "preferred"), None)
        if preferred and not topics:
            clauses, position = self.reader.place(preferred.start)
            if self.options.chosen or self.reader.acts(clauses[position].start, clauses[position].end):
                return [ActVerdict(-1, WEAK, preferred.start, preferred.end, "preferred")]
        if not topics and (not self._asked_about(asked) or self._explained(asked.kind)):
            return []
        wanted = self._asked_for(asked)
        assent = assented(self.reader) if wanted else None
        if assent:
            return [assent]
        judged = self._overall(topics[0] if topics else None)
        return judged if topics or wanted else [each for each in judged if each.sign < 0]

    def _overall(self, first: Mention | None) -> list[ActVerdict]:
        """The stance of the reply as a whole, then the user's rule recalled, then its tone, then a call to act."""
        reader = self.reader
        acts = reader.acts(0, len(reader.text))
        sign = reader.overall()
        cues = [cue for cue in reader.cues if cue.sign * sign > 0 and not (sign > 0 and reader.asked_at(cue.start))]
        plain = ordered(reader, self._question, sign) or (recalled(self.reader) if not sign else [])
        if plain:
            return plain
        earnest = in_earnest(reader, first.start, first.end) if first else acts and in_earnest(reader, *acts.span())
        if not sign and acts:
            sign = reader.tone()
            if sign > 0 and not earnest:
                return []
            kinds = ("urging", "praise") if sign > 0 else ("sober", "danger")
            cues = [cue for cue in reader.cues if cue.kind in kinds]
        if sign > 0 and first and left_to_others(reader, first):
            return []
        if sign and cues:
            return [ActVerdict(sign, WEAK, cues[0].start, cues[0].end, "answer")]
        if acts and earnest:
            start, end = acts.span()
            return [ActVerdict(1, WEAK, min(first.start, start) if first else start, end, "acted_on")]
        return []

    def _asked_topics(self, asked: ParsedConstraint) -> Iterator[Hit]:
        """The words of a constraint that the user's turn holds, whatever it says of them."""
        for hit in self._asked_hits:
            pattern = hit.entry.pattern
            if hit.entry.kind == asked.kind.id and (pattern is None or pattern.search(self._question) is not None):
                yield hit
        yield from own_hits(asked, self._reading.user_analysis.folded, self._act_words.grades)

    def _asked_about(self, asked: ParsedConstraint) -> bool:
        """Whether the user's turn names the topic."""
        return any(hit.entry.role in ("topic", "faint") for hit in self._asked_topics(asked))

    def _asked_for(self, asked: ParsedConstraint) -> bool:
        """Whether it asks for the topic."""
        topics = (hit for hit in self._asked_topics(asked) if hit.entry.role in ("topic", "faint"))
        return any(self.asked.wishes(hit.start, hit.end) for hit in topics)

    def _explained(self, kind: ConstraintKind) -> bool:
        """Whether the reply explains a word of the topic."""
        return any(self.reader.is_defined(hit.end) for hit in self._hits.get(kind.id, ()) if not hit.entry.pattern)
