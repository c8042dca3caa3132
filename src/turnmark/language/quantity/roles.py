"""What each quantity of a text measures, by the cue words its caller supplies."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from turnmark.language.later import later
from turnmark.language.match.matcher import Matcher
from turnmark.language.quantity.quantity import Quantity
from turnmark.language.text.segment import Clause, Segments, segment


class _Cue(NamedTuple):
    start: int
    end: int
    measure: str


# Words between a cue and its number that do not part them.
_LIGHT = later(
    r"[\s*_:()=|,]+|不超过|不低于|不高于|控制|大约|大概|大致|左右|可能|预计|目前|现在|已经|已|只有"
    r"|历史|整体|平均|比例|占比|仓位|部分"
    r"|达到|至少|最多|至多|超过|低于|高于|以内|以下|以上|不能|不要|最大|上限|下限|设定|保持|维持|提高|提升|降低|降到|降至|压到"
    r"|[占为是在约到达了的约近配放留给拿投买有就别没过也都约]"
    r"|\b(?:of|at|is|was|are|were|around|about|to|by|up|down|the|your|a|an|near|roughly|approximately|under|over|below"
    r"|above|within|than|less|more|no|not|at|least|most|came|back|stands?|stays?|should|be|limit(?:ed)?|keep|kept|hold"
    r"|allocation|share|portion|level|reading|last|now|currently)\b"
    r"|은|는|이|가|을|를|의|도|약|현재|지금|최대|최소|비중|비율|수치|정도|로|으로|까지"
)
# What may stand between a number and the cue behind it.
_TIGHT = later(
    r"(?:[ *_多余]|出头|[只仅就才]是|[及或]?以[内上下]|之内|左右|上下|的|仓位|比例|份额|投向|投入|投"
    r"|放在|放到|放进|放|买入|买|配置|配给|配|给|用于|用来|留作|留给|留|当"
    r"|作为|做成|做|在|到|换成|进|分配|资金|钱|是|为|\b(?:of|in|into|to|for|on|the|your|an?|goes?|allocated|held|kept|annual"
    r"|or|less|more|your|our)\b|의|은|는|이|가|를|을|정도|이내|이하|이상|미만|까지|쯤)*$"
)
_SEPARATOR = later(r"[、;,/+。]|和|与|及|而|其余|剩下|剩余|另外|余下|\band\b|\bplus\b|그리고|나머지| 및 ")


class MeasureCues:
    """Cue words compiled once; ``attach`` takes it in place of the mapping."""

    def __init__(self, measures: Mapping[str, Iterable[str]], units: Mapping[str, Iterable[str]] | None = None) -> None:
        """Compile cue words.

        Args:
            measures: Cue words by measure name; among overlapping cues the longest counts.
            units: Units a measure can be in, by measure name (normalised names, "" for none); a measure that is
                not named takes any unit.

        """
        self.matcher: Matcher[str] = Matcher([(cue, name) for name, cues in measures.items() for cue in cues])
        self.units = {name: frozenset(allowed) for name, allowed in (units or {}).items()}

    def find(self, segments: Segments) -> list[_Cue]:
        """Return the cues of a text in order; of overlapping ones the longest."""
        cues: list[_Cue] = []
        for hit in sorted(self.matcher.find(segments.folded), key=lambda hit: (hit.start, -hit.end)):
            if not cues or hit.start >= cues[-1].end:
                cues.append(_Cue(hit.start, hit.end, hit.payload))
            elif hit.end - hit.start > cues[-1].end - cues[-1].start:
                cues[-1] = _Cue(hit.start, hit.end, hit.payload)
        return cues


class _Attacher:
    def __init__(self, quantities: Sequence[Quantity], segments: Segments, compiled: MeasureCues) -> None:
        self.segments = segments
        self.compiled = compiled
        self.text = segments.folded.text
        self.cues = compiled.find(segments)
        self.starts = [cue.start for cue in self.cues]
        self.amounts = [quantity for quantity in quantities if quantity.kind == "amount"]
        self.amount_starts = [quantity.start for quantity in self.amounts]

    def within(self, start: int, end: int, unit: str) -> list[_Cue]:
        """Return the cues inside a span whose measure can be in the unit."""
        result = self.cues[bisect_left(self.starts, start) : bisect_left(self.starts, end)]
        allowed = self.compiled.units
        return [cue for cue in result if cue.measure not in allowed or unit in allowed[cue.measure]]

    def between(self, start: int, end: int) -> str:
        first, last = self.segments.folded.from_original(start, end)
        return self.text[first:last]

    def measure(self, quantity: Quantity) -> str | None:
        segments = self.segments
        if quantity.kind != "amount" or not segments.sentences:
            return None
        index = segments.sentence_index(quantity.start)
        block = segments.blocks[segments.sentences[index].block]
        clause = segments.clause_at(quantity.start)
        best = self.nearest(quantity, clause)
        if best is not None:
            return best
        if block.kind == "table_cell":
            for header in (block.column_header, block.row_header):
                cues = self.within(*header, quantity.unit) if header else []
                if cues:
                    return cues[-1].measure
            return None
        return self.from_previous(quantity, clause, index)

    def nearest(self, quantity: Quantity, clause: Clause) -> str | None:
        best: tuple[float, str] | None = None
        # A cue further away than this governs nothing, and a text without stops must not cost its square.
        first, last = max(clause.start, quantity.start - 80), min(clause.end, quantity.end + 40)
        for cue in self.within(first, last, quantity.unit):
            if cue.start < quantity.end and cue.end > quantity.start:
                continue
            cost = self.cost_before(cue, quantity) if cue.end <= quantity.start else self.cost_after(cue, quantity)
            if cost is not None and (best is None or cost <= best[0]):
                best = cost, cue.measure
        return best[1] if best else None

    def cost_before(self, cue: _Cue, quantity: Quantity) -> float | None:
        gap = self.between(cue.end, quantity.start)
        cost = float(len(_LIGHT.sub("", gap)))
        parted = _SEPARATOR.search(gap) is not None
        if self.amounts_between(cue.end, quantity.start):
            # A number between the two has claimed the cue, and every item of a list has a noun of its own.
            if parted:
                return None
            cost += 20
        return cost + 10 if parted else cost

    def amounts_between(self, start: int, end: int) -> int:
        return bisect_left(self.amount_starts, end) - bisect_left(self.amount_starts, start)

    def cost_after(self, cue: _Cue, quantity: Quantity) -> float | None:
        gap = self.between(quantity.end, cue.start)
        if len(gap) > 24 or _TIGHT.match(gap) is None:
            return None
        # A cue that opens its own item ("股票60%债券40%") belongs to the number behind it.
        following = bisect_left(self.amount_starts, cue.end)
        if following < len(self.amounts) and not _LIGHT.sub("", self.between(cue.end, self.amount_starts[following])):
            return 6.0
        return 1.5 + len(gap) * 0.1

    def from_previous(self, quantity: Quantity, clause: Clause, index: int) -> str | None:
        """Return the measure the previous clause ended on, when this clause opens with the number."""
        if quantity.start - clause.start > 24 or _LIGHT.sub("", self.between(clause.start, quantity.start)):
            return None
        clauses = self.segments.clauses_of(index)
        position = bisect_left(clauses, clause)
        if position == 0:
            return None
        previous = clauses[position - 1]
        cues = self.within(previous.start, previous.end, quantity.unit)
        return cues[-1].measure if cues else None


def attach(
    quantities: Sequence[Quantity],
    text: str | Segments,
    measures: Mapping[str, Iterable[str]] | MeasureCues,
) -> list[str | None]:
    """Decide for each quantity which measure it is about.

    The nearest governing cue of the same clause counts, before the number or right behind it; in a table, the
    column's header, then the row's.

    Args:
        quantities: Quantities of the text, as ``quantities`` returns them.
        text: The text, or its segments when they are at hand.
        measures: Cue words by measure name, or the same compiled with ``MeasureCues`` (which can also say what
            units a measure takes).

    Returns:
        For each quantity the name of a measure, or None when no cue governs it or it is no amount.

    """
    segments = text if isinstance(text, Segments) else segment(text)
    compiled = measures if isinstance(measures, MeasureCues) else MeasureCues(measures)
    attacher = _Attacher(quantities, segments, compiled)
    return [attacher.measure(quantity) for quantity in quantities]
