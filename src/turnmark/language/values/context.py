"""A text with its values and the words around each, by which a value is bound to what it is said of."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import pairwise

from turnmark.language.later import later
from turnmark.language.stems import english_stem
from turnmark.language.text.fold import Folded, fold
from turnmark.language.values.opposition.opposites import OppositeReader
from turnmark.language.values.reader import read_values
from turnmark.language.values.value import Value

_SENTENCE = later(r"[。!?\n]+|(?<![0-9])\.(?=\s|$)|(?<=[0-9])\.(?=\s+[^0-9\s]|\s*$)")
# A mark between items; an enumeration within a line begins one too.
_ITEM = later(r",(?![0-9]{3})|[、，/|;]|(?<=[^0-9])(?= [0-9]{1,2}[.)] ?[^0-9 ])|[①-⑳]")
# What joins two statements of one sentence: each is an item where each holds a value of its own.
_JOINT = later(r" (?=(?:and|but|while|whereas) )|(?<=[가-힣][고며만데나]) (?!있|싶|보|나)|(?<=지만) ")
_PARALLEL = {**dict.fromkeys(("number", "quantity", "duration"), "amount"), "date": "date", "time": "time"}
_TWO = 2
_OPENS, _CLOSES = frozenset("([【<"), frozenset(")]】>")
_MARK = later(r"[()\[\]【】,、，/|;①-⑳]|(?<=[^0-9]) (?=[0-9]{1,2}[.)] ?[^0-9 ])")
_WORD = later(r"[a-z\u00c0-\u024f]+|[\u3400-\u9fff]+|[\uac00-\ud7a3]+")
_ENDS_ITEM = later(r"[^\u4e00-\u9fffa-z]{0,6}[).。,;/]|[가-힣]|$")
_HEADING = later(r"[^:。.!?;\n]{2,60}:")
_LIGHT = later("[的了是在和与及或也都把被您我你他她它们这那吗呢吧啊请就将]+")
_LETTER = later(r"(?<![A-Za-z0-9'-])(?:[B-HJ-Z]|A(?! [a-z]))(?![A-Za-z0-9'])")
_STOP_WORDS = (
    "the a an of to in on at by for from with and or is are was were be been it its this that these those "
    "as you your we our they their he she his her i my me us do does did can could will would should may "
    "might must have has had not no than then so if when which who what how there here up per each about "
    "only just also any all some more most doesn isn aren wasn weren don didn wouldn couldn shouldn hasn "
    "haven hadn mustn needn ain"
)
_STOP = frozenset(_STOP_WORDS.split())
_KO_STOP_WORDS = (
    "수 것 등 그 및 또는 경우 때 더 약 총 각 또 단 안 못 있 없 하 되 할 한 된 될 에 은 는 "
    "이 가 을 를 의 로 으로 과 와 도 만 씩 당 에서 부터 까지 이며 입니다 이다 합니다 됩니다"
)
_KO_STOP = frozenset(_KO_STOP_WORDS.split())
_KO_INFLECTED_WORDS = "니다 습니 합니 입니 됩니 었습 았습 였습 릅니 립니 킵니 세요 어요 아요 해요 되어 하여 있습 없습"
_KO_INFLECTED = frozenset(_KO_INFLECTED_WORDS.split())
_KO_ENDINGS = later(
    "(?:입니다|습니다|합니다|됩니다|이에요|예요|에요|해요|돼요|세요|하며|하고|되며|한다|된다|이다|하는|되는|에서는|에서|에게|으로|부터|까지|이며|이고"
    "|은|는|이|가|을|를|의|에|로|도|과|와|만|요)$"
)
_ORDERS = frozenset("一二三四五六七八九十两")
"""What such a numeral opens is counted or ordered by it: 下一针 is not about 第一针."""


@lru_cache(maxsize=1 << 14)
def _units(word: str) -> tuple[str, ...]:
    first = word[0]
    if first.isascii() or first < "\u3400":
        if word in _STOP or len(word) < 2:
            return ()
        return (english_stem(word) if len(word) > 3 else word,)
    if first >= "\uac00":
        # 강의 is a lecture, not a river with its particle.
        shorter = _KO_ENDINGS.sub("", word) if len(word) > 2 or word[-1] in "은는을를" else word
        word = shorter or word
        pairs = [item + other for item, other in pairwise(word)] or [word]
        return () if word in _KO_STOP else tuple(pair for pair in pairs if pair not in _KO_INFLECTED)
    return tuple(
        unit
        for run in _LIGHT.split(word)
        if run
        for unit in (tuple(item + other for item, other in pairwise(run)) or (run,))
        if unit[0] not in _ORDERS
    )


def units(text: str) -> list[str]:
    """What a folded text is about: stems of English words, pairs of ideographs and of syllables."""
    return [unit for word in _WORD.findall(text) for unit in _units(word)]


class Passage:
    """One text read once: its values, and which sentence and which item of a list each stands in."""

    def __init__(self, text: str | Folded, opposites: OppositeReader | None = None) -> None:
        """Read the values of a text; nothing else is done before it is asked for."""
        self.folded = text if isinstance(text, Folded) else fold(text)
        self.values = read_values(self.folded, opposites)

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        """The values as spans of the folded text."""
        return [self.folded.from_original(value.start, value.end) for value in self.values]

    @cached_property
    def masked(self) -> str:
        """The folded text with its values blanked, polarity words aside."""
        pieces, position = [], 0
        for value, (start, end) in zip(self.values, self._spans, strict=True):
            if value.kind in ("polarity", "truth") or start < position:
                continue
            pieces += [self.folded.text[position:start], " " * (end - start)]
            position = end
        return "".join([*pieces, self.folded.text[position:]])

    @cached_property
    def is_bare(self) -> bool:
        """Whether the text says nothing but its values: then they are what it is about."""
        letters = list(self.folded.text)
        for start, end in self._spans:
            letters[start:end] = " " * (end - start)
        return bool(self._spans) and not units("".join(letters))

    @cached_property
    def sentences(self) -> list[int]:
        """Where sentences begin."""
        ends = [match.end() for match in _SENTENCE.finditer(self.masked)]
        return [0, *ends]

    @cached_property
    def items(self) -> list[int]:
        """Where the items of sentences begin: parts between commas and the like that stand in no brackets."""
        starts = set(self.sentences)
        depth = 0
        for match in _MARK.finditer(self.folded.text):
            mark = match.group()
            if mark in _OPENS:
                depth += 1
            elif mark in _CLOSES:
                depth = max(0, depth - 1)
            elif depth == 0 and self._parts(match.start(), mark):
                starts.add(match.end())
        return sorted(starts | self._joined(sorted(starts)))

    def _joined(self, starts: list[int]) -> set[int]:
        """Where a second statement begins that is joined to the first: 성인은 5천원이고 어린이는 3천원입니다.

        Both must hold a value of the same kind; else one of them only goes on with the other.
        """
        if len(self.values) < _TWO:
            return set()
        results: set[int] = set()
        edges = sorted({*starts, *(match.end() for match in _JOINT.finditer(self.masked))})
        kinds: list[set[str]] = [set() for _ in edges]
        for value, span in zip(self.values, self._spans, strict=True):
            if value.kind in _PARALLEL:
                kinds[bisect_right(edges, span[0]) - 1].add(_PARALLEL[value.kind])
        given, before = frozenset(starts), set[str]()
        for edge, own in zip(edges, kinds, strict=True):
            if edge in given:
                before = own
            elif before.isdisjoint(own):
                before = before | own
            else:
                results.add(edge)
                before = own
        return results

    def _parts(self, position: int, mark: str) -> bool:
        """Whether a mark stands between items and not within a value."""
        return self.masked[position] == mark

    def _around(self, starts: list[int], position: int) -> tuple[int, int]:
        index = bisect_right(starts, position) - 1
        end = starts[index + 1] if index + 1 < len(starts) else len(self.masked)
        return starts[index], end

    @lru_cache(maxsize=4096)  # noqa: B019 - a passage is short-lived
    def _units_of(self, start: int, end: int) -> frozenset[str]:
        return frozenset([*units(self.masked[start:end]), *self._letters(start, end)])

    def _letters(self, start: int, end: int) -> list[str]:
        """Single capitals, which name a model, a plan or a class."""
        base = self.folded.base
        return [
            f"·{base[match.start()].lower()}"
            for match in _LETTER.finditer(base, start, end)
            if self.masked[match.start()] != " "
        ]

    def item(self, index: int) -> frozenset[str]:
        """The units of the item that a value stands in; one without words belongs to what stands before it.

        A code that opens an item is the key of a row, which goes on until the next such code.
        """
        row = self._row_of.get(index)
        if row is not None:
            return self._units_of(*row)
        position = bisect_right(self.items, self._spans[index][0]) - 1
        first = self.sentences[self.sentence_of(index) - 1]
        return self._item_units(self._with_words(position, first)) | self._heading(first)

    def _item_units(self, position: int) -> frozenset[str]:
        end = self.items[position + 1] if position + 1 < len(self.items) else len(self.masked)
        return self._units_of(self.items[position], end)

    def _with_words(self, position: int, first: int) -> int:
        """The item itself, or the nearest before it in the sentence that holds words; each is looked at once."""
        passed: list[int] = []
        while position not in self._worded:
            if self.items[position] <= first or self._item_units(position):
                self._worded[position] = position
                break
            passed.append(position)
            position -= 1
        found = self._worded[position]
        self._worded.update(dict.fromkeys(passed, found))
        return found

    @cached_property
    def _worded(self) -> dict[int, int]:
        """Of items that were asked about, the one that holds their words."""
        return {}

    @lru_cache(maxsize=1024)  # noqa: B019 - a passage is short-lived
    def _heading(self, start: int) -> frozenset[str]:
        """The units of what stands before the first colon of a sentence: it heads all items behind it."""
        heading = _HEADING.match(self.masked, start)
        return self._units_of(start, heading.end()) if heading else frozenset()

    @cached_property
    def _row_of(self) -> dict[int, tuple[int, int]]:
        """The rows whose keys are codes, by the index of the code."""
        keys: dict[str, list[int]] = {}
        for index, value in enumerate(self.values):
            if value.kind == "code" and self._opens(index):
                keys.setdefault(value.unit, []).append(index)
        results: dict[int, tuple[int, int]] = {}
        for indices in keys.values():
            starts = [self._spans[index][0] for index in indices]
            first, last = (self._around(self.sentences, start)[1] for start in (starts[0], starts[-1]))
            ends = last if first == last and len(indices) > 1 else len(self.masked)
            results.update(zip(indices, pairwise([*starts, ends]), strict=True))
        return results

    def _opens(self, index: int) -> bool:
        """Whether nothing but marks, or a heading with its colon, stands between the start of an item and a value."""
        start = self._spans[index][0]
        before = self.masked[self.items[bisect_right(self.items, start) - 1] : start].rstrip(" ([<\"'-")
        return not before or before[-1] in ":.;!?。"

    def keys_of(self, index: int) -> list[int]:
        """The codes in whose rows a value stands."""
        position = self._spans[index][0]
        return [key for key, (start, end) in self._row_of.items() if key != index and start <= position < end]

    def scope(self, index: int) -> frozenset[str]:
        """The units that a word such as "excludes" governs: those behind it, or before it where it ends an item."""
        start, end = self._spans[index]
        stop = self._around(self.sentences, start)[1]
        rivals = [
            other
            for (other, _), value in zip(self._spans, self.values, strict=True)
            if end <= other < stop and value.unit == self.values[index].unit
        ]
        behind = self.masked[end : min([stop, *rivals])]
        if behind[:1] in ("", " ", ":", ",") or not _ENDS_ITEM.match(behind):
            return frozenset(units(behind))
        return self._units_of(*self._around(self.items, start))

    def only_in(self, index: int) -> frozenset[str]:
        """The units of a word of a pair of opposites that the text holds nowhere else."""
        start, end = self._spans[index]
        rest = frozenset(units(f"{self.masked[:start]} {self.masked[end:]}"))
        return frozenset(units(self.values[index].text)) - rest

    def sentence(self, index: int) -> frozenset[str]:
        """The units of the sentence that a value stands in."""
        return self._units_of(*self._around(self.sentences, self._spans[index][0]))

    @cached_property
    def all_units(self) -> frozenset[str]:
        """The units of the whole text."""
        return self._units_of(0, len(self.masked))

    def units_by_sentence(self) -> Iterator[frozenset[str]]:
        """The units of each sentence."""
        for index, start in enumerate(self.sentences):
            end = self.sentences[index + 1] if index + 1 < len(self.sentences) else len(self.masked)
            yield self._units_of(start, end)

    def sentence_of(self, index: int) -> int:
        """Which sentence a value stands in."""
        return bisect_right(self.sentences, self._spans[index][0])

    def beside(self, index: int) -> Iterator[Value]:
        """The values of the sentence that a value stands in."""
        sentence = self.sentence_of(index)
        return (each for other, each in self.each() if self.sentence_of(other) == sentence)

    def item_of(self, index: int) -> int:
        """Which item a value stands in."""
        return bisect_right(self.items, self._spans[index][0])

    def each(self) -> Iterator[tuple[int, Value]]:
        """The values with their indices."""
        return iter(enumerate(self.values))
