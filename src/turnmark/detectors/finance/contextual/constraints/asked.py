"""What the user's turn asks for: a thing that is proposed, not one that is ruled out, dreaded or told of the past.

"我不碰杠杆。怎么安排?" names leverage as a rule, "能用杠杆吗?" as a wish. Only a wish is granted by a yes at the head
of a reply: the reply then proposes what the question did, its topic or its number. A yes that goes on to propose
something else is a yes to that, and one that goes on to refuse grants nothing.

Denials are those of the cue engine; a negative question ("why not buy bitcoin?", 要不要买, 사면 안 될까요) denies none.
The words are lists of the packs: ``ask_yes`` (a yes), ``ask_but`` (what holds it back), ``ask_deed`` (what a user asks
to do), ``ask_anyway`` (negative questions), ``ask_rule`` (what rules out or dreads without a denial) and ``ask_past``.
"""

from __future__ import annotations

from collections.abc import Iterable

from turnmark.detectors.finance.contextual.constraints.acts import Acts
from turnmark.detectors.finance.contextual.constraints.clauses import clause, denied
from turnmark.detectors.finance.contextual.constraints.kinds import ParsedConstraint
from turnmark.detectors.finance.contextual.constraints.offers import beyond
from turnmark.detectors.finance.contextual.constraints.plans import Plan
from turnmark.detectors.finance.contextual.constraints.speech_act import MODERATE, ActVerdict
from turnmark.detectors.finance.contextual.constraints.words import Hit
from turnmark.language.analysis import Analysis
from turnmark.language.computed import computed

_HEAD = frozenset(" \n*\"'“")
_ELSEWHERE = ("plan_bond", "plan_cash", "plan_calm", "plan_broad", "plan_other")
_REACH = 160
"""Characters to either side of a word in which its clause is read; a text without stops is one clause."""


class Asked:
    """The user's turn before a reply, in folded offsets of the turn.

    Args:
        acts: What the sentences of the reply do.
        plan: What the turn's own numbers would plan, were they a reply.
        analysis: The turn.

    """

    def __init__(self, acts: Acts, plan: Plan, analysis: Analysis) -> None:
        self._acts = acts
        self._plan = plan
        self._analysis = analysis
        self._text = plan.text
        self._phrases = acts.words.phrases

    def proposes(self, start: int, end: int) -> bool:
        """Whether the turn asks for what a span names; a language without words of acts is taken to."""
        first, last = clause(self._text, start, end)
        asks = self._text[last : last + 1] == "?"
        first, last = max(first, start - _REACH), min(last, end + _REACH)
        if self._phrases["ask_anyway"].within(self._text, first, last):
            return True
        if self._phrases["ask_rule"].within(self._text, first, last):
            return False
        if not asks and self._phrases["ask_past"].within(self._text, first, last):
            return False
        scope = self._analysis.scope(self._analysis.folded.to_original(start, end))
        if scope.negated or scope.warned_against:
            return False
        around = (start if self._acts.words.head_final else first, last)
        return not denied(self._text, around, (start, end), self._analysis.language)

    def proposed(self, hits: Iterable[Hit]) -> list[Hit]:
        """Those of a constraint's words that the turn asks for; none where it only tells of the thing and rules it out.

        "The bank offers dollar deposits. I said that I want nothing overseas." asks for none.
        """
        hits = list(hits)
        wished = [hit for hit in hits if self.proposes(hit.start, hit.end)]
        asked = [each for each in self._plan.acts.sentences if each.asks]
        openly = any(each.start <= hit.start < each.end for hit in wished for each in asked)
        return wished if openly or len(wished) == len(hits) else []

    def wishes(self, start: int, end: int) -> bool:
        """Whether a yes grants what a span names: it is proposed, and not told beside an open question (买什么?)."""
        sentence = next((each for each in self._plan.acts.sentences if each.start <= start < each.end), None)
        stated = sentence is not None and not sentence.asks
        openly = any(
            self._phrases["ask_open"].within(self._text, each.start, each.end)
            for each in self._plan.acts.sentences
            if each.asks
        )
        return not (stated and openly) and self.proposes(start, end)

    @computed
    def deed(self) -> bool:
        """Whether a sentence of the turn asks to do something that is not ruled out."""
        spans = (span for each in self._plan.acts.sentences for span in self._deeds(each.start, each.end))
        return any(self.proposes(*span) for span in spans)

    def _deeds(self, start: int, end: int) -> list[tuple[int, int]]:
        if not self._text[start:end].rstrip(" \n*\"'").endswith("?"):
            return []
        return self._phrases["ask_deed"].all(self._text, start, end)

    @computed
    def granted(self) -> tuple[int, int] | None:
        """The yes at the head of a short reply, in its folded offsets, where the turn asks to do something."""
        acts = self._acts
        if not acts.short or acts.asks_for_facts or not self.deed:
            return None
        head = next((at for at, character in enumerate(acts.text) if character not in _HEAD), 0)
        found = self._phrases["ask_yes"].opens(acts.text, head)
        if found is None or any(each.refuses or each.recalls for each in acts.sentences):
            return None
        return None if self._held_back(found[1]) or self._elsewhere(found[1]) else found

    def _held_back(self, start: int) -> bool:
        return self._phrases["ask_but"].within(self._acts.text, start)

    def _elsewhere(self, start: int) -> bool:
        """Whether what follows the yes proposes something that the turn does not name."""
        for sentence in self._acts.sentences:
            if not sentence.does("urge"):
                continue
            for name in _ELSEWHERE:
                spans = self._phrases[name].all(self._acts.text, max(start, sentence.start), sentence.end)
                if any(self._acts.text[slice(*span)] not in self._text for span in spans):
                    return True
        return False

    def approved(self, asked: ParsedConstraint, hits: Iterable[Hit]) -> ActVerdict | None:
        """The breach of a reply that grants what the turn proposes; ``hits`` are the turn's words of the constraint."""
        if self.granted is None:
            return None
        banned = asked.kind.form == "ban" and any(
            hit.entry.role in ("topic", "faint") and self.wishes(hit.start, hit.end) for hit in hits
        )
        wanted = beyond(self._plan, asked)
        if banned or any(self.proposes(offer.start, offer.end) for offer in wanted):
            return ActVerdict(1, MODERATE, *self.granted, "assented")
        return None
