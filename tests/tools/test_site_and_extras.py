"""Links of the site's pages, and the list of what each extra can import."""

import importlib.util
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"


def tool(name):
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("home", "given", "wanted"),
    [
        ("", "[x](docs/rag.md#a)", "[x](rag.md#a)"),
        ("", "![x](docs/images/report.png)", "![x](images/report.png)"),
        ("", "[x](README.ko.md)", "[x](index.ko.md)"),
        ("docs", "[x](../README.md)", "[x](index.md)"),
        ("docs", "[x](../benchmarks/llm_judge.py)", "x (`benchmarks/llm_judge.py`)"),
        ("docs", "[x](https://a.example/b)", "[x](https://a.example/b)"),
        ("docs", "[x](#here)", "[x](#here)"),
    ],
)
def test_links_hold_in_the_site(home, given, wanted):
    site = tool("documentation")
    assert site.page(given, site.ROOT / home) == wanted


def test_every_page_of_docs_is_in_the_navigation():
    site = tool("documentation")
    told = (site.ROOT / "mkdocs.yml").read_text("utf-8")
    pages = sorted(path.name for path in (site.ROOT / "docs").glob("*.md") if f"- {path.name}\n" not in told)
    assert pages == ["README.md", "architecture.md"]
    assert all(f"reference/{face}.md" in told for face in site.FACES)


def test_every_extra_says_what_it_can_import():
    assert {"excel", "otlp", "ray"} <= set(tool("extras").extras())
