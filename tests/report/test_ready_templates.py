"""Templates that were compiled beforehand: used where they are those of the text, passed over where they are not."""

from collections.abc import Iterator

import pytest
from jinja2 import Environment
from jinja2.exceptions import TemplateNotFound

from turnmark.report.pages.environment import environment, environment_of


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of the templates that are compiled while the test runs."""
    names: list[str] = []
    compile_as_before = Environment.compile

    def noted(self: Environment, source: str, name: str | None = None, *rest: object, **more: object) -> object:
        names.append(str(name))
        return compile_as_before(self, source, name, *rest, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(Environment, "compile", noted)
    return names


def test_no_shipped_template_is_compiled_when_it_is_loaded(compiled: list[str]) -> None:
    pages = environment_of({})
    for name in pages.list_templates():
        pages.get_template(name)
    assert len(pages.list_templates()) >= 8
    assert compiled == []


def test_a_template_that_was_changed_is_compiled_from_what_it_says_now(compiled: list[str]) -> None:
    pages = environment_of({"index.html.j2": "changed {{ value }}"})
    assert pages.get_template("index.html.j2").render(value="<") == "changed &lt;"
    assert compiled == ["index.html.j2"]


def test_a_template_of_another_package_is_compiled(compiled: list[str]) -> None:
    assert environment_of({"other.html.j2": "{{ 1 + 1 }}"}).get_template("other.html.j2").render() == "2"
    assert compiled == ["other.html.j2"]


def test_two_environments_do_not_share_what_their_templates_find() -> None:
    first, second = environment_of({}), environment_of({"parts.html.j2": "of the second"})
    page, other = first.get_template("page.html.j2"), second.get_template("page.html.j2")
    assert page.root_render_func.__globals__["environment"] is first
    assert other.root_render_func.__globals__["environment"] is second


def test_a_template_that_is_not_there_is_named() -> None:
    with pytest.raises(TemplateNotFound, match="absent"):
        environment().get_template("absent.html.j2")
