"""One pass for several finders: each gets its own matches, as a plain search finds them."""

from hypothesis import given
from hypothesis import strategies as st

from turnmark.language.match.shared_automaton import SharedAutomaton
from turnmark.language.quantity.not_amounts import comparator_after, comparator_before

WORDS = st.lists(st.text("약술甲a", min_size=1, max_size=3), min_size=1, max_size=4, unique=True)


@given(st.lists(WORDS, min_size=1, max_size=3), st.text("약술甲a ", max_size=20))
def test_each_finder_gets_what_a_plain_search_finds(lists: list[list[str]], text: str) -> None:
    shared = SharedAutomaton()
    finders = [shared.add(words) for words in lists]
    for finder, words in zip(finders, lists, strict=True):
        expected = {
            (number, start, start + len(word))
            for number, word in enumerate(words)
            for start in range(len(text))
            if text.startswith(word, start)
        }
        found = shared.find(finder, text)
        assert set(found) == expected
        assert len(found) == len(expected)


def test_a_finder_that_comes_later_is_found_in_the_same_text() -> None:
    shared, text = SharedAutomaton(), "술과 약"
    first = shared.add(["술"])
    assert shared.find(first, text) == [(0, 0, 1)]
    second = shared.add(["약", "술"])
    assert sorted(shared.find(second, text)) == [(0, 3, 4), (1, 0, 1)]
    assert shared.add(["술"]) == first


def test_comparators_of_every_kind_are_found_beside_a_number() -> None:
    for word, kind in (
        ("at least", "at_least"), ("no less than", "at_least"), ("up to", "at_most"), ("not exceeding", "at_most"),
        ("capped at", "at_most"), ("below", "less_than"), ("short of", "less_than"), ("over", "more_than"),
        ("exceeds", "more_than"), ("about", "about"), ("approx", "about"), ("최대", "at_most"), ("적어도", "at_least"),
        ("최저", "at_least"), ("약", "about"), ("대략", "about"), ("不超过", "at_most"), ("至少", "at_least"),
        ("低于", "less_than"), ("约", "about"),
    ):  # fmt: skip
        text = f"it is {word} 7"
        assert comparator_before(text, len(text) - 1) == kind, word
    for word, kind in (
        ("or less", "at_most"), ("이하", "at_most"), ("까지는", "at_most"), ("以内", "at_most"),
        ("or more", "at_least"),
        ("이상", "at_least"), ("부터", "at_least"), ("미만", "less_than"), ("보다 낮", "less_than"),
        ("초과", "more_than"),
        ("을 넘", "more_than"), ("左右", "about"), ("정도", "about"), ("or so", "about"),
    ):  # fmt: skip
        assert comparator_after(f"7% {word}", 2)[0] == kind, word


def test_a_finder_that_is_added_later_shares_literals_and_disturbs_nobody() -> None:
    shared = SharedAutomaton()
    first, second = shared.add(["a", "b"]), shared.add(["b", "c"])
    assert shared.find(second, "abc") == [(0, 1, 2), (1, 2, 3)]
    third = shared.add(["c", "a"])
    assert shared.find(first, "cab") == [(0, 1, 2), (1, 2, 3)]
    assert shared.find(third, "cab") == [(0, 0, 1), (1, 1, 2)]
    assert shared.find(second, "bca") == [(0, 0, 1), (1, 1, 2)]
