"""A user's pairs of opposites are laid over those that come with turnmark."""

from __future__ import annotations

from turnmark.language.values import compare_texts
from turnmark.language.values.opposition.opposites import OppositeReader, Opposites, Pair, overlaid, shipped_opposites


def test_own_pairs_are_laid_over_the_shipped_ones() -> None:
    shipped = shipped_opposites()
    own = Opposites(pairs={"senior": Pair(one={"en": "senior"}, other={"en": "junior"})}, truth=shipped.truth)
    reader = OppositeReader(overlaid(shipped, own))

    (found,) = compare_texts("The loan is senior", ["The loan is junior"], opposites=reader)
    assert (found.state, found.reason) == ("conflicting", "opposite senior ≠ junior")
    assert compare_texts("The loan is senior", ["The loan is junior"]) == ()
    (known,) = compare_texts("The test was positive", ["The test was negative"], opposites=reader)
    assert known.state == "conflicting"


def test_a_denied_word_counts_for_the_other_side() -> None:
    for claim, material in (
        ("The price includes breakfast", "The price does not include breakfast"),
        ("价格包含早餐", "价格不包含早餐"),
        ("조식이 포함됩니다", "조식은 포함되지 않습니다"),
    ):
        assert "conflicting" in [each.state for each in compare_texts(claim, [material])]
