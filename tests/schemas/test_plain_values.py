"""Values of Python libraries become the plain values of JSON that they stand for."""

import enum
from dataclasses import dataclass
from datetime import date

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.schemas.plain import Plain, fitted


class Text(str):
    __slots__ = ()

    def __str__(self):
        return "what it is not"


class Level(enum.StrEnum):
    LOW = "low"


@dataclass
class Note:
    text: str
    score: float


class Item(msgspec.Struct):
    content: str = ""
    score: float | None = None


class Recall(msgspec.Struct):
    items: list[Item] | None = None
    query: str | None = None


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Text("字"), "字"),
        (Level.LOW, "low"),
        (np.float32(0.5), 0.5),
        (np.float64(0.25), 0.25),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        ((1, Text("a")), [1, "a"]),
        ({"b", "a"}, ["a", "b"]),
        ({Text("k"): np.int32(1), 2: None}, {"k": 1, "2": None}),
        (Note(Text("t"), np.float16(0.5)), {"text": "t", "score": 0.5}),
        (Item(content="c", score=np.float32(0.5)), {"content": "c", "score": 0.5}),
        (date(2026, 1, 2), "2026-01-02"),
    ],
)
def test_what_a_value_stands_for(value, plain):
    make = Plain()
    assert make(value) == plain
    assert make.faults == []
    assert msgspec.json.decode(msgspec.json.encode(make(value))) == plain


def test_what_stands_for_nothing_is_left_out_and_named():
    make = Plain()
    looped = {"kept": 1, "score": float("nan"), "model": object()}
    looped["self"] = looped
    assert make(looped)["kept"] == 1
    assert make.faults[0] == "$.score: expected a value of JSON, found nan; left out"
    assert make.faults[1] == "$.model: expected a value of JSON, found object; left out"
    assert "$.self.self" in make.faults[-1]


def test_what_does_not_fit_a_record_is_left_out_and_the_rest_stays():
    value = {"items": [{"content": "a", "score": "high"}, 5, {"content": "b"}], "query": 3, "more": 1}
    kept, wrong = fitted(value, Recall)
    assert kept == {"items": [{"content": "a"}, {"content": "b"}], "more": 1}
    assert [fault.partition(":")[0] for fault in wrong] == ["$.items[0].score", "$.items[1]", "$.query"]
    assert value["query"] == 3, "the payload itself is not touched"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(JSON)
def test_plain_values_stay_as_they_are(value):
    make = Plain()
    assert make(value) == value
    assert make.faults == []
