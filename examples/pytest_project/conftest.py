"""Makes the runs that the tests are about. A real project would have them from `turnmark run`."""

from importlib import resources
from pathlib import Path

import turnmark

HERE = Path(__file__).parent


def pytest_sessionstart():
    shipped = Path(str(resources.files("turnmark"))) / "examples" / "finance"
    for ours, theirs in (("candidate", "careful"), ("main", "hasty")):
        turnmark.score(shipped / theirs, suite="finance", out=HERE / "runs" / ours)
