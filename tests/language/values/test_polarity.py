"""Whether a statement says or denies, in three languages; a denial of a denial says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.language.text.fold import fold_text
from turnmark.language.values import read_polarity


@pytest.mark.parametrize(
    ("language", "text", "sign", "words"),
    [
        ("en", "The card covers travel.", 1, []),
        ("en", "The card doesn't cover travel.", -1, ["n't"]),
        ("en", "The card doesn’t cover travel.", -1, ["n't"]),
        ("en", "It isn't insured.", -1, ["n't"]),
        ("en", "You cannot cancel.", -1, ["cannot"]),
        ("en", "It is not uninsured, nor is it never paid.", -1, ["not", "nor", "never"]),
        ("en", "It is not without risk.", 1, ["not", "without"]),
        ("en", "Not only cards but cash too.", 1, []),
        ("en", "A knot and a notary.", 1, []),
        ("zh", "本卡包含旅行险。", 1, []),
        ("zh", "本卡不包含旅行险。", -1, ["不"]),
        ("zh", "客户没有逾期。", -1, ["没"]),
        ("zh", "合同尚未生效。", -1, ["未"]),
        ("zh", "不能没有抵押。", 1, ["不", "没"]),
        ("zh", "您不得不提前还款。", 1, []),
        ("zh", "未来利率不断上升。", 1, []),
        ("ko", "카드에 여행 보험이 포함됩니다.", 1, []),
        ("ko", "수수료를 안 받습니다.", -1, [" 안 "]),
        ("ko", "중도 해지를 못 합니다.", -1, ["못"]),
        ("ko", "여행 보험은 포함하지 않습니다.", -1, ["않"]),
        ("ko", "이 조항은 적용하지 아니한다.", -1, ["아니"]),
        ("ko", "보장하지 않는 것은 아니다.", 1, ["않", "아니"]),
        ("ko", "연못 옆 지점이 틀림없이 열립니다.", 1, []),
        ("und", "не так", 1, []),
    ],
)
def test_what_denies(language: str, text: str, sign: int, words: list[str]) -> None:
    folded = fold_text(text)
    found = read_polarity(folded, language)
    assert found.sign == sign
    assert [folded[start:end] for start, end in found.denials] == words


@given(text=st.text(alphabet=st.sampled_from("不没有未非得 안못않아니는다not'ncaever."), max_size=40))
def test_spans_are_apart_in_order_and_their_number_is_the_sign(text: str) -> None:
    folded = fold_text(text)
    for language in ("en", "zh", "ko"):
        sign, denials = read_polarity(folded, language)
        assert sign == (-1) ** len(denials)
        position = 0
        for start, end in denials:
            assert position <= start < end <= len(folded)
            position = end
