"""What a document and its sections speak of: the thing that 保修期 or "the warranty" alone belongs to."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from turnmark.synth.documents.units import Passage
from turnmark.synth.questions.model import Language
from turnmark.synth.questions.wordlists import any_of, lists, words

_ENTRY = re.compile(r"^(?P<key>[^：:，,。.;；|]{1,40}?)\s*[：:]\s*(?P<value>\S.{0,119})$")
_BRACKETS = re.compile(r"\s*[(（《「【\[][^()（）]*[)）》」】\]]\s*")
_PARTS = re.compile(r"\s*(?:[:：|｜]|——|--| [-–—] )\s*")
_FIRST = 40
"""Passages in which the name of the document's thing is looked for."""
_SHORTEST = 4
_LONGEST = {"en": 48}
_LONGEST_DENSE = 24


class Topic(NamedTuple):
    """What a line stands under.

    ``title`` is how the document is called, ``name`` the thing that it is about ("" when it is about no single thing),
    ``owner`` the thing of the section: the document's, or one of several that the document treats alike.
    """

    title: str
    name: str
    owner: str


def entry_of(text: str) -> tuple[str, str] | None:
    """Key and value of an entry such as 年费：200元; None for anything else."""
    match = _ENTRY.match(text)
    if match is None or match["value"].startswith("//"):
        return None
    return match["key"].strip(), match["value"].strip().rstrip("。.;；")


class Topics:
    """The topics of one document, told by its headings and entries."""

    def __init__(self, passages: Sequence[Passage], language: Language) -> None:
        self._lists = lists(language)
        self._language = language
        self._generic = frozenset(words(self._lists.generic_headings))
        first = passages[0].unit if passages else None
        self._path_title = first.headings[0] if first is not None and first.headings else ""
        fallback = PurePosixPath(first.file).stem.replace("_", " ") if first is not None else ""
        self.title = self._path_title or fallback
        self.name = self._name(self.title, passages)
        self._entities = self._parallel(passages)

    def topic(self, passage: Passage) -> Topic:
        """The topic of a passage."""
        owner = next((words for words in reversed(passage.unit.headings) if words in self._entities), self.name)
        return Topic(self.title, self.name, owner)

    def _name(self, title: str, passages: Sequence[Passage]) -> str:
        """The thing that the title names: without the words for the kind of document, as the text speaks of it."""
        bare = _BRACKETS.sub("", title).strip()
        endings, things = (any_of(words(text)) for text in (self._lists.title_endings, self._lists.thing_endings))
        text = "\n".join(line.text for passage in passages[:_FIRST] for line in passage.lines)
        result = ""
        for part in dict.fromkeys((bare, *_PARTS.split(bare))):
            name = re.sub(rf"(?:\s*(?:{endings}))+$", "", part, flags=re.IGNORECASE).strip(" -—:：·、的의")
            name = re.sub(rf"^(?:(?:{endings})(?: to| for)?(?: the)? )", "", name, flags=re.IGNORECASE).strip()
            if not 2 <= len(name) <= _LONGEST.get(self._language, _LONGEST_DENSE) or "，" in name or ", " in name:
                continue
            if name in text:
                return name
            if not result and re.search(rf"(?:{things})$", part, re.IGNORECASE):
                result = self._shorter(name, text) or name
        return result

    def _shorter(self, name: str, text: str) -> str:
        """The longest end of a name that the text repeats: 安宁信用卡 of 星港银行安宁信用卡; "" when there is none."""
        starts = range(1, len(name)) if self._language == "zh" else [m.end() for m in re.finditer(" ", name)]
        ends = [name[start:] for start in starts if len(name) - start >= _SHORTEST]
        return next((end for end in ends if text.count(end) > 1), "")

    def _parallel(self, passages: Sequence[Passage]) -> frozenset[str]:
        """Headings beside each other whose sections have entries of the same keys: each names a thing."""
        keys: dict[tuple[str, ...], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for passage in passages:
            path = passage.unit.headings
            for line in passage.lines:
                entry = entry_of(line.text) if line.lone and path else None
                if entry:
                    keys[path[:-1]][path[-1]].add(entry[0])
        result = set()
        for sections in keys.values():
            for heading, own in sections.items():
                others = set().union(*(other for name, other in sections.items() if name != heading))
                if own & others and heading.lower() not in self._generic:
                    result.add(heading)
        return frozenset(result)
