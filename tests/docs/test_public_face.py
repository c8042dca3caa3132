"""Documents and examples import what is public, and nothing else of turnmark."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import turnmark

PROJECT = Path(__file__).parents[2]
PUBLIC = {"turnmark", "turnmark.errors", *(f"turnmark.{face}" for face in turnmark._FACES)}
DOCUMENTS = sorted([*PROJECT.glob("README*.md"), *PROJECT.glob("docs/*.md"), *PROJECT.glob("examples/**/*.md")])
EXAMPLES = sorted(PROJECT.glob("examples/**/*.py"))
IMPORT = re.compile(r"^\s*(?:>>> )?(?:from|import) (turnmark[\w.]*)", re.MULTILINE)


def imported(code):
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_imports_what_is_public(path):
    names = {name for name in imported(path.read_text("utf-8")) if name.split(".")[0] == "turnmark"}
    assert names <= PUBLIC


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_imports_what_is_public(path):
    if path.name == "architecture.md":
        pytest.skip("speaks of the inside")
    assert set(IMPORT.findall(path.read_text("utf-8"))) <= PUBLIC


@pytest.mark.parametrize("face", turnmark._FACES)
def test_every_name_of_a_face_is_there_and_says_what_it_is(face):
    module = getattr(turnmark, face)
    assert module.__doc__
    for name in getattr(module, "__all__", ()):
        assert hasattr(module, name), name


def test_the_names_of_the_package_are_those_of_the_evaluation():
    for name in ("score", "compare", "gate", "load", "Result", "Figure"):
        assert getattr(turnmark, name) is getattr(turnmark.evaluation, name)
