"""Tables on terminals of any width: names and numbers whole, columns dropped by rank."""

import io

import pytest
from rich.console import Console

from turnmark.cli.table import Column, _pieces, print_columns

COLUMNS = [
    Column("measure", ["M1 key_coverage", "M3 strict_risk_coverage_rate ↓"], 0, number=False),
    Column("a_rather_long_name_of_a_system", ["0.931", "0.717"], 3),
    Column("difference", ["−0.715", "−0.651"], 1),
    Column("better / same / worse", ["1/28/80", "0/53/99"], 4),
    Column("verdict", ["판정 불가", "careful better"], 2, number=False, wraps=True),
]


def printed(width):
    out = io.StringIO()
    whole = print_columns(Console(file=out, width=width, color_system=None), "title", COLUMNS, ["M1", "M3"])
    return out.getvalue(), whole


@pytest.mark.parametrize("width", [48, 60, 80, 100, 140])
def test_names_and_numbers_stay_whole(width):
    text, _ = printed(width)
    assert "M3 strict_risk_coverage_rate ↓" in text
    assert "−0.715" in text or width < 50
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width


def test_a_wide_terminal_shows_all_columns_and_a_narrow_one_those_of_low_rank():
    assert printed(140)[1]
    text, whole = printed(60)
    assert not whole
    assert "difference" in text
    assert "better / same" not in text
    assert "careful" in text


def test_heads_break_at_joints():
    assert _pieces("a_rather_long_name_of_a_system", 14) == ["a_rather_long_", "name_of_a_", "system"]
    assert _pieces("better / same / worse", 8) == ["better /", "same /", "worse"]
    assert "".join(_pieces("x" * 20, 7)) == "x" * 20
    assert _pieces("", 5) == [""]
