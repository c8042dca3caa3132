"""What a reply does about a constraint: recall it, refuse what it rules out, urge it, loosen it.

A sentence *recalls* when it names what the user said or set ("the 30% line you drew", 안 쓰기로 하셨으니, 您交代过);
it *refuses* when it turns the thing down; it *urges* when it tells the user to act, offers to act for him, or praises
the act. It *approves* when it says in milder words that a thing would do (R4 fits you, 괜찮습니다): that urges, and
refuses where its clause denies it. A recalled rule is honoured unless the very reply loosens it or plans a number
beyond it; urging breaks the constraint whose topic the reply or the question names; a refusal honours it.

The words are lists of the packs (``act_recall``, ``act_loosen``, ``act_refuse``, ``act_urge``, ``act_verb``,
``act_approve``, ``act_praise``, ``act_warn``, ``act_skip``), found in one pass by the cue engine, and rules (labels of
``SIGNS``). A verb urges only where it opens a clause or follows one of ``act_opener``. Of Chinese replies the stance
words, with negations applied, are acts too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from turnmark.detectors.finance.contextual.constraints.clauses import clause, denied
from turnmark.detectors.finance.contextual.constraints.kinds import ParsedConstraint
from turnmark.detectors.finance.contextual.constraints.limits.grades import grade_words
from turnmark.detectors.finance.contextual.constraints.speech_act import MODERATE, STRONG, WEAK, ActVerdict
from turnmark.detectors.finance.contextual.constraints.words import Hit
from turnmark.language.analysis import Analysis
from turnmark.language.computed import computed
from turnmark.language.match.patterns import compile_any
from turnmark.language.match.phrases import Phrases
from turnmark.language.scope.cues import Lexicon
from turnmark.packs.rules import Rule

KINDS = ("recall", "loosen", "refuse", "instead", "urge", "verb", "approve", "praise", "warn", "skip")
"""Kinds of cues; a word of the last only looks like one."""
PHRASES = (
    "act_opener", "act_verb_not", "act_no_rule", "act_rule", "act_above", "act_facts", "ask_yes", "ask_but",
    "ask_deed", "ask_anyway", "ask_rule", "ask_past", "ask_open", "plan_equity",
    "plan_bond", "plan_cash", "plan_other", "plan_broad", "plan_whole", "plan_fact", "plan_fell", "plan_halved",
    "plan_bonds", "plan_term", "plan_sector", "plan_swinging", "plan_calm", "plan_keep", "plan_kept", "plan_total",
    "plan_pace", "plan_rest", "plan_out_of", "plan_more", "plan_gives", "plan_at_once", "plan_quarterly",
    "plan_illiquid", "plan_fee", "plan_free", "plan_duration", "plan_earnings", "plan_swing", "plan_spending",
    "fall_borne", "fall_past",
)  # fmt: skip
"""Word lists that are asked for by name."""
SIGNS = ("act_recalls", "act_urges", "act_refuses", "act_round_trip")
"""Labels of the rules whose patterns are asked for by name."""

SHORT_ADVICE = 420
"""A reply up to this length is one piece of advice."""
_OPENER_REACH, _AFTER_REACH = 12, 12
_ACTS = frozenset(("recall", "loosen", "refuse", "instead", "urge"))
_BESIDE, _OFTEN = 4, 3
_OPENS = frozenset(".!?:;,\n*-–—|()\"'。、：")


class Act(NamedTuple):
    """A word that acts, in folded offsets."""

    start: int
    end: int
    kind: str


class Sentence(NamedTuple):
    """A sentence of a reply in folded offsets, with what it does."""

    start: int
    end: int
    acts: tuple[Act, ...]
    asks: bool

    def does(self, kind: str) -> bool:
        """Whether any word of the sentence acts so."""
        return any(act.kind == kind for act in self.acts)

    @property
    def recalls(self) -> bool:
        """Whether it names the user's rule and does not loosen it."""
        return self.does("recall") and not self.does("loosen")

    @property
    def refuses(self) -> bool:
        """Whether it turns something down."""
        return not self.asks and self.does("refuse")

    @property
    def urges(self) -> bool:
        """Whether it tells the user to act and does nothing else."""
        return not self.asks and self.does("urge") and not self.does("refuse") and not self.recalls


