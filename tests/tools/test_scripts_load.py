"""Scripts that no other test runs still find all they import."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
SCRIPTS = sorted(PROJECT.glob("tools/*.py"))


@pytest.mark.parametrize("path", SCRIPTS, ids=[path.stem for path in SCRIPTS])
def test_a_script_of_tools_finds_what_it_imports(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(path.parent))

    assert runpy.run_path(str(path), run_name="loaded")["__doc__"]
