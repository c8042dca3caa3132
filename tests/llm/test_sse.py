from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from turnmark.llm.sse import EventParser, ServerSentEvent

STREAM = (
    "\ufeff: a comment\r\n\r\ndata: 第一行\ndata: 둘째 줄\n\n"
    "event: note\rdata:  two spaces\r\rid: 7\nretry: 10\ndata\n\n"
    "event: nothing\n\ndata: last: with colon\r\n\r\ndata: cut off"
)
EVENTS = [
    ServerSentEvent("message", "第一行\n둘째 줄"),
    ServerSentEvent("note", " two spaces"),
    ServerSentEvent("message", ""),
    ServerSentEvent("message", "last: with colon"),
]


def parsed(chunks):
    parser = EventParser()
    return [event for chunk in chunks for event in parser.feed(chunk)]


def test_fields_comments_line_ends_and_a_stream_that_ends_within_an_event():
    assert parsed([STREAM.encode()]) == EVENTS


@given(st.lists(st.integers(0, len(STREAM.encode())), max_size=30))
def test_where_chunks_end_makes_no_difference(cuts):
    raw = STREAM.encode()
    edges = [0, *sorted(cuts), len(raw)]
    assert parsed(raw[start:end] for start, end in pairwise(edges)) == EVENTS
