"""The demo adviser: composes replies from what is known of topic, user and dialogue. Offline and deterministic.

It is made to be evaluated, not to advise: it answers in the user's language, keeps to the limits that the user set,
discloses risks, and remembers, so that every metric has something to measure. ``remember`` False gives the plain
assistant without any memory.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from turnmark.language.analysis import Analysis
from turnmark.language.script import detect_language
from turnmark.language.text.fold import fold_text
from turnmark.replay.demo.allocation import allocation, fall
from turnmark.replay.demo.memory import LongTerm, Recalled, ShortTerm, Utterance
from turnmark.replay.demo.profile import Profile, ProfileReader, ShownProfile, shown_profile
from turnmark.replay.demo.words import LANGUAGES, AdviserWords, Topic, adviser_words
from turnmark.replay.protocol import Observer, Reply

_RECALLED = 3
_EXCERPT = 48


class DemoAdviser:
    """One dialogue's adviser.

    Memory: the last ``window`` exchanges verbatim, a searchable store of all exchanges in ``memory_dir``, and a profile
    of the user. What it recalls, which tools it calls and what it believes goes to the observer.
    """

    repeatable = False

    def __init__(self, observer: Observer, memory_dir: Path, *, remember: bool = True, window: int = 3) -> None:
        self._observer = observer
        self._remember = remember
        self._language = ""
        self._turn = 0
        self._said: Counter[str] = Counter()
        self._profile = Profile()
        self._short = ShortTerm(window)
        self._window = window
        self._long = LongTerm(memory_dir) if remember else None

    def handle_turn(self, user_text: str) -> Reply:
        """The reply to one user turn."""
        self._turn += 1
        words = self._words(user_text)
        shown = ShownProfile()
        recalled: list[Recalled] = []
        if self._long is not None:
            _reader(words).read(user_text, self._profile)
            shown = shown_profile(self._profile, words)
            recalled = self._long.search(user_text, self._turn - self._window, _RECALLED)
            self._tell_recall(user_text, words, shown, recalled)
        text = self._composed(user_text, words, shown, recalled)
        self._observer.compliance_done(
            needs_modification=False, is_compliant=True, violations=[], risk_disclaimer_added=True
        )
        if self._long is not None:
            self._observer.profile_snapshot(self._profile.snapshot())
            self._long.add(self._turn, f"{words.roles['user']}: {user_text}\n{words.roles['assistant']}: {text}")
            self._short.add(Utterance(self._turn, "user", user_text))
            self._short.add(Utterance(self._turn, "assistant", text))
        return Reply(text=text, retrieved_contexts=[item.text for item in recalled] if self._remember else None)

    def close(self) -> None:
        """Close the long-term memory."""
        if self._long is not None:
            self._long.close()

    def _words(self, user_text: str) -> AdviserWords:
        """The user's language; a text that does not tell (a number, a code) keeps that of the turn before."""
        spoken = detect_language(user_text)
        self._language = spoken if spoken in LANGUAGES else self._language or "en"
        return adviser_words(self._language)[0]

    def _tell_recall(self, query: str, words: AdviserWords, shown: ShownProfile, recalled: list[Recalled]) -> None:
        short = self._short.turns()
        window = "\n".join(f"{turn.role}: {turn.text}" for turn in short)
        profile = shown.record(words)
        packed = "\n\n".join(part for part in (profile, *(item.text for item in recalled), window) if part)
        self._observer.recall_done(
            query=query,
            short_term_context=window,
            short_term_turns=[{"role": turn.role, "content": turn.text} for turn in short],
            profile_context=profile,
            packed_context=packed,
            token_count=len(packed),
            items=[
                {"rank": rank, "item_id": f"turn-{item.turn}", "content": item.text, "score": round(item.score, 4),
                 "source": "bm25", "turn_index": item.turn}
                for rank, item in enumerate(recalled, 1)
            ],
        )  # fmt: skip

    def _composed(self, user_text: str, words: AdviserWords, shown: ShownProfile, recalled: list[Recalled]) -> str:
        """The parts of a reply in order; what does not apply is left out."""
        asked = fold_text(user_text)
        sentences = words.sentences
        topics = _topics(asked, words)
        parts = [sentences.about.format(subject=topics[0].name, fact=self._fact(topics[0]))]
        if len(topics) > 1:
            if _asks(asked, words, "compare"):
                items = [sentences.compare_item.format(name=topic.name, brief=topic.brief) for topic in topics[:2]]
                parts.append(sentences.compare.format(items=sentences.item_joiner.join(items)))
            else:
                parts.append(self._fact(topics[1]))
        parts += self._personal(words, shown)
        if recalled and _asks(asked, words, "earlier"):
            parts.append(sentences.recalled.format(excerpt=_excerpt(recalled[0].text, words)))
        if _asks(asked, words, "mix"):
            parts.append(self._mix(words))
        parts.append(sentences.summary if _asks(asked, words, "summary") else self._next(sentences.steps, "steps"))
        risks = list(dict.fromkeys(risk for topic in topics[:2] for risk in topic.risks))
        parts.append(sentences.risk.format(risks=sentences.item_joiner.join(risks)))
        parts.append(self._next(sentences.closing, "closing"))
        return sentences.gap.join(parts)

    def _personal(self, words: AdviserWords, shown: ShownProfile) -> list[str]:
        """What of the reply rests on the user's profile."""
        sentences = words.sentences
        parts = []
        if shown.levels:
            fit = sentences.fit[self._profile.levels.get("risk_level", "unknown")]
            known = [f"{label}{sentences.gap}{value}" for label, value in shown.levels]
            parts.append(sentences.profile.format(profile=sentences.joiner.join(known), fit=fit))
        if shown.limits:
            parts.append(sentences.limits.format(limits=sentences.joiner.join(shown.limits)))
        if shown.avoided:
            parts.append(sentences.avoid.format(assets=sentences.joiner.join(shown.avoided)))
        return parts

    def _mix(self, words: AdviserWords) -> str:
        """An example of a mix, from the one tool that there is."""
        arguments: dict[str, Any] = {"levels": dict(self._profile.levels), "limits": dict(self._profile.limits)}
        shares = allocation(self._profile.levels, self._profile.limits)
        self._observer.tool_called(
            tool_name="allocation", args=arguments, result_excerpt=", ".join(f"{k} {v:g}%" for k, v in shares.items())
        )
        sentences = words.sentences
        items = [sentences.mix_items[name].format(value=f"{share:g}") for name, share in shares.items()]
        limit = self._profile.limits.get("drawdown")
        within = sentences.within.format(limit=f"{limit:g}") if limit is not None else ""
        return sentences.mix.format(items=sentences.joiner.join(items), fall=f"{fall(shares):g}", within=within)

    def _fact(self, topic: Topic) -> str:
        return self._next(topic.facts, topic.name)

    def _next(self, choices: list[str], name: str) -> str:
        """The choices in turn, so that no two replies of a dialogue are the same."""
        chosen = choices[self._said[name] % len(choices)]
        self._said[name] += 1
        return chosen


