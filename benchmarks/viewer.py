"""How fast the viewer answers, over real HTTP: lists over many runs, and one large run.

The shipped finance examples are scored once. Many runs are that run under other names and with other figures (rows,
evidence and trace are links to the same files); the large run is its dialogues again and again under other ids.
``turnmark view`` runs as a process of its own; each page is asked for several times, and the slowest answer counts.

Usage: viewer.py [--runs N] [--turns N] [--repeats N] [--folder DIR]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from scored import scored_share
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.runs.folder import EVIDENCE, MANIFEST, SUMMARY, TRACE, TURN_EVAL

EXAMPLES = Path(__file__).resolve().parents[1] / "src" / "turnmark" / "examples" / "finance"
TURNS_A_RUN = 300
_DIALOG_ID = re.compile(rb'"dialog_id":\s*"')
LIST_BAR = 0.3
OPEN_BAR = 2.0


def first_run(folder: Path) -> Path:
    """Score dialogues of the examples, 300 turns in all; returns the run folder."""
    trace, turns = folder / "first.jsonl", 0
    with trace.open("w", encoding="utf-8") as out:
        for name in ("hasty", "careful"):
            for line in (EXAMPLES / name / TRACE).read_text("utf-8").splitlines():
                dialog = json.loads(line)
                dialog["turns"] = dialog["turns"][: TURNS_A_RUN - turns]
                if not dialog["turns"]:
                    continue
                turns += len(dialog["turns"])
                dialog["dialog_id"], dialog["run_id"] = f"{name}-{dialog['dialog_id']}", "bench"
                out.write(json.dumps(dialog, ensure_ascii=False) + "\n")
    score(ScoreRequest((trace,), folder / "first"))
    scored_share(folder / "first")
    return folder / "first"


def many_runs(first: Path, root: Path, runs: int) -> None:
    """Write runs with their own ids, models and figures."""
    summary = json.loads((first / SUMMARY).read_text("utf-8"))
    manifest = (first / MANIFEST).read_bytes()
    for number in range(runs):
        chance = random.Random(number)
        folder = root / f"team-{number % 7}" / f"run-{number:04d}"
        folder.mkdir(parents=True)
        for name in (TRACE, EVIDENCE, TURN_EVAL):
            os.link(first / name, folder / name)
        summary["run_id"], summary["model_name"] = f"bench-{number}", f"model-{number % 11}"
        for result in summary["metrics"].values():
            result["micro"] = {name: round(chance.random(), 4) for name in result["micro"]}
        (folder / SUMMARY).write_text(json.dumps(summary, ensure_ascii=False), "utf-8")
        (folder / MANIFEST).write_bytes(manifest)


def large_run(first: Path, folder: Path, turns: int) -> None:
    """Write a run of at least so many turns: the dialogues of the first again and again, each time under other ids."""
    folder.mkdir(parents=True)
    rows = (first / TURN_EVAL).read_bytes()
    times = -(-turns // rows.count(b"\n"))
    for name in (TRACE, EVIDENCE, TURN_EVAL):
        content = (first / name).read_bytes()
        with (folder / name).open("wb") as out:
            for number in range(times):
                out.write(_DIALOG_ID.sub(b'"dialog_id":"%04d-' % number, content))
    summary = json.loads((first / SUMMARY).read_text("utf-8"))
    summary["run_id"] = "large"
    summary["counters"] = {name: count * times for name, count in summary["counters"].items()}
    (folder / SUMMARY).write_text(json.dumps(summary, ensure_ascii=False), "utf-8")
    (folder / MANIFEST).write_bytes((first / MANIFEST).read_bytes())


class Viewer:
    """``turnmark view`` as a process."""

    def __init__(self, root: Path, labels: Path) -> None:
        command = [sys.executable, "-m", "turnmark", "view", str(root), "--port", "0", "--labels", str(labels)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.at = next(iter(self.process.stdout or ())).strip().rstrip("/")

    def seconds(self, path: str, body: bytes | None = None) -> tuple[float, int]:
        """How long an answer took, and its bytes. Raises: HTTPError when it is refused."""
        request = urllib.request.Request(self.at + path, data=body, headers={"Origin": self.at})  # noqa: S310 - our own server
        started = time.perf_counter()
        with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310
            size = len(answer.read())
        return time.perf_counter() - started, size

    def peak(self) -> str:
        """The most memory that the process held so far, where the system tells it."""
        path = Path(f"/proc/{self.process.pid}/status")
        found = re.search(r"VmHWM:\s+(\d+) kB", path.read_text()) if path.exists() else None
        return f"{int(found[1]) / 1024:.0f} MB" if found else "unknown"


@contextmanager
def viewing(root: Path, labels: Path) -> Iterator[Viewer]:
    """A viewer that is stopped at the end."""
    viewer = Viewer(root, labels)
    try:
        yield viewer
    finally:
        viewer.process.terminate()
        viewer.process.wait(20)


def timed(
    viewer: Viewer, title: str, path: str, repeats: int, bar: float | None = None, body: bytes | None = None
) -> bool:
    """Ask several times and print; returns whether the slowest answer came within the bar."""
    found = [viewer.seconds(path, body) for _ in range(repeats)]
    slowest = max(seconds for seconds, _ in found)
    said = "" if bar is None else f"  bar {bar} s: {'met' if slowest <= bar else 'MISSED'}"
    middle = statistics.median(seconds for seconds, _ in found)
    print(f"{title:<44} slowest {slowest:6.3f} s  median {middle:6.3f} s  {found[0][1] / 1024:6.0f} KB{said}")
    return bar is None or slowest <= bar


def lists(root: Path, labels: Path, repeats: int) -> list[bool]:
    """The list of runs and its filters."""
    with viewing(root, labels) as viewer:
        timed(viewer, "list, no index yet", "/", 1)
        pages = (
            ("list", "/"), ("page 3", "/?page=3"), ("text", "/?text=model-7"), ("text that no run has", "/?text=none"),
            ("suite", "/?suite=finance"), ("sorted", "/?sort=m3_risk_coverage.risk_coverage"),
            ("text, suite, sorted", "/?text=team-3&suite=finance&sort=m4_compliance.severe_violation_rate"),
            ("one run of the list", "/run?run=team-1/run-0001"),
        )  # fmt: skip
        met = [timed(viewer, title, path, repeats, LIST_BAR) for title, path in pages]
        print(f"peak memory: {viewer.peak()}")
    with viewing(root, labels) as viewer:
        met.append(timed(viewer, "list, first after a start, index there", "/", 1, LIST_BAR))
    return met


def large(root: Path, labels: Path, repeats: int) -> list[bool]:
    """One large run: opening it, its filters, a dialogue in its middle, a label."""
    with (root / "large" / TURN_EVAL).open("rb") as file:
        ids = [json.loads(line)["dialog_id"] for line in file]
    dialog_id = ids[len(ids) // 2]
    page = f"/dialog?run=large&dialog={quote(dialog_id)}"
    label = {
        "run": "large", "annotator": "bench", "dialog_id": dialog_id, "turn_pair_id": 1,
        "measure": "M4.forbidden_hit_rate", "value": True,
    }  # fmt: skip
    with viewing(root, labels) as viewer:
        met = [timed(viewer, f"run of {len(ids):,} turns, first time", "/run?run=large", 1, OPEN_BAR)]
        last = "/run?run=large&page=9999999"
        met.append(timed(viewer, "its last page, first time", last, 1, OPEN_BAR))
        pages: Sequence[tuple[str, str]] = (
            ("the same again", "/run?run=large"), ("last page", last),
            ("one kind of fault", "/run?run=large&fault=severe"),
            ("worst first", "/run?run=large&sort=worst"), ("text", f"/run?run=large&text={quote(dialog_id)}"),
        )  # fmt: skip
        met += [timed(viewer, title, path, repeats, LIST_BAR) for title, path in pages]
        by_metric = "/run?run=large&sort=m3_risk_coverage"
        timed(viewer, "worst of a metric, first time", by_metric, 1)
        met.append(timed(viewer, "worst of a metric", by_metric, repeats, LIST_BAR))
        timed(viewer, "a dialogue, first time", page, 1)
        met.append(timed(viewer, "a dialogue", page, repeats, LIST_BAR))
        met.append(timed(viewer, "a label", "/label", repeats, LIST_BAR, json.dumps(label).encode()))
        print(f"peak memory: {viewer.peak()}")
    with viewing(root, labels) as viewer:
        met.append(timed(viewer, "the run, first after a start", "/run?run=large", 1, OPEN_BAR))
        met.append(timed(viewer, "the dialogue, first after a start", page, 1, OPEN_BAR))
        print(f"peak memory: {viewer.peak()}")
    return met


def main() -> None:
    """Measure and print; exits with 1 when a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="Where files go; a temporary folder when left out.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        first = first_run(folder)
        many_runs(first, folder / "many", options.runs)
        large_run(first, folder / "one" / "large", options.turns)
        size = sum(path.stat().st_size for path in (folder / "one" / "large").iterdir()) / 1e6
        load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        print(f"{options.runs:,} runs; large run {size:.0f} MB; {load}")
        met = lists(folder / "many", folder / "labels-many", options.repeats)
        met += large(folder / "one", folder / "labels-one", options.repeats)
    sys.exit(0 if all(met) else 1)


if __name__ == "__main__":
    main()
