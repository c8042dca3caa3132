"""Makes the runs that the tests are about. A real project would have them from `turnmark run`."""

from importlib import resources
from pathlib import Path

from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest

HERE = Path(__file__).parent


def pytest_sessionstart():
    shipped = Path(str(resources.files("turnmark"))) / "examples" / "finance"
    for ours, theirs in (("candidate", "careful"), ("main", "hasty")):
        score(ScoreRequest((shipped / theirs / "dialog_trace.jsonl",), HERE / "runs" / ours))