def _topics(asked: str, words: AdviserWords) -> list[Topic]:
    """The topics of a text, the one with the most letters of its words first; the general one when there is none."""
    scored = []
    for index, topic in enumerate(words.topics):
        results = {word for word in map(fold_text, topic.words) if word in asked}
        if results:
            scored.append((-sum(map(len, results)), index, topic))
    return [topic for *_, topic in sorted(scored, key=lambda entry: entry[:2])] or [words.general]


def _asks(asked: str, words: AdviserWords, kind: str) -> bool:
    return any(fold_text(word) in asked for word in words.asks[kind])


def _excerpt(text: str, words: AdviserWords) -> str:
    """The first sentences of the user in an exchange, as far as they fit."""
    said = text.partition("\n")[0].removeprefix(f"{words.roles['user']}: ")
    kept = ""
    for sentence in Analysis(said, words.language).sentences:
        if kept and len(kept) + sentence.end - sentence.start > _EXCERPT:
            break
        kept = said[: sentence.end]
    return kept if len(kept) <= 2 * _EXCERPT else f"{kept[: 2 * _EXCERPT]}…"


_READERS: dict[str, ProfileReader] = {}


def _reader(words: AdviserWords) -> ProfileReader:
    """The reader of a language; its patterns are made once."""
    if words.language not in _READERS:
        _READERS[words.language] = ProfileReader(words)
    return _READERS[words.language]
