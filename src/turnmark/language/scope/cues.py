"""The cue engine: words by kind, found in one pass over a folded text and asked for by span.

Everything that reads how a passage is meant stands on it. A lexicon is data: the shipped one of scope
(``packs/language/scope.*.yaml``), and those that suites add (``packs/clinical/stance.yaml``, the word lists of
``packs/finance/constraints.*.yaml``). A suite adds words and kinds of its own, not code::

    lexicon = Lexicon({"skip": ["不错"], "neg": ["不", "没有"], "conflict": ["超标", "mismatch"]})
    cues = CuesOfText(lexicon, fold("这不错，但超标"))
    cues.within(0, 7)                      # [Cue(start=5, end=7, kinds={"conflict"})]
    lexicon = Lexicon(joined(scope_kinds(), {"neg": ["nope"]}))   # the shipped lexicon with a suite's words

How a word is matched: of words that overlap the longest one that begins first is the cue; a word of the kind ``skip``
only looks like a cue, and hides those inside it (特别 hides 别). A word of Latin letters is found as a whole word only.
不 between two of the same character (加不加) asks and denies nothing: its kind is ``question``.
What stands behind a bar must follow and is no part of the cue: 不|止损 denies, though 不止 only looks like a cue.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

import ahocorasick_rs

from turnmark.language.match.phrases import is_latin, latin_ends
from turnmark.language.match.shared_automaton import SharedAutomaton
from turnmark.language.text.fold import Folded, fold_texts
from turnmark.packs.scope import LANGUAGES, scope_pack


class Cue(NamedTuple):
    """A cue word found: where it stands and all its kinds."""

    start: int
    end: int
    kinds: frozenset[str]


_ASKED = frozenset(("question",))
_LATIN, _LATIN_START, _LATIN_END, _SKIP, _FOLLOWED, _DENIES, _PLAIN = range(7)

# Half the cost of the constructor, which counts here.
_cue = tuple.__new__


class Lexicon:
    """Cue words by kind, ready to be found."""

    def __init__(
        self,
        kinds: Mapping[str, Iterable[str]],
        *,
        shared: SharedAutomaton | None = None,
        rivals: frozenset[str] = frozenset(),
    ) -> None:
        """Compile a lexicon.

        Args:
            kinds: The words of each kind, in any spelling that folds to the same; a word may have several kinds.
            shared: Where the literals of other finders are that are asked about the same texts. Words that overlap
                are then all found, for one pass serves every finder; only ``rivals`` hide one another.
            rivals: Kinds of which the longer word alone counts (要 in 不要), in a lexicon with ``shared``.

        """
        of_word: dict[str, set[str]] = {}
        for kind, words in kinds.items():
            for word in fold_texts(words):
                if word:
                    of_word.setdefault(word, set()).add(kind)
        words = [word.replace("|", "") for word in of_word]
        self._sizes = [len(word.partition("|")[0]) for word in of_word]
        self._kinds = [frozenset(result) for result in of_word.values()]
        self._asking = [_asking(word, result) for word, result in of_word.items()]
        self._rivals = rivals
        self._shared = shared
        if shared:
            self._finder = shared.add(words)
        else:
            self._automaton = ahocorasick_rs.AhoCorasick(words, matchkind=ahocorasick_rs.MatchKind.LeftmostLongest)

    @property
    def whole(self) -> bool:
        """Whether a text is searched whole, because other finders share the pass."""
        return self._shared is not None

    def find(self, text: str, offset: int = 0) -> list[Cue]:
        """The cues of a folded text, in order.

        Args:
            text: Folded text, or a part of one.
            offset: Where the part begins; added to all offsets.

        """
        if self._shared:
            cues = self._cues(self._shared.find(self._finder, text), text, offset)
            return _longest(cues, self._rivals)
        return self._cues(self._automaton.find_matches_as_indexes(text), text, offset)

    def _cues(self, matches: Iterable[tuple[int, int, int]], text: str, offset: int) -> list[Cue]:
        kinds, asking = self._kinds, self._asking
        cues: list[Cue] = []
        for word, start, end in matches:
            asks, result = asking[word], kinds[word]
            if asks != _PLAIN:
                if asks == _SKIP:
                    continue
                if asks <= _LATIN_END:
                    if _goes_on(text, start, end, asks):
                        continue
                elif asks == _FOLLOWED:
                    end = start + self._sizes[word]  # noqa: PLW2901
                elif start and text[start - 1] == text[start + 1 : start + 2]:
                    result = _ASKED
            cues.append(_cue(Cue, (start + offset, end + offset, result)))
        return cues


def _asking(word: str, kinds: set[str]) -> int:
    """What has to be asked where a word stands before it is a cue."""
    if "skip" in kinds:
        return _SKIP
    if "|" in word:
        return _FOLLOWED
    if latin_ends(word):
        return _LATIN_END if not is_latin(word[0]) else _LATIN if is_latin(word[-1]) else _LATIN_START
    return _DENIES if word[0] == "不" else _PLAIN


def _goes_on(text: str, start: int, end: int, asks: int) -> bool:
    """Whether a word of Latin letters is only a part of one."""
    if start and asks != _LATIN_END:
        beside = text[start - 1]
        if beside.isascii() and beside.isalnum():
            return True
    beside = text[end : end + 1] if asks != _LATIN_START else ""
    return beside.isascii() and (beside.isalnum() or beside == "'")


def _from_longest(cue: Cue) -> tuple[int, int]:
    return cue.start, -cue.end


def _longest(cues: list[Cue], rivals: frozenset[str]) -> list[Cue]:
    """In order, the rivals without those that stand inside a longer one: 要 in 不要, 해롭 in 해롭지 않."""
    cues.sort(key=_from_longest)
    kept: list[Cue] = []
    reach = 0
    for cue in cues:
        if cue.kinds.isdisjoint(rivals):
            kept.append(cue)
        elif cue.end > reach:
            reach = cue.end
            kept.append(cue)
        elif cue.kinds - rivals:
            kept.append(cue._replace(kinds=cue.kinds - rivals))
    kept.sort()
    return kept


class CuesOfText:
    """The cues of one text, found line by line when they are first asked for: no cue goes on in another line."""

    def __init__(self, lexicon: Lexicon, folded: Folded, *, original: bool = False) -> None:
        """Make ready; offsets are those of the folded text, or with ``original`` those of the text as it was given."""
        self._lexicon = lexicon
        self._folded = folded
        self._original = original and not folded.same_length
        self._lines: dict[int, tuple[list[Cue], list[int]]] = {}
        self._whole = lexicon.whole or self._original

    def within(self, start: int, end: int) -> list[Cue]:
        """The cues that begin inside a span, in order."""
        if self._whole:
            cues, starts = self._line(0, len(self._folded.text))
            return cues[bisect_left(starts, start) : bisect_left(starts, end)]
        text = self._folded.text
        result: list[Cue] = []
        end = min(end, len(text))
        first = text.rfind("\n", 0, start) + 1
        while first < end:
            last = text.find("\n", max(first, start))
            last = last if last >= 0 else len(text)
            cues, starts = self._line(first, last)
            result += cues[bisect_left(starts, start) : bisect_left(starts, end)]
            first = last + 1
        return result

    def _line(self, first: int, last: int) -> tuple[list[Cue], list[int]]:
        """The cues of a line, or of the whole text, and where they start."""
        known = self._lines.get(first)
        if known is None:
            cues = self._lexicon.find(self._folded.text[first:last] if not self._whole else self._folded.text, first)
            if self._original:
                to_original = self._folded.to_original
                cues = [Cue(*to_original(start, end), kinds) for start, end, kinds in cues]
            known = self._lines[first] = cues, [cue.start for cue in cues]
        return known


def starting(cues: list[Cue], start: int, end: int) -> list[Cue]:
    """Those of some cues in order that begin inside a span."""
    return cues[bisect_left(cues, start, key=_start) : bisect_left(cues, end, key=_start)]


def _start(cue: Cue) -> int:
    return cue.start


_ASKING_ENDS = ("吗", "么")
_BEHIND_ASKING = ",，。.!！ "


def asks(ending: str) -> bool:
    """Whether a clause asks, by its last characters: a question mark with no word behind it, or 吗 and 么."""
    last = len(ending)
    while last and not (ending[last - 1].isalnum() or ending[last - 1] == "_"):
        last -= 1
    behind = ending[last:]
    return (
        "?" in behind or "？" in behind or (ending[:last].endswith(_ASKING_ENDS) and not behind.strip(_BEHIND_ASKING))
    )


def joined(*lexicons: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Several lexicons as one: the words of each kind together."""
    kinds: dict[str, list[str]] = {}
    for lexicon in lexicons:
        for kind, words in lexicon.items():
            kinds.setdefault(kind, []).extend(words)
    return kinds


def scope_kinds() -> dict[str, list[str]]:
    """The shipped cue words of scope by kind, of all languages."""
    return joined(*(scope_pack(language)[0].words() for language in LANGUAGES))


@cache
def scope_lexicon() -> Lexicon:
    """The shipped lexicon of scope."""
    return Lexicon(scope_kinds())
