"""Labels of readers come in several forms; one schema comes out."""

import pytest

from building import read_lines
from turnmark.schemas.labels.finance import FORBIDDEN_CATEGORIES, RISK_TAGS, RUBRIC_ELEMENTS, read_labels
from turnmark.schemas.problems import Problem


def read(value):
    return read_labels(value, "labels.jsonl", 3)


def test_object_form_keeps_true_false_and_unknown_apart():
    found = read({"id": "1", "reply": "r", "risk_disclosed": {"credit_risk": True, "policy_risk": None}, "rubric": {}})
    assert found.risk_disclosed == {"credit_risk": True, "policy_risk": None}
    assert "volatility_risk" not in found.risk_disclosed


@pytest.mark.parametrize(
    ("field", "vocabulary"),
    [("risk_disclosed", RISK_TAGS), ("rubric", RUBRIC_ELEMENTS), ("forbidden", FORBIDDEN_CATEGORIES)],
)
def test_list_form_says_false_of_what_it_leaves_out(field, vocabulary):
    found = getattr(read({"id": "1", "reply": "r", field: [vocabulary[1], "own"]}), field)
    assert found == {**dict.fromkeys(vocabulary, False), vocabulary[1]: True, "own": True}


def test_nested_gold_form_is_flattened():
    found = read({"id": "1", "reply": "r", "gold": {"compliance": "minor_violation", "forbidden": []}})
    assert found.compliance == "minor_violation"
    assert set(found.forbidden.values()) == {False}


@pytest.mark.parametrize(
    ("used", "expected"),
    [([0, 2], [True, False, True]), ([], [False, False, False]), ([True, None, False], [True, None, False])],
    ids=["places", "none", "booleans"],
)
def test_used_keys_as_places_or_as_booleans(used, expected):
    assert read({"id": "1", "reply": "r", "required_keys": ["a", "b", "c"], "keys_used": used}).keys_used == expected


def test_memory_label():
    found = read({"id": "1", "key": "k", "target": "t", "source": "profile", "text": "x", "label": "partial"})
    assert found.label == "partial"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (5, "labels.jsonl:3: $: expected an object with labels, found integer 5"),
        ({"id": "1", "reply": 5}, "labels.jsonl:3: $.reply: expected Expected `str`, got `int`"),
        ({"id": "1", "target": "t", "key": "k", "text": "x", "source": "mind"},
         "labels.jsonl:3: $.source: expected Invalid enum value 'mind'"),
        ({"reply": "x"}, "labels.jsonl:3: $: expected Object missing required field `id`"),
    ],
    ids=["no object", "wrong type", "unknown source", "no id"],
)  # fmt: skip
def test_fault_names_line_and_field(value, message):
    found = read(value)
    assert isinstance(found, Problem)
    assert str(found) == message


def test_labels_of_the_project_are_all_read(shared):
    folder = shared / "gold" / "finance"
    if not folder.is_dir():
        pytest.skip("../shared/gold/finance, the labels of readers, is missing")
    for path in sorted(folder.glob("*.jsonl")):
        records = read_lines(path)
        assert records
        assert [problem for record in records if isinstance(problem := read(record), Problem)] == []


@pytest.mark.parametrize("tags", [[["x"]], [{}], [None], ["volatility_risk", 5]])
def test_tags_that_are_no_texts_are_named(tags):
    found = read_labels({"id": "a", "reply": "r", "risk_disclosed": tags}, "l.jsonl", 4)
    assert isinstance(found, Problem)
    assert (found.line, found.field) == (4, "$.risk_disclosed")
