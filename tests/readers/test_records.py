"""Records of JSON files, however they are laid out."""

import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import SQUARE, processor_growth
from turnmark.readers.records import record_lines
from turnmark.schemas.jsonl import Line
from turnmark.schemas.problems import Problem

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("ab{}[],: \n\"'값", max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab{}", max_size=3), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.lists(st.dictionaries(st.text("ab{}[]", max_size=3), VALUES, max_size=3), min_size=1, max_size=5)
LAID_OUT = OBJECTS.filter(lambda objects: objects[0])
"""The first object tells the layout of a file; an empty one is the same in all."""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("records") / "records.json"


def read(path):
    return [json.loads(line.raw) for line in record_lines(path)]


@given(objects=LAID_OUT, indent=st.sampled_from([None, 0, 2, "\t"]), blank=st.sampled_from(["\n", "\n\n"]))
def test_objects_one_after_the_other_come_back(path, objects, indent, blank):
    path.write_text(blank.join(json.dumps(each, indent=indent, ensure_ascii=False) for each in objects), "utf-8")
    assert read(path) == objects


def test_lines_are_those_of_the_file(path):
    path.write_text('{\n "a": 1\n}\n\n{\n "a": 2\n}\n')
    assert [(line.number, line.lines) for line in record_lines(path)] == [(1, 3), (5, 3)]


def test_an_object_in_another_layout_over_many_lines(path):
    path.write_text('{"a": [{\n"b": 1}, {\n"b": 2}],\n"c": {\n"d": {}}}\n')
    assert read(path) == [{"a": [{"b": 1}, {"b": 2}], "c": {"d": {}}}]


@pytest.mark.parametrize("lines", [["{", "}x"], ["{", '"a": {', "}", "}", "}"]])
def test_a_damaged_file_is_given_line_by_line_in_time(path, lines):
    def read(times):
        path.write_text("\n".join(lines * times))
        return list(record_lines(path))

    assert processor_growth(read, 2_500, 20_000) < SQUARE
    found = read(20_000)
    assert all(isinstance(line, Line) for line in found)
    assert sum(line.lines for line in found) == len(lines) * 20_000


@given(objects=st.lists(VALUES, max_size=6), indent=st.sampled_from([None, 0, 2, "\t"]))
def test_entries_of_an_array_come_back(path, objects, indent):
    path.write_text(json.dumps(objects, indent=indent, ensure_ascii=False), "utf-8")
    assert read(path) == objects


@given(objects=st.lists(VALUES, min_size=1, max_size=5), cut=st.integers(1, 40), indent=st.sampled_from([None, 2]))
def test_of_an_array_cut_short_the_entries_before_come_and_its_end_is_named(path, objects, cut, indent):
    raw = json.dumps(objects, indent=indent, ensure_ascii=False).encode()
    raw = raw[: max(1, len(raw) - cut)]
    path.write_bytes(raw)
    *entries, problem = record_lines(path)
    assert isinstance(problem, Problem)
    assert problem.line == len(raw.splitlines()) - (not raw.splitlines()[-1].strip())
    assert [json.loads(entry.raw) for entry in entries] == objects[: len(entries)]
    assert f"behind {len(entries)} whole entries" in problem.found


@pytest.mark.parametrize(("text", "found", "line"), [
    ('[{"a": 1},\n{"a": 2]}\n]', "] that closes nothing opened, behind 1 whole", 2),
    ('[{"a": 1},\n{"a": 2}]\n[3]', "more after its end, behind 2 whole", 2),
    ('[{"a": 1}\n', "the end of the file within it, behind 0 whole", 1),
])  # fmt: skip
def test_what_is_wrong_with_an_array_is_told_with_its_line(path, text, found, line):
    path.write_text(text)
    problem = list(record_lines(path))[-1]
    assert found in problem.found
    assert problem.line == line


def test_an_array_is_read_as_it_comes(path):
    entry = json.dumps({"question": '값 ] , \\"' * 50, "nested": [{"a": [1, 2]}]}, indent=1, ensure_ascii=False)
    path.write_text("[" + ",\n".join([entry] * 40_000) + "]", "utf-8")
    tracemalloc.start()
    assert sum(1 for _ in record_lines(path)) == 40_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000 < path.stat().st_size
