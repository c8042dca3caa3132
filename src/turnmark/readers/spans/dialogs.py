"""Spans to dialogues of trace v1: one turn a trace, dialogues by the id of the conversation.

Of a trace the outermost span that says anything gives question and answer (steps within it may be of code that routes);
what it does not say, the calls of a model do: the first question and the last answer. Calls whose history holds the
answer of an earlier call in the same trace are turns of their own. The id of a conversation holds for all spans below
the one that has it, and for the trace where there is one only; without any, a trace is a dialogue. What is kept is the
texts of questions, answers and documents, not the histories that every call repeats; beyond some megabytes in temporary
files, so that memory does not grow with the file.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal

import msgspec

from turnmark.readers.protocol import Numbered, Sample
from turnmark.readers.records import record_lines
from turnmark.readers.spans.attributes import CONVERSATION, Told
from turnmark.readers.spans.forms import Event, Fault, LogRecord, Span, is_spans, spans_of
from turnmark.readers.spans.grouping import Groups, Ordered
from turnmark.readers.spans.otlp import otlp_spans
from turnmark.readers.spans.texts import Said, said, tool_call
from turnmark.schemas.jsonl import Reader, too_deep
from turnmark.schemas.problems import Problem, readable

_CAPTURE = (
    "instrumentation saves texts only when it is told to: set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT="
    "SPAN_ONLY (true in versions before 1.37 of the conventions), TRACELOOP_TRACE_CONTENT=true, or take "
    "OPENINFERENCE_HIDE_INPUTS and OPENINFERENCE_HIDE_OUTPUTS away, and record again"
)


def span_records(path: Path) -> Iterator[Numbered]:
    """The dialogues of a file of spans with the line of their first span, and what was left out.

    Raises: DataError when the file cannot be read.
    """
    return dialogues_of(path, _saved(path))


def dialogues_of(path: Path, spans: Iterable[tuple[int, Span | LogRecord | Problem]]) -> Iterator[Numbered]:
    """Spans with their lines, from whatever format, as dialogues of trace v1."""
    found = _Spans()
    for number, span in spans:
        if isinstance(span, Problem):
            yield number, span
        else:
            found.add(span, number)
    dialogs, left_out = found.dialogs()
    first = next(dialogs, None)
    if first is None:
        yield (
            0,
            Problem(
                file=readable(path),
                expected="spans with the texts of questions and answers",
                found=f"{found.count} spans of {left_out} traces without",
                advice=_CAPTURE,
            ),
        )
        return
    if left_out:
        yield (
            0,
            Problem(
                file=readable(path), expected="traces with a question and what came of it",
                found=f"{left_out} without, such as jobs, searches, or calls whose texts were not captured",
                advice="left out", severity="warning",
            ),
        )  # fmt: skip
    for name, number, turns in itertools.chain([first], dialogs):
        yield number, {"dialog_id": name, "turns": [_TURN.decode(turn) for turn in turns]}


def _saved(path: Path) -> Iterator[tuple[int, Span | LogRecord | Problem]]:
    reader = Reader(dict[str, Any])
    for line in record_lines(path):
        if isinstance(line, Problem):
            yield line.line, line
            continue
        spans = otlp_spans(line.raw)
        if spans is None:
            decoded = reader.decode(line)
            if isinstance(decoded, list):
                yield from ((problem.line, problem) for problem in decoded)
                continue
            spans = spans_of(decoded.value)
        try:
            for span in spans:
                yield line.number, fault_problem(path, line.number, span) if isinstance(span, Fault) else span
        except RecursionError:
            yield line.number, too_deep(line)


def fault_problem(path: Path, number: int, fault: Fault) -> Problem:
    """What is wrong with a span, in words."""
    return Problem(
        file=readable(path), line=number, field=fault.field, expected=fault.expected, found=fault.found,
        advice="the span is left out",
    )  # fmt: skip


class _SavedSpans:
    version = "OTLP JSON, spans of OpenTelemetry SDKs (1.45), OpenInference, OpenLLMetry; GenAI conventions to 1.37"
    gives: Literal["dialogues"] = "dialogues"

    def recognise(self, sample: Sample) -> bool:
        """Whether the first record is a span, an event, or an OTLP message of such."""
        return is_spans(sample.first)

    def read(self, path: Path) -> Iterator[Numbered]:
        """As `span_records`."""
        return span_records(path)


SPANS = _SavedSpans()

_TURN = msgspec.json.Decoder(dict[str, msgspec.Raw])

_TOGETHER = 64
"""Spans of a trace that are kept as one at most."""
_Placed = tuple[tuple[float, int, int, int], bytes]
"""A turn as JSON with its place: when it began, its line, which span began its trace, which turn of that."""
_Dialog = tuple[str, int, list[bytes]]


class _Spans:
    """The spans of a file, each reduced to what is told of it."""

    def __init__(self) -> None:
        self.count = 0
        self._traces: Groups[list[_Entry | _Heard]] = Groups(list[_Entry | _Heard])
        self._trace, self._held = "", list[_Entry | _Heard]()

    def add(self, each: Span | LogRecord, line: int) -> None:
        """One span, or an event of one; those of one trace that follow each other are kept together."""
        if each.trace != self._trace or len(self._held) == _TOGETHER:
            self._keep()
            self._trace = each.trace
        if isinstance(each, Span):
            self.count += 1
            self._held.append(_Entry.of(each, line, self.count))
        else:
            self._held.append(_Heard(each.span, each.event.name, msgspec.json.encode(each.event.attributes)))

    def _keep(self) -> None:
        if self._held:
            self._traces.add(self._trace, self._held)
            self._held = []

    def dialogs(self) -> tuple[Iterator[_Dialog], int]:
        """Each dialogue's name, the line of its first span and its turns; and the number of traces without a turn."""
        turns, left_out = self._turns()
        dialogs: Ordered[_Dialog] = Ordered(_Dialog)
        for name, placed in turns.take():
            placed.sort(key=itemgetter(0))
            first = placed[0][0]
            dialogs.add(first, (name, first[1], [turn for _, turn in placed]))
        return dialogs.take(), left_out

    def _turns(self) -> tuple[Groups[_Placed], int]:
        """The turns by dialogue, and the number of traces without any."""
        results: Groups[_Placed] = Groups(_Placed)
        left_out = 0
        self._keep()
        for trace, spans in self._traces.take():
            entries = [each for some in spans for each in some if isinstance(each, _Entry)]
            if not entries:
                continue
            _hear(entries, [each for some in spans for each in some if isinstance(each, _Heard)])
            tree = _Tree(entries)
            made = [
                (conversation or trace, turn)
                for conversation, group in tree.conversations().items()
                for turn in _turns(group, tree)
            ]
            left_out += not made
            for number, (name, (began, line, turn)) in enumerate(made):
                packed = msgspec.json.encode(turn)
                results.add(name, ((began, line, entries[0].number, number), packed))
        return results, left_out


