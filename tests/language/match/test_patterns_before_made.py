"""A pattern without its expression finds what that would find, and makes none where a step is missing."""

from hypothesis import given
from hypothesis import strategies as st

from turnmark.language.match.patterns import compile_any, compile_pattern
from turnmark.packs.rule_packs import DETECTORS, shipped_packs

PATTERNS = [
    (pattern, pack.words)
    for detector in DETECTORS
    for pack, _ in shipped_packs(detector)
    for rule in pack.rules
    for pattern in (*rule.any, *rule.all, *rule.unless)
]
FILLS = {"#": "30", "#%": "30%", "#code": "600519"}


def _text(pattern, words, choose):
    """A text that should hold a pattern: one literal of each step, spaces doubled as nobody minds."""
    parts = []
    for part in pattern.split():
        if part.startswith("~") or part in {"^", "$", "!"}:
            continue
        chosen = choose(part.removeprefix("@").removesuffix("?").split("|"))
        if chosen.startswith("<") and chosen.endswith(">"):
            chosen = choose(words[chosen[1:-1]])
        parts.append(FILLS.get(chosen, chosen).rstrip("*").replace("_", "  "))
    return (" " if all(part.isascii() for part in parts) else "").join(parts)


def _span(match):
    return match.span() if match else None


def test_every_shipped_pattern_is_found_as_by_its_expression():
    found = 0
    for pattern, words in PATTERNS:
        text = _text(pattern, words, lambda choices: choices[0]).lower()
        made = compile_pattern(pattern, words)
        expected = _span(made.expression.search(text))
        assert _span(compile_pattern(pattern, words).search(text)) == expected, (pattern, text)
        assert [match.span() for match in compile_pattern(pattern, words).finditer(text)] == [
            match.span() for match in made.expression.finditer(text)
        ], (pattern, text)
        found += expected is not None
    assert found > 0.8 * len(PATTERNS)


@given(st.data())
def test_any_of_their_words_in_any_part_of_a_text(data):
    pattern, words = data.draw(st.sampled_from(PATTERNS))
    other, others = data.draw(st.sampled_from(PATTERNS))
    text = _text(pattern, words, lambda choices: data.draw(st.sampled_from(list(choices)))).lower()
    text += (
        data.draw(st.sampled_from(["", "\n", "。", ", "])) + _text(other, others, lambda choices: choices[-1]).lower()
    )
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    for asked, lists in ((pattern, words), (other, others)):
        expected = _span(compile_pattern(asked, lists).expression.search(text, start, end))
        assert _span(compile_pattern(asked, lists).search(text, start, end)) == expected


def test_no_expression_is_made_where_a_step_is_missing():
    pattern = compile_pattern("净值|价格 ~8 波动|下跌 sharp*", {})
    assert pattern.search("净值会上涨, sharply") is None
    assert pattern.search("波动 sharply") is None
    assert "expression" not in vars(pattern)
    assert _span(pattern.search("净值会下跌sharply", 0)) == (0, 12)
    assert "expression" in vars(pattern)
    assert [match.span() for match in pattern.finditer("价格波动 sharp")] == [(0, 10)]


def test_any_of_several_is_found_as_by_their_expression():
    several = [pattern for pattern, lists in PATTERNS if not lists or "<" not in pattern][:40]
    made = compile_any(several, {})
    for pattern in several:
        text = "另外。" + _text(pattern, {}, lambda choices: choices[-1]).lower()
        expected = _span(made.expression.search(text))
        assert _span(compile_any(several, {}).search(text)) == expected, text
        assert _span(compile_any(several, {}).match(text, 3)) == _span(made.expression.match(text, 3)), text
        assert [_span(match) for match in compile_any(several, {}).finditer(text, 1)] == [
            _span(match) for match in made.expression.finditer(text, 1)
        ], text


def test_any_of_several_makes_no_expression_for_a_text_that_holds_none():
    several = compile_any(["净值 ~8 下跌", "revenue growth"], {})
    assert several.search("净值和revenue") is None
    assert "expression" not in vars(several)
    assert _span(several.search("a revenue  growth")) == (2, 17)
    assert compile_any([], {}).search("净值") is None
    assert compile_any([], {}).match("净值") is None


def test_words_that_begin_alike_share_what_must_not_stand_before_them():
    pattern = compile_pattern("净值 ~4 ! 会跌|会下跌|亏 ~2 多", {})
    for negation in ("没有", "不会", "不可能", "不存在", "不", "未"):
        for word in ("会跌", "会下跌", "亏"):
            assert pattern.search(f"净值{negation}{word}多") is None, negation + word
    assert _span(pattern.search("净值也会下跌得多")) == (0, 8)
    assert _span(pattern.search("净值会跌多")) == (0, 5)
    assert pattern.source.count("不可能") == 2