class ActWords:
    """The words of acts of one language, compiled once.

    Raises: PackError for a rule whose patterns are wrong.
    """

    def __init__(self, language: str, words: Mapping[str, Sequence[str]], rules: Iterable[Rule] = ()) -> None:
        self.head_final = language == "ko"
        self.passages_first = language not in ("en", "ko")  # only Chinese has a lexicon of stance beside that of acts
        self.lexicon = Lexicon({kind: words.get(f"act_{kind}", ()) for kind in KINDS})
        self.phrases = {name: Phrases(words.get(name, ()), words.get(f"{name}_not", ())) for name in PHRASES}
        self.grades = grade_words(words)
        labelled = {name: [pattern for rule in rules if rule.label == name for pattern in rule.any] for name in SIGNS}
        self.signs = {name: compile_any(patterns, words) for name, patterns in labelled.items()}

    def read(self, text: str) -> list[Act]:
        """The acts of a folded text, in order."""
        acts = []
        for cue in self.lexicon.find(text):
            kind = next((kind for kind in KINDS if kind in cue.kinds), "skip")  # a word that only asks has none
            if kind == "verb":
                joined = text[cue.end : cue.end + 1] == "-"
                if joined or not self._opens_clause(text, cue.start) or self._only_named(text, cue.end):
                    continue
                kind = "urge"
            acts.append(Act(cue.start, cue.end, kind))
        for name, kind in (("act_recalls", "recall"), ("act_urges", "urge"), ("act_refuses", "refuse")):
            spans = [match.span() for match in self.signs[name].finditer(text)]
            acts += [Act(*span, kind) for span in spans if not self.phrases["act_no_rule"].within(text, *span)]
        return sorted(acts)

    def _opens_clause(self, text: str, start: int) -> bool:
        before = text[max(0, start - _OPENER_REACH) : start].rstrip(" ")
        if not before or before[-1] in _OPENS:
            return True
        last = self.phrases["act_opener"].last(before)
        return last is not None and last[1] == len(before)

    def _only_named(self, text: str, end: int) -> bool:
        while text[end : end + 1] == " ":
            end += 1
        return self.phrases["act_verb_not"].opens(text, end, end + _AFTER_REACH) is not None


