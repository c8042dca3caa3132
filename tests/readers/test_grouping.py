"""Values by key and in order are the same whether they waited in memory or in files; memory does not grow with them."""

import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.readers.dialogues import dialogue_lines
from turnmark.readers.spans import grouping
from turnmark.readers.spans.dialogs import span_records
from turnmark.readers.spans.grouping import Groups, Ordered

KEYED = st.lists(st.tuples(st.text(st.characters(exclude_categories=["Cs"]), max_size=3), st.text(max_size=20)))


@given(
    given=KEYED.filter(lambda pairs: all(text.isprintable() for _, text in pairs)),
    held=st.sampled_from([0, 500, 1 << 20]),
)
def test_values_of_one_key_come_together_in_the_order_in_which_they_came(given, held):
    groups: Groups[str] = Groups(str, held)
    expected: dict[str, list[str]] = {}
    for key, value in given:
        groups.add(key, value)
        expected.setdefault(key, []).append(value)
    found = list(groups.take())
    assert dict(found) == expected
    assert len(found) == len(expected)
    if held > 500:
        assert [key for key, _ in found] == list(expected)


@given(
    places=st.lists(st.tuples(st.floats(0, 1e9), st.integers(0, 9)), unique=True),
    held=st.sampled_from([0, 500, 1 << 20]),
)
def test_values_come_from_the_least_place_on(places, held):
    ordered: Ordered[str] = Ordered(str, held)
    for place in places:
        ordered.add(place, repr(place))
    assert list(ordered.take()) == [repr(place) for place in sorted(places)]


def otlp(number, text):
    """A line of OTLP with a call of a model, of one of forty conversations."""
    attributes = {
        "gen_ai.operation.name": "chat", "gen_ai.conversation.id": f"c{number % 40}",
        "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": f"问{number}?"}]}]),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": text}]}]),
    }  # fmt: skip
    span = {
        "traceId": f"{number:032x}", "spanId": f"{number:016x}", "name": "chat",
        "startTimeUnixNano": str((1_760_000_000 + number * 7919 % 1000) * 10**9),
        "attributes": [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()],
    }  # fmt: skip
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}, ensure_ascii=False)


@pytest.fixture
def spans(tmp_path):
    path = tmp_path / "spans.jsonl"
    path.write_text("\n".join(otlp(number, f"답 {number} " * 50) for number in range(400)) + "\n", "utf-8")
    return path


def test_dialogues_are_the_same_bytes_when_spans_wait_in_files(spans, monkeypatch):
    held = list(dialogue_lines(spans, span_records(spans)))
    assert len(held) == 40
    monkeypatch.setattr(grouping, "HELD", 2000)
    assert list(dialogue_lines(spans, span_records(spans))) == held


def test_memory_does_not_grow_with_the_file(spans, tmp_path, monkeypatch):
    monkeypatch.setattr(grouping, "HELD", 100_000)
    longer = tmp_path / "longer.jsonl"
    longer.write_text("\n".join(otlp(number, f"답 {number} " * 50) for number in range(400, 4000)) + "\n", "utf-8")
    peaks = []
    for path in (spans, longer):
        tracemalloc.start()
        turns = sum(line.raw.count(b'"turn_pair_id"') for line in dialogue_lines(path, span_records(path)))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert turns == 3600
    # Nine times the file; one conversation of ninety turns is held whole.
    assert peaks[1] < 2 * peaks[0]
