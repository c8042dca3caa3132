import importlib.util
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def textbook():
    path = Path(__file__).parents[1] / "reference" / "statistics_textbook.py"
    spec = importlib.util.spec_from_file_location("statistics_textbook", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
