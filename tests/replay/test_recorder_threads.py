"""Agents tell what they do from many threads; none of them may be the first to read a type."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys, threading
sys.setswitchinterval(1e-6)
from turnmark.replay.run.observer import TurnRecorder
start = threading.Barrier(8)
def tell():
    recorder = TurnRecorder()
    recorder.turn_start(1, "x")
    start.wait()
    recorder.recall_done(query="q", items=[{"content": "a"}])
    recorder.profile_snapshot(risk_level="x")
threads = [threading.Thread(target=tell) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


@pytest.mark.slow
def test_the_first_payloads_may_come_from_many_threads_at_once() -> None:
    for _ in range(60):
        assert subprocess.run([sys.executable, "-c", PROGRAM], check=False, timeout=60).returncode == 0
