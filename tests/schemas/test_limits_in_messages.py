"""Numbers, lists and texts outside their limits are told by the limit, not by the name of a schema's keyword."""

from typing import Annotated, Any

import msgspec
import pytest

from turnmark.schemas.json_schema import faults
from turnmark.schemas.labels.clinical import ClinicalLabels, read_clinical_labels


class Limited(msgspec.Struct, kw_only=True):
    share: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.5
    size: Annotated[float, msgspec.Meta(gt=0, lt=9)] = 1
    names: Annotated[list[str], msgspec.Meta(min_length=1, max_length=2)] = msgspec.field(default_factory=lambda: ["a"])
    word: Annotated[str, msgspec.Meta(min_length=2, max_length=3)] = "abc"
    table: Annotated[dict[str, Any], msgspec.Meta(min_length=1, max_length=1)] = msgspec.field(
        default_factory=lambda: {"a": 1}
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"share": -0.5}, "0 or more"),
        ({"share": 1.5}, "1 or less"),
        ({"size": 0}, "more than 0"),
        ({"size": 9}, "less than 9"),
        ({"names": []}, "1 or more entries"),
        ({"names": ["a", "b", "c"]}, "at most 2 entries"),
        ({"word": "a"}, "text of 2 or more characters"),
        ({"word": "abcd"}, "text of at most 3 characters"),
        ({"table": {}}, "1 or more fields"),
        ({"table": {"a": 1, "b": 2}}, "at most 1 fields"),
    ],
)
def test_limits_in_words(value, expected):
    (fault,) = faults(value, Limited)
    assert (fault.path, fault.expected) == (f"$.{next(iter(value))}", expected)


@pytest.mark.parametrize("usage", [1e30, -0.5])
def test_usage_of_a_slot_is_a_share(usage):
    labels = {"id": "1", "lang": "en", "turn_id": 1, "question": "?", "answer": "!", "slots_truth": {}}
    assert isinstance(read_clinical_labels(labels | {"slots_used": {"age": 0.5}}, "f", 1), ClinicalLabels)
    problem = read_clinical_labels(labels | {"slots_used": {"age": usage}}, "f", 1)
    assert "$.slots_used" in str(problem)
    assert ("0 or more" if usage < 0 else "1 or less") in str(problem)
