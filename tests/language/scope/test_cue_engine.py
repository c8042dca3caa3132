"""The cue engine: which words of a lexicon are cues, where they are found, how negations make a chain."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.language.match.phrases import Phrases
from turnmark.language.match.shared_automaton import SharedAutomaton
from turnmark.language.scope.chain import chain_length
from turnmark.language.scope.cues import Cue, CuesOfText, Lexicon, asks, joined, scope_kinds, starting
from turnmark.language.scope.reader import ScopeReader
from turnmark.language.text.fold import fold
from turnmark.language.text.segment import segment

LEXICON = Lexicon(
    {
        "skip": ["特别", "不错"],
        "neg": ["不", "没有", "别", "not", "안 "],
        "ban": ["不要", "don't"],
        "advise": ["要", "can", "바람"],
    }
)


def found(text: str, lexicon: Lexicon = LEXICON) -> list[tuple[str, set[str]]]:
    folded = fold(text).text
    return [(folded[cue.start : cue.end], set(cue.kinds)) for cue in lexicon.find(folded)]


@pytest.mark.parametrize(
    ("text", "cues"),
    [
        ("不要买", [("不要", {"ban"})]),
        ("特别好", []),
        ("这不错，但别买", [("别", {"neg"})]),
        ("加不加", [("不", {"question"})]),
        ("不加", [("不", {"neg"})]),
        ("Cannot", []),
        ("can't", []),
        ("You CAN.", [("can", {"advise"})]),
        ("don't", [("don't", {"ban"})]),
        ("knot", []),
        ("바람 안 불어", [("바람", {"advise"}), ("안 ", {"neg"})]),
    ],
)
def test_which_words_are_cues(text: str, cues: list[tuple[str, set[str]]]) -> None:
    assert found(text) == cues


def test_a_word_may_have_several_kinds() -> None:
    assert found("停", Lexicon({"warn": ["停"], "order": ["停"]})) == [("停", {"warn", "order"})]


def test_of_rivals_in_a_shared_pass_the_longer_word_counts_and_others_are_all_found() -> None:
    lexicon = Lexicon(
        {"frees": ["不要"], "advises": ["要"], "label": ["要"]},
        shared=SharedAutomaton(),
        rivals=frozenset(("frees", "advises")),
    )
    assert found("不要", lexicon) == [("不要", {"frees"}), ("要", {"label"})]
    assert found("要", lexicon) == [("要", {"advises", "label"})]


RIVALS = st.lists(st.sampled_from(["切", "切勿", "勿", "勿切", "勿切勿", "好", "x"]), min_size=1, max_size=12)


@given(RIVALS)
def test_rivals_are_those_that_no_longer_one_holds(parts: list[str]) -> None:
    words = ["切", "切勿", "勿", "勿切", "勿切勿"]
    text = "".join(parts)
    lexicon = Lexicon({"a": words}, shared=SharedAutomaton(), rivals=frozenset("a"))
    every = [(start, start + len(word)) for word in words for start in range(len(text)) if text.startswith(word, start)]
    alone = [
        one for one in every if not any(other != one and other[0] <= one[0] and one[1] <= other[1] for other in every)
    ]
    assert [cue[:2] for cue in lexicon.find(text) if "a" in cue.kinds] == sorted(alone)


@given(st.lists(st.sampled_from(["不要买\n", "特别", "can ", "没有，", "\n", "１０㎏不要"]), max_size=9), st.booleans())
def test_cues_by_line_are_those_of_the_text(parts: list[str], original: bool) -> None:
    folded = fold("".join(parts))
    whole = LEXICON.find(folded.text)
    if original:
        whole = [Cue(*folded.to_original(start, end), kinds) for start, end, kinds in whole]
    cues = CuesOfText(LEXICON, folded, original=original)
    assert cues.within(0, 10**6) == whole
    for start in range(0, len(folded.text), 3):
        assert cues.within(start, start + 4) == starting(whole, start, start + 4)


def test_a_suite_adds_words_to_the_shipped_lexicon() -> None:
    text = "nixnix any futures."
    span = text.index("futures"), text.index("futures") + 7
    own = Lexicon(joined(scope_kinds(), {"warn": ["nixnix"]}))
    assert ScopeReader(segment(text), own).read(*span).warned_against
    assert not ScopeReader(segment(text)).read(*span).warned_against


def test_a_word_that_begins_with_a_letter_and_ends_on_none_may_be_followed_by_letters() -> None:
    assert found("ab级x", Lexicon({"a": ["ab级"]})) == [("ab级", {"a"})]
    assert found("xab级", Lexicon({"a": ["ab级"]})) == []


def test_what_must_follow_is_no_part_of_a_cue() -> None:
    lexicon = Lexicon({"skip": ["不止"], "neg": ["不|止损"]})
    assert found("不止损", lexicon) == [("不", {"neg"})]
    assert found("不止一次", lexicon) == []


def test_offsets_are_those_of_the_folded_text() -> None:
    assert CuesOfText(LEXICON, fold("10㎏不要")).within(0, 9) == [Cue(4, 6, frozenset(("ban",)))]


@pytest.mark.parametrize(
    ("ending", "asked"),
    [
        ("买吗", True),
        ("买吗。", True),
        ("buy?", True),
        ('buy?")', True),
        ("买。", False),
        ("吗我", False),
        ("买吗_", False),
        ("", False),
    ],
)
def test_what_asks(ending: str, asked: bool) -> None:
    assert asks(ending) is asked


@pytest.mark.parametrize(
    ("text", "longest_gap", "length"),
    [
        ("不是不能买", None, 2),
        ("不能买", None, 1),
        ("不好不买", None, 1),
        ("不能不会不买", None, 3),
        ("不会不买", 0, 1),
        ("买", None, 0),
    ],
)  # fmt: skip
def test_negations_in_a_chain(text: str, longest_gap: int | None, length: int) -> None:
    cues = [cue for cue in LEXICON.find(text) if "neg" in cue.kinds]
    assert chain_length(text, cues, text.index("买"), Phrases(["是", "会", "能"]), longest_gap) == length
