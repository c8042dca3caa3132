"""Expressions that are compiled when they are first asked."""

import re

import pytest

from turnmark.language.later import later


def test_answers_as_a_compiled_expression_does() -> None:
    asked, plain = later("(?P<word>[a-z]+)", re.IGNORECASE), re.compile("(?P<word>[a-z]+)", re.IGNORECASE)
    text = "1 Two three"
    for _ in range(2):
        found, expected = asked.search(text, 1, 9), plain.search(text, 1, 9)
        assert found is not None
        assert expected is not None
        assert (found.span(), found["word"]) == (expected.span(), expected["word"])
        assert asked.match(text) is None
        assert [match.span() for match in asked.finditer(text)] == [match.span() for match in plain.finditer(text)]
        assert asked.sub("-", text) == plain.sub("-", text)
        assert asked.split(text) == plain.split(text)
        assert asked.findall(text) == plain.findall(text)
        assert (asked.groups, asked.flags, dict(asked.groupindex)) == (plain.groups, plain.flags, {"word": 1})


def test_is_compiled_once_and_not_before_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_as_before = re.compile

    def noted(source: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(source)
        return compile_as_before(source, flags)

    monkeypatch.setattr(re, "compile", noted)
    asked = later("b+")
    assert asked.pattern == "b+"
    assert compiled == []
    assert asked.search("abba") is not None
    assert asked.fullmatch("bb") is not None
    assert compiled == ["b+"]


def test_says_what_is_wrong_where_it_is_asked() -> None:
    with pytest.raises(re.error, match="unterminated"):
        later("(").search("x")
    with pytest.raises(AttributeError, match="no 'found'"):
        later("x").found  # type: ignore[attr-defined]  # noqa: B018
