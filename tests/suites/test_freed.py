"""A scored dialogue holds no cycles: what was read of it goes as soon as its rows are written."""

import gc
from pathlib import Path

import pytest

import turnmark
from turnmark.pipeline.scoring.run_naming import Source
from turnmark.pipeline.scoring.worker import ScoreRequest, Worker

EXAMPLES = Path(turnmark.__file__).parent / "examples"


@pytest.mark.parametrize(
    ("suite", "path"),
    [("finance", "finance/hasty/dialog_trace.jsonl"), ("clinical", "clinical/agent/events.jsonl"),
     ("rag", "rag/cases.jsonl")],
)  # fmt: skip
def test_nothing_of_a_scored_dialogue_waits_for_the_collector(suite: str, path: str, tmp_path: Path) -> None:
    request = ScoreRequest((EXAMPLES / path,), tmp_path, suite=suite)
    made = request.make_suite()
    lines = list(Source(EXAMPLES / path, made))[:4]
    worker = Worker(request, made)
    worker.score(lines)  # what is made once a process may hold cycles
    gc.collect()
    gc.disable()
    try:
        results = worker.score(lines)
        del results
        assert gc.collect() == 0
    finally:
        gc.enable()