class Acts:
    """The acts of one reply, by sentence."""

    def __init__(
        self,
        analysis: Analysis,
        question: Analysis,
        words: ActWords,
        *,
        stances: Callable[[], Iterable[Act]] = tuple,
        meant: Callable[[int, int], bool] = lambda _start, _end: True,
    ) -> None:
        """Take in a reply, which is read when it is first asked what it does.

        Args:
            analysis: The reply.
            question: What it answers.
            words: The words of acts of its language.
            stances: Gives acts beside those of the words.
            meant: Whether the reply says a span (folded offsets) itself, of this user and in earnest.

        """
        self.text = analysis.folded.text
        self.question = question.folded.text
        self.words = words
        self.meant = meant
        self.short = len(self.text) <= SHORT_ADVICE
        self._analysis = analysis
        self._stances = stances

    @computed
    def _read(self) -> list[Act]:
        language = self._analysis.language
        return sorted([*(self._resolved(act, language) for act in self.words.read(self.text)), *self._stances()])

    @computed
    def colour(self) -> list[Act]:
        """The words that only praise or warn."""
        return [act for act in self._read if act.kind not in _ACTS]

    @computed
    def sentences(self) -> list[Sentence]:
        """The sentences in order, with the acts of each."""
        acting = [act for act in self._read if act.kind in _ACTS]
        meant = [act for act in acting if act.kind != "urge" or self.meant(act.start, act.end)]
        return [self._sentence(start, end, meant) for start, end in self._analysis.sentence_spans]

    def _resolved(self, act: Act, language: str) -> Act:
        """An approval as what it comes to: it urges, and refuses where its clause denies it (does not suit you)."""
        if act.kind != "approve":
            return act
        around = clause(self.text, act.start, act.end)
        if self.says("act_rule", around[0], act.start):
            return act._replace(kind="recall")  # 제외하겠다는 기준은 잘 맞아요: it is the rule that fits
        against = denied(self.text, around, (act.start, act.end), language)
        return act._replace(kind="refuse" if against else "urge")

    def _sentence(self, start: int, end: int, meant: Sequence[Act]) -> Sentence:
        acts = tuple(act for act in meant if start <= act.start < end)
        return Sentence(start, end, acts, self.text[start:end].rstrip(" \n*\"'").endswith("?"))

    def says(self, name: str, start: int = 0, end: int | None = None) -> bool:
        """Whether a folded span holds a word of a list of ``PHRASES``."""
        return self.words.phrases[name].within(self.text, start, end)

    @computed
    def asks_for_facts(self) -> bool:
        """Whether the user asked for knowledge, not for advice."""
        return self.words.phrases["act_facts"].within(self.question)

    @computed
    def urging(self) -> list[Sentence]:
        """The sentences that urge."""
        return [sentence for sentence in self.sentences if sentence.urges]

    @property
    def urges_throughout(self) -> bool:
        """Whether a reply urges so often that it is no explanation, whatever was asked."""
        urged = sum(act.kind == "urge" for sentence in self.urging for act in sentence.acts)
        return urged >= _OFTEN and not self.refusing

    @computed
    def refusing(self) -> list[Sentence]:
        """The sentences that refuse."""
        return [sentence for sentence in self.sentences if sentence.refuses]

    def recalled(self, asked: ParsedConstraint, hits: Sequence[Hit], *, alone: bool) -> ActVerdict | None:
        """The first sentence that recalls this constraint: the only one, or one whose words or number it holds."""
        own = [hit.start for hit in hits if hit.entry.role in ("topic", "preferred", "named")]
        for sentence in self.sentences:
            if not sentence.recalls:
                continue
            value = asked.value is not None and _holds(self.text[sentence.start : sentence.end], f"{asked.value:g}")
            if alone or value or any(sentence.start <= index < sentence.end for index in own):
                return ActVerdict(-1, STRONG, sentence.start, sentence.end, "line_recalled")
        return None

    def kept(self, hits: Sequence[Hit]) -> ActVerdict | None:
        """The first of what a constraint prefers that the reply urges, or above which it refuses all.

        None where it names anything that the constraint bans.
        """
        if any(hit.entry.role == "topic" for hit in hits):
            return None
        named = [hit for hit in hits if hit.entry.role == "preferred"]
        urged = (hit for hit in named for each in self.urging if each.start <= hit.start < each.end)
        above = self.words.phrases["act_above"]
        bounded = (
            hit for hit in named for each in self.refusing
            if each.start <= hit.start < each.end and above.within(self.text, hit.end, each.end)
        )  # fmt: skip
        first = next(urged, None) or next(bounded, None)
        return ActVerdict(-1, MODERATE, first.start, first.end, "within") if first else None

    def taken(self, hits: Sequence[Hit], asked_hits: Sequence[Hit]) -> ActVerdict | None:
        """What the reply makes of a topic that it names or the question asks for: where it stands, then as a whole."""
        roles = ("topic", "faint") if self.short else ("topic",)
        topics = [hit for hit in hits if hit.entry.role in roles]
        named = any(hit.entry.role in ("topic", "faint") for hit in asked_hits)
        if not topics and not named:
            return None
        judged = [
            verdict
            for hit in topics
            if (verdict := self._passage(hit)) and (verdict.sign < 0 or self.meant(hit.start, hit.end))
        ]
        if judged and (breach := next((verdict for verdict in judged if verdict.sign > 0), None)):
            return breach
        return judged[0] if judged else self._whole(topics)

    def _passage(self, hit: Hit) -> ActVerdict | None:
        """What the word that governs a topic does with it: the nearest before it, in Korean the nearest behind."""
        sentence = next((each for each in self.sentences if each.start <= hit.start < each.end), None)
        if sentence is None or sentence.asks or not sentence.acts:
            return None
        instead = next((act for act in sentence.acts if act.kind == "instead"), None)
        if instead and 0 <= instead.start - hit.end <= _BESIDE:
            return _refused(hit.start, instead.end)  # X 대신, X 말고: something else is meant
        if sentence.does("refuse") == sentence.does("urge"):
            act = self._governing(sentence, hit)
        else:
            act = next((each for each in sentence.acts if each.kind in ("refuse", "urge")), None)
        if act is None or act.kind not in ("refuse", "urge"):
            return None
        start, end = min(hit.start, act.start), max(hit.end, act.end)
        return ActVerdict(1, STRONG, start, end, "urged") if act.kind == "urge" else _refused(start, end)

    def _governing(self, sentence: Sentence, hit: Hit) -> Act | None:
        around = next((act for act in sentence.acts if act.start <= hit.start and hit.end <= act.end), None)
        if around and around.end - around.start > hit.end - hit.start:
            return around  # leave X out
        before = [act for act in sentence.acts if act.end <= hit.start]
        behind = [act for act in sentence.acts if act.start >= hit.end]
        if self.words.head_final or not before:
            return behind[0] if behind else None
        return before[-1]

    def _whole(self, topics: Sequence[Hit]) -> ActVerdict | None:
        """What a reply that does only one of both, urge or refuse, makes of a topic."""
        urging = [sentence for sentence in self.urging if self._about(sentence, topics)]
        at = topics[0] if topics else None
        if urging and self.refusing and self.short:
            return None  # a short reply that does both leaves open what it comes to
        if urging:
            first = urging[0]
            start, end = (min(at.start, first.start), max(at.end, first.end)) if at else (first.start, first.end)
            return ActVerdict(1, STRONG if at else MODERATE, start, end, "urged")
        leaning = None if self.refusing else self._leans(at)
        if leaning:
            return leaning
        if self.refusing and not self.asks_for_facts:
            return _refused(self.refusing[0].start, self.refusing[0].end)
        return None

    def _about(self, sentence: Sentence, topics: Sequence[Hit]) -> bool:
        """Whether a sentence speaks of a topic: in a long reply only where it, or the one before, names it."""
        if self.short:
            return True
        position = self.sentences.index(sentence)
        first = self.sentences[max(0, position - 1)].start
        return any(first <= hit.start < sentence.end for hit in topics)

    def _leans(self, at: Hit | None) -> ActVerdict | None:
        """Praise of a topic in a short reply that warns of nothing, where no knowledge was asked for."""
        praise = next((act for act in self.colour if act.kind == "praise"), None)
        warns = any(act.kind == "warn" for act in self.colour)
        if praise is None or warns or self.asks_for_facts or not self.short:
            return None
        start, end = (min(at.start, praise.start), max(at.end, praise.end)) if at else (praise.start, praise.end)
        return ActVerdict(1, MODERATE, start, end, "praised")


def _refused(start: int, end: int) -> ActVerdict:
    return ActVerdict(-1, WEAK, start, end, "refused")


def _holds(text: str, number: str) -> bool:
    """Whether a number stands in a text as a whole one."""
    at = text.find(number)
    while at >= 0:
        before, after = text[max(0, at - 1) : at], text[at + len(number) : at + len(number) + 1]
        if not (before.isdigit() or before == ".") and not after.isdigit():
            return True
        at = text.find(number, at + 1)
    return False
