import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.language.text.fold import character_table, fold, fold_text, fold_texts


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ＡＢＣ１２３％", "abc123%"),
        ("回撤（約８％），軟體", "回撤(约8%),软体"),
        ("裡裏臺著衹", "里里台着只"),
        ("“引号”「括号」‘单’", '"引号""括号"\'单\''),
        ("8%—12%～15%", "8%-12%~15%"),
        ("A\u00a0B\u3000C", "a b c"),
        ("1.73m²", "1.73m2"),
        ("97 µmol", "97 μmol"),
        ("Mixed ASCII\tTab\r\n", "mixed ascii tab\n\n"),
        ("\ud800x", "\ufffdx"),
    ],
)
def test_fold_keeps_the_length(text: str, folded: str) -> None:
    result = fold(text)
    assert result.text == folded
    assert result.same_length
    assert result.to_original(1, 2) == (1, 2)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        (unicodedata.normalize("NFD", "당뇨 환자"), "당뇨 환자"),
        ("70㎏와 5㎎", "70kg와 5mg"),
        ("38.5℃", "38.5°c"),
        ("保\u200b本", "保本"),
        ("ﬁnance", "finance"),
        ("cafe\u0301", "café"),
    ],
)
def test_fold_with_a_map(text: str, folded: str) -> None:
    result = fold(text)
    assert result.text == folded
    assert not result.same_length
    assert result.to_original(0, len(folded)) == (0, len(text))


def test_map_points_back_to_the_characters() -> None:
    text = "체중 70㎏, " + unicodedata.normalize("NFD", "혈압")
    result = fold(text)
    start = result.text.index("kg")
    assert text[slice(*result.to_original(start, start + 2))] == "㎏"
    start = result.text.index("혈압")
    span = result.to_original(start, start + 2)
    assert unicodedata.normalize("NFC", text[slice(*span)]) == "혈압"
    assert result.from_original(*span) == (start, start + 2)


def test_table_maps_one_to_one_and_settles_at_once() -> None:
    table = character_table()
    assert all(len(old) == len(new) == 1 for old, new in table.items())
    assert all(table.get(new, new) == new for new in table.values())


ODD = st.sampled_from(
    [
        "\u1112",
        "\u1161",
        "\u11ab",
        "\u0301",
        "㎏",
        "\u200b",
        "臺",
        "Ａ",
        "“",
        "\ud800",
        "a",
        "가",
        "保",
        "\ufdd0",
        "\x00",
    ]
)


@given(st.one_of(st.text(max_size=60), st.lists(ODD, max_size=20).map("".join)))
def test_slices_of_the_folded_text_go_back(text: str) -> None:
    result = fold(text)
    assert len(result.base) == len(result.text)
    if result.same_length:
        assert len(result.text) == len(text)
    previous = 0
    for position in range(len(result.text)):
        start, end = result.to_original(position, position + 1)
        assert previous <= start < end <= len(text)
        assert result.text[position] in fold_text(text[start:end])
        assert result.from_original(start, end)[0] <= position < result.from_original(start, end)[1]
        previous = start
    assert result.to_original(len(result.text), len(result.text)) == (len(text), len(text))


@given(st.text(max_size=60))
def test_folding_again_changes_nothing(text: str) -> None:
    once = fold_text(text)
    twice = fold_text(once)
    # Removing an invisible character can bring a letter and a mark together; then one more fold composes them.
    assert twice == once or len(twice) < len(once)


@given(st.text(alphabet="保本回撤软体abc1%，。", max_size=40))
def test_width_case_and_script_do_not_matter(text: str) -> None:
    back = {new: old for old, new in character_table().items() if "\u4e00" <= old <= "\u9fff"}
    traditional = "".join(back.get(character, character) for character in text)
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
    assert fold_text(traditional) == fold_text(wide) == fold_text(text.upper()) == fold_text(text)


@given(st.lists(st.one_of(st.text(max_size=20), st.lists(ODD, max_size=8).map("".join)), max_size=8))
def test_several_texts_fold_as_each_does(texts: list[str]) -> None:
    assert fold_texts(texts) == [fold_text(text) for text in texts]


def test_texts_that_hold_ends_of_lines_stay_whole() -> None:
    assert fold_texts(["Ａ\r\nB", "", "軟體"]) == ["a\n\nb", "", "软体"]
