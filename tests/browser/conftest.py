from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1] / "report"))

import report_small_run as small_run

from turnmark.pipeline.publishing.report import write_report
from turnmark.runs.folder import OVERRIDES

OVERRIDE = {
    "dialog_id": "d-chinese", "turn_pair_id": 2, "metric": "compliance", "label": "compliance_label",
    "marked": "minor_violation", "reviewer": "<img src=x onerror=alert(1)>", "reason": "it warns", "date": "2026-03-02",
}  # fmt: skip
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real Chromium, driven by playwright.

    It runs an event loop in this thread, so it may not outlive its module: tests of coroutines could not run.
    """
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("no Chromium found; on Debian: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=path, headless=True, args=["--no-sandbox", "--disable-gpu"]
        )
        yield running
        running.close()


@pytest.fixture(scope="session")
def report_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The HTML report of the small run."""
    folder = tmp_path_factory.mktemp("browser")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        run = small_run.build(folder)
        (run / OVERRIDES).write_text(json.dumps(OVERRIDE) + "\n", encoding="utf-8")
        return write_report(run)[1]
