import pytest
from scope_cases_en import CASES as EN
from scope_cases_ko import CASES as KO
from scope_cases_zh import CASES as ZH

from turnmark.language.analysis import analyse
from turnmark.language.scope.reader import Scope, scope_at

NAMES = {"warned": "warned_against", "other": "addressed_to_other"}


def marked(text: str) -> tuple[str, int, int]:
    start = text.index("⟦")
    end = text.index("⟧") - 1
    return text.replace("⟦", "").replace("⟧", ""), start, end


def says(scope: Scope, name: str) -> bool:
    if name == "double":
        return scope.negation == "double"
    return bool(getattr(scope, NAMES.get(name, name)))


@pytest.mark.parametrize(("marked_text", "expected"), ZH + KO + EN)
def test_scope(marked_text: str, expected: str) -> None:
    text, start, end = marked(marked_text)
    scope = scope_at(text, start, end)
    for name in expected.split():
        wanted = not name.startswith("-")
        assert says(scope, name.removeprefix("-")) is wanted, (name, scope)


def test_enough_cases_a_language() -> None:
    assert min(len(ZH), len(KO), len(EN)) >= 40


def test_analysis_gives_the_same_answer() -> None:
    text, start, end = marked("不要⟦加杠杆⟧，但可以做两融。")
    assert analyse(text).scope((start, end)) == scope_at(text, start, end)


def test_empty_text_has_a_plain_scope() -> None:
    assert scope_at("", 0, 0) == Scope()
    assert not any(Scope())  # nothing is said of it: not allowed, not reported, nobody named


def test_offsets_survive_a_text_whose_length_folding_changes() -> None:
    text, start, end = marked("10㎏\u200b以上。不要⟦加杠杆⟧。")
    assert scope_at(text, start, end).warned_against
