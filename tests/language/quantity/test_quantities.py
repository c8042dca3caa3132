import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quantity_cases_en import CASES as EN
from quantity_cases_ko import CASES as KO
from quantity_cases_zh import CASES as ZH

from turnmark.language.quantity.quantity import Quantity, quantities
from turnmark.language.quantity.units import convert, normalise_unit
from turnmark.language.text.fold import fold


def shown(quantity: Quantity) -> str:
    if quantity.kind != "amount":
        return f"<{quantity.kind}>"
    value = f"{quantity.low:.12g}" if quantity.low == quantity.high else f"{quantity.low:.12g}-{quantity.high:.12g}"
    parts = [value, quantity.unit, quantity.comparator, "~" if quantity.approximate else ""]
    return " ".join(part for part in parts if part)


@pytest.mark.parametrize(("text", "expected"), ZH + KO + EN)
def test_quantities(text: str, expected: str) -> None:
    assert " | ".join(shown(quantity) for quantity in quantities(text)) == expected


def test_enough_cases_a_language() -> None:
    assert min(len(ZH), len(KO), len(EN)) >= 60


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("仓位两成半左右", "两成半"),
        ("不超过 12.5 %。", "12.5 %"),
        ("血压131/82mmHg", "131"),
        ("예순일곱 살이십니다", "예순일곱 살"),
        ("3만 5천 원입니다", "3만 5천 원"),
        ("in sixty-seven years", "sixty-seven years"),
        ("第3周", "第3周"),
        ("10㎏\u200b以上", "10㎏"),
    ],
)
def test_spans_hold_number_and_unit(text: str, written: str) -> None:
    first = quantities(text)[0]
    assert text[first.start : first.end] == written


def test_bounds_follow_the_comparator() -> None:
    assert quantities("不超过10%")[0].bounds == (-math.inf, 10)
    assert quantities("至少20%")[0].bounds == (20, math.inf)
    assert quantities("8%-12%")[0].bounds == (8, 12)


@pytest.mark.parametrize(
    ("value", "source", "target", "analyte", "expected"),
    [
        (154, "mg/dl", "mmol/l", "glucose", 8.548),
        (200, "mg/dl", "mmol/l", "LDL", 5.172),
        (150, "mg/dl", "mmol/l", "triglyceride", 1.694),
        (1.2, "mg/dl", "umol/l", "creatinine", 106.08),
        (8.4, "mg/dl", "umol/l", "uric_acid", 499.67),
        (20, "mg/dl", "mmol/l", "bun", 7.139),
        (7.2, "percent", "mmol/mol", "hba1c", 55.18),
        (55.18, "mmol/mol", "percent", "hba1c", 7.2),
        (4.2, "meq/l", "mmol/l", "potassium", 4.2),
        (178, "lb", "kg", None, 80.74),
        (98.6, "fahrenheit", "celsius", None, 37.0),
        (37, "celsius", "fahrenheit", None, 98.6),
        (10, "inch", "cm", None, 25.4),
        (2, "year", "month", None, 24),
        (13.2, "g/dl", "g/l", None, 132),
        (50, "basis_point", "percent", None, 0.5),
    ],
)
def test_convert(value: float, source: str, target: str, analyte: str | None, expected: float) -> None:
    assert convert(value, source, target, analyte) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize(
    ("source", "target", "analyte", "message"),
    [
        ("mg/dl", "mmol/l", None, "without an analyte"),
        ("mg/dl", "mmol/l", "unobtainium", "known analytes"),
        ("kg", "cm", None, "mass is not length"),
        ("smoot", "cm", None, "'smoot'"),
    ],
)
def test_convert_says_why_it_can_not(source: str, target: str, analyte: str | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        convert(1, source, target, analyte)


def test_units_are_normalised_from_any_spelling() -> None:
    assert normalise_unit("mL/min") == "ml/min"
    assert normalise_unit("公斤") == "kg"
    assert normalise_unit("year_old") == "year_old"
    with pytest.raises(ValueError, match="unknown unit"):
        normalise_unit("smoots")


@given(
    st.floats(0.1, 1000), st.sampled_from([("lb", "kg"), ("fahrenheit", "celsius"), ("inch", "cm"), ("week", "day")])
)
def test_conversion_inverts(value: float, units: tuple[str, str]) -> None:
    there = convert(value, *units)
    assert convert(there, units[1], units[0]) == pytest.approx(value)


PIECES = [
    "10%",
    "三成",
    "两年半",
    "예순일곱 살",
    "154 mg/dL",
    "131/82",
    "，",
    "。",
    " ",
    "\n",
    "- ",
    "约",
    "不超过",
    "이하",
    "half",
    "twenty",
    "1/",
    "8-",
    "第",
    "年",
    "点",
    "个",
    "万",
    "％",
]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_spans_are_ordered_and_apart(text: str) -> None:
    found = quantities(text)
    for left, right in pairwise(found):
        assert left.end <= right.start
    for quantity in found:
        assert 0 <= quantity.start < quantity.end <= len(text)
        assert quantity.low <= quantity.high


@given(st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    for quantity in quantities(text):
        assert text[quantity.start : quantity.end]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_case_and_width_do_not_matter(text: str) -> None:
    wide = "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isdigit() else c for c in text)
    assert [q[2:] for q in quantities(text.upper())] == [q[2:] for q in quantities(text)]
    assert [q[2:] for q in quantities(wide)] == [q[2:] for q in quantities(text)]
    assert len(fold(wide).text) == len(fold(text).text)


@pytest.mark.parametrize(
    ("text", "value"),
    [("$3 trillion", 3e12), ("$2bn", 2e9), ("$4 mn", 4e6), ("$5 thousand", 5e3), ("$1.5 billion", 1.5e9)],
)
def test_scales_behind_digits(text: str, value: float) -> None:
    (found,) = quantities(text)
    assert found.low == found.high == value