class _Heard(msgspec.Struct, tag=0, array_like=True, gc=False):
    """An event that was saved beside the spans; its attributes are JSON."""

    span: str
    name: str
    attributes: bytes


def _hear(entries: Sequence[_Entry], heard: Sequence[_Heard]) -> None:
    """Give the spans of a trace the events that were saved beside them."""
    events: dict[str, list[Event]] = {}
    for each in heard:
        events.setdefault(each.span, []).append(Event(each.name, msgspec.json.decode(each.attributes)))
    for entry in entries if events else ():
        entry.hear(events.get(entry.span, ()))


class _Entry(msgspec.Struct, tag=1, array_like=True, gc=False):
    """One span of a trace: which of all it is, the conversation that it is about, and what it says.

    ``call`` is the tool call that it is about, ``kept`` what a dialogue has no place for: JSON, empty without any.
    """

    line: int
    number: int
    span: str
    parent: str
    start: float
    error: str
    conversation: str
    said: Said
    call: bytes
    kept: bytes

    @classmethod
    def of(cls, span: Span, line: int, number: int) -> _Entry:
        """What is kept of a span."""
        attributes = Told.of(span.attributes)
        conversation = str(attributes.first(CONVERSATION) or "")
        told = said(attributes, span.events)
        call = msgspec.json.encode(tool_call(span, attributes)) if told.kind == "tool" else b""
        kept = msgspec.json.encode(span.kept) if span.kept else b""
        return cls(line, number, span.span, span.parent, span.start, span.error, conversation, told, call, kept)

    def hear(self, events: Sequence[Event]) -> None:
        """Events that were saved beside the span: what was not captured in it."""
        if events and not (self.said.question and self.said.answer):
            told = said(Told.of({"gen_ai.operation.name": "chat"}), events)
            self.said.question = self.said.question or told.question
            self.said.answer = self.said.answer or told.answer
            self.said.before = self.said.before or told.before


