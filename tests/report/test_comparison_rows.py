"""Measures without a figure are named in a line, not shown as rows of n/a."""

import msgspec
import pytest

from turnmark.locale.texts import texts_of
from turnmark.report.pages.comparison import leads, verdict_line, with_values, without_values
from turnmark.schemas.results.comparison import ComparedMeasure, PairComparison, TableCell, TableRow


def row(measure: str, *values: float | None) -> TableRow:
    cells = [TableCell(value=value, best=False) for value in values]
    return TableRow(code="M", metric="m", measure=measure, upward=True, cells=cells)


def compared(measure: str, pairs: int) -> ComparedMeasure:
    fields = dict.fromkeys(ComparedMeasure.__struct_fields__)
    known = {"metric": "m", "code": "M", "measure": measure, "upward": True, "pairs": pairs, "dialogs": pairs,
             "wins": 0, "ties": pairs, "losses": 0}  # fmt: skip
    return msgspec.structs.replace(ComparedMeasure(**fields), **known)


@pytest.mark.parametrize(
    ("language", "line"),
    [("en", "Without a figure: M b, M c."), ("zh", "没有数值：M b, M c。"), ("ko", "수치 없음: M b, M c.")],
)
def test_empty_rows_are_named(language: str, line: str) -> None:
    texts = texts_of(language)
    rows = [row("a", 0.5, None), row("b", None, None), row("c", None, None)]
    assert [one.measure for one in with_values(rows)] == ["a"]
    assert without_values(rows, texts) == line
    measures = [compared("a", 3), compared("b", 0), compared("c", 0)]
    assert [one.measure for one in with_values(measures)] == ["a"]
    assert without_values(measures, texts) == line


def test_nothing_is_said_where_all_rows_have_values() -> None:
    assert without_values([row("a", 0.0)], texts_of("en")) == ""


def test_a_row_in_which_all_are_alike_has_no_leader() -> None:
    tied = [TableCell(value=0.5, best=True), TableCell(value=0.5, best=True), TableCell(value=None, best=False)]
    assert not any(leads(cell, tied) for cell in tied)
    ahead = [TableCell(value=0.5, best=False), TableCell(value=0.6, best=True)]
    assert [leads(cell, ahead) for cell in ahead] == [False, True]


def test_the_verdict_counts_measures_with_a_figure() -> None:
    measures = [compared("a", 3), compared("b", 3), compared("c", 3), compared("d", 0)]
    for measure, better in zip(measures, ("first", "first", "second", "undecided"), strict=True):
        measure.better = better
    fields = dict.fromkeys(PairComparison.__struct_fields__)
    pair = msgspec.structs.replace(PairComparison(**fields), first="A", second="B", measures=measures)
    line = "A better on 2, worse on 1, undecided on 0 measures against B."
    assert verdict_line(pair, texts_of("en")) == line
