"""A reader that a text is not open to would find nothing in it, and any text goes through every reader."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_any_text_is_read import texts
from test_pairs_of_values import OUTSIDE, PAIRS

from turnmark.language.quantity.quantity import folded_quantities
from turnmark.language.text.fold import fold
from turnmark.language.values import counts, read_values, reader
from turnmark.language.values.reader import OPENINGS, READERS, read_amounts, read_codes

DEV = Path(__file__).parents[4] / "shared" / "data" / "dev"
NAMES = (*READERS, "counted")
WRITTEN = [side for pair in (*PAIRS, *OUTSIDE) for side in (pair.claim, pair.material)]
MORE = [
    "AA+", "Baa3", "A등급", "BBB 이상", "上半年", "하반기", "first half", "지하 2층", "B1층", "五星级", "4성급",
    "5-star", "上世纪九十年代", "twice a day", "七五折", "doubled", "3-fold", "翻两番", "사나흘", "이삼일",
    "月底", "매월 말", "end of the month", "하루", "七日内", "noon", "half past nine", "five to ten pm", "半夜",
    "자정", "(수)", "周三", "May", "Sunday", "第二条", "제3조", "2등급", "type ii", "class a", "§5", "Q3",
    "600519", "α", "+++", "(-)", "AB型", "O blood", "120/80", "3 比 1", "over 9",
]  # fmt: skip
"""A value of every reader, so that what is drawn from them opens each."""
slices = st.tuples(st.sampled_from(WRITTEN), st.integers(0, 40), st.integers(1, 24)).map(
    lambda drawn: drawn[0][drawn[1] : drawn[1] + drawn[2]]
)
pieces = st.lists(st.one_of(texts, slices, st.sampled_from(MORE)), min_size=1, max_size=4).map("".join)


def found(name: str, text: str) -> list:
    folded = fold(text)
    if name == "counted":
        return list(counts.counted(folded.text))
    return list(READERS[name].read(folded, folded_quantities(folded)))


def check(text: str) -> None:
    folded = fold(text)
    opened = OPENINGS.of(folded.text)
    for name in NAMES:
        values = found(name, text)
        assert name in opened or values == [], (name, text, values)
        for value in values:
            assert 0 <= value.start < value.end <= len(folded.text)


@settings(deadline=None, max_examples=400)
@given(pieces)
def test_a_reader_that_is_not_open_would_find_nothing(text):
    check(text)


@settings(deadline=None, max_examples=100)
@given(pieces)
def test_amounts_and_codes_lie_in_any_text(text):
    folded = fold(text)
    for value in (*read_amounts(folded), *read_codes(folded)):
        assert 0 <= value.start < value.end <= len(folded.text)


@pytest.mark.parametrize("name", NAMES)
def test_every_reader_finds_something_somewhere_and_is_closed_to_most(name):
    everything = [*WRITTEN, *MORE]
    assert any(found(name, text) for text in everything)
    assert any(name not in OPENINGS.of(fold(text).text) for text in everything)


def test_pairs_are_read_alike_with_every_reader_open(monkeypatch):
    gated = [read_values(text) for text in (*WRITTEN, *MORE)]
    monkeypatch.setattr(reader, "OPENINGS", _AllOpen())
    assert [read_values(text) for text in (*WRITTEN, *MORE)] == gated


@pytest.mark.skipif(not DEV.is_dir(), reason="needs the labelled sets beside the repository")
def test_dev_data_is_read_alike_with_every_reader_open(monkeypatch):
    drawn = [text for path in sorted(DEV.glob("*.jsonl"))[:12] for text in strings(path)]
    assert len(drawn) > 100
    gated = [read_values(text) for text in drawn]
    monkeypatch.setattr(reader, "OPENINGS", _AllOpen())
    assert [read_values(text) for text in drawn] == gated


class _AllOpen:
    def of(self, text: str) -> frozenset[str]:  # noqa: ARG002 - as the one it stands for
        return frozenset(NAMES)


def strings(path: Path) -> list[str]:
    with path.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line, _ in zip(lines, range(25), strict=False)]
    return [text for record in records for text in _texts(record)]


def _texts(part: object) -> list[str]:
    if isinstance(part, str):
        return [part[:600]]
    if isinstance(part, dict):
        part = list(part.values())
    return [text for each in part for text in _texts(each)] if isinstance(part, list) else []
