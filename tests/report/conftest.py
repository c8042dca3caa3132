from __future__ import annotations

from pathlib import Path

import pytest
import report_small_run as small_run


@pytest.fixture(scope="session")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the small run, scored once."""
    folder = tmp_path_factory.mktemp("small_run")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return small_run.build(folder)