class _Tree:
    """The spans of one trace, in the order in which they began, and which lies within which."""

    def __init__(self, entries: Sequence[_Entry]) -> None:
        self._by_id = {entry.span: entry for entry in entries}
        self._entries = sorted(entries, key=lambda entry: entry.start)

    def above(self, entry: _Entry) -> Iterator[_Entry]:
        """The spans around one, inmost first; spans that were not saved end it."""
        seen = {entry.span}
        parent = self._by_id.get(entry.parent)
        while parent is not None and parent.span not in seen:
            seen.add(parent.span)
            yield parent
            parent = self._by_id.get(parent.parent)

    def depth(self, entry: _Entry) -> int:
        """How many spans lie around one."""
        return sum(1 for _ in self.above(entry))

    def conversations(self) -> dict[str, list[_Entry]]:
        """Spans by their conversation: their own, that of a span around them, or the only one of the trace."""
        named = {entry.conversation for entry in self._entries if entry.conversation}
        only = next(iter(named)) if len(named) == 1 else ""
        if len(named) < 2:
            return {only: self._entries}
        results: dict[str, list[_Entry]] = {}
        for entry in self._entries:
            around = (each.conversation for each in (entry, *self.above(entry)) if each.conversation)
            results.setdefault(next(around, ""), []).append(entry)
        return results


def _turns(entries: Sequence[_Entry], tree: _Tree) -> Iterator[tuple[float, int, dict[str, Any]]]:
    """The turns of one trace and conversation, each with when it began and the line of its first span."""
    parts = _parts(entries)
    for part in parts:
        turn = _turn(part, tree, alone=len(parts) == 1)
        if turn is not None:
            yield part[0].start, min(entry.line for entry in part), turn


def _parts(entries: Sequence[_Entry]) -> list[list[_Entry]]:
    """Spans by turn: a call of a model that was given the answer of an earlier call as history begins another."""
    parts: list[list[_Entry]] = [[]]
    answers: set[str] = set()
    question = ""
    waiting: list[_Entry] = []
    for entry in entries:
        told = entry.said
        if told.kind != "model":
            waiting.append(entry)  # what is retrieved for an answer comes before it
            continue
        if told.before in answers and told.question != question:
            parts.append([])
            answers = set()
        parts[-1] += [*waiting, entry]
        waiting = []
        question = told.question or question
        if told.answer:
            answers.add(told.answer)
    parts[-1] += waiting
    return parts


def _turn(entries: Sequence[_Entry], tree: _Tree, *, alone: bool) -> dict[str, Any] | None:
    """One turn, without its number; None where there is no question, or nothing came of it."""
    by_kind: dict[str, list[_Entry]] = {}
    for entry in entries:
        by_kind.setdefault(entry.said.kind, []).append(entry)
    models = [entry.said for entry in by_kind.get("model", ())]
    whole = _outermost(by_kind.get("whole", []), tree) if alone else []
    contexts = _contexts(entries, tree)
    asked = next((said.question for said in whole if said.question), "")
    told = next((said.answer for said in reversed(whole) if said.answer), "")
    if not asked:
        sought = by_kind["retrieval"][0].said.question if "retrieval" in by_kind else ""
        first = next((model.question for model in models if model.question), "")
        # A prompt that holds the passages is no question; what they were sought by is.
        asked = (sought or first) if any(context in first for context in contexts) else (first or sought)
    told = told or next((model.answer for model in reversed(models) if model.answer), "")
    failed = "" if told else next((entry.error for entry in entries if entry.error), "")
    if not asked or not (told or failed):
        return None
    tools = [msgspec.Raw(entry.call) for entry in by_kind.get("tool", ())]
    ended = next((model.finish_reason for model in reversed(models) if model.finish_reason), None)
    kept = min((entry for entry in entries if entry.kept), key=tree.depth, default=None)
    return {
        "user_text": asked,
        "gt_assistant_text": "",
        "gt_turn_tags": None,
        "turn_status": "ok" if told else "error",
        "pred_assistant_text": told,
        **({} if told else {"error": failed}),
        **({"tools": tools} if tools else {}),
        **({"recall": {"items": [{"content": text} for text in contexts]}} if contexts else {}),
        **({"replay": {"finish_reason": ended}} if ended else {}),
        **({"metadata": msgspec.Raw(kept.kept)} if kept else {}),
    }


def _outermost(entries: Sequence[_Entry], tree: _Tree) -> list[Said]:
    """What the spans say that are more than one call, of those only around which no other says anything."""
    told = [entry for entry in entries if entry.said.question or entry.said.answer]
    depths = [tree.depth(entry) for entry in told]
    least = min(depths, default=0)
    return [entry.said for entry, depth in zip(told, depths, strict=True) if depth == least]


def _contexts(entries: Sequence[_Entry], tree: _Tree) -> list[str]:
    """Texts that were retrieved, each once; of searches within a search, what the outer one gave."""
    results: dict[str, None] = {}
    for entry in entries:
        if entry.said.documents and not any(each.said.documents for each in tree.above(entry)):
            results |= dict.fromkeys(entry.said.documents)
    return list(results)
