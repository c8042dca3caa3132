"""Numbers in patterns: a step of their own, an alternative beside words, and nowhere else."""

import pytest

from turnmark.errors import PackError
from turnmark.language.match.patterns import compile_pattern


@pytest.mark.parametrize(
    ("pattern", "found", "left"),
    [
        ("target|stop ~6 #", "stop at 12.50", "stop at once"),
        ("profit|#% ~6 guaranteed", "8% is guaranteed", "8 is guaranteed"),
        ("profit|#% ~6 guaranteed", "profit guaranteed", "a seat guaranteed"),
        ("配 ~2 #|两 ~1 倍", "配3倍", "配齐倍"),
        ("买 ~4 <security>|#code", "买600519", "买60051"),
        ("买 ~4 <security>|#code", "买茅台", "买菜"),
        ("#%", "占三成", "占三个"),
        ("#%|half", "30% of it", "30 of it"),
        ("#%|half", "half of it", "most of it"),
        ("by ~3 #%? up", "by 5% up", "5% up"),
        ("by ~3 lot|#? up", "by up", "up"),
    ],
)
def test_a_number_is_an_alternative(pattern, found, left):
    compiled = compile_pattern(pattern, {"security": ["茅台"]})
    assert compiled.expression.search(found)
    assert any(anchor in found for anchor in compiled.anchors)
    assert not compiled.expression.search(left)


def test_a_word_list_may_hold_numbers():
    compiled = compile_pattern("buy ~3 <amount>", {"amount": ["a lot", "#"]})
    assert compiled.expression.search("buy 5")
    assert compiled.expression.search("buy a lot")
    assert not compiled.expression.search("buy it")


@pytest.mark.parametrize("pattern", ["buy ~3 at_#|limit", "no.#1", "#code5 buy"])
def test_a_number_inside_a_word_is_refused(pattern):
    with pytest.raises(PackError, match=r"a number .* as a step or an alternative of its own"):
        compile_pattern(pattern, {})


@pytest.mark.parametrize(
    ("pattern", "text", "match"),
    [
        ("买 ~4, 股", "买点股", "买点股"),
        ("买 ~4, 股", "买,股", None),
        ("买 ~4 股", "买,股", "买,股"),
        ("买 ~4,! 股", "买不得股", None),
        ("买 ~3,", "买一点。股", "买一点"),
        ("买 ~3", "买一点", "买"),
        ("<deal> ~2 股", "买家股", None),
        ("<deal> ~2 股", "可买股", None),
        ("<deal> ~2 股", "再买入股", "买入股"),
        ("<deal> ~2 股", "必买它股", None),
        ("<deal> ~2 股", "必买股", "买股"),
    ],
)
def test_gaps_within_a_clause_and_words_inside_longer_ones(pattern, text, match):
    compiled = compile_pattern(pattern, {"deal": ["买"]}, look_alikes=("买家", "可买", "必买它"))
    found = compiled.expression.search(text)
    assert (found and found.group()) == match


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("^ 好的|收到 ~2 $", "好的哦", True),
        ("^ 好的|收到 ~2 $", "好的。", True),
        ("^ 好的|收到 ~2 $", "好的，先买一半", False),
        ("^ okay|thanks $", "okay!", True),
        ("^ okay|thanks $", "okay?", False),
        ("promise ~3 $", "a promise ok.", True),
        ("promise ~3 $", "a promise of profit.", False),
    ],
)
def test_a_gap_before_the_end_counts_and_stops_do_not(pattern, text, matches):
    assert bool(compile_pattern(pattern, {}).expression.search(text)) is matches
