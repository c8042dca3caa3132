"""What scoring costs in counts, which the load of the machine does not move: Python calls and instructions a turn.

For each suite, calls and the share of time are listed by stage, which is the folder of the code that runs; a function
of C counts where it is called. The first half of the input warms what is made once a process and is not counted.

With ``--instructions`` the whole command is run over half of the input and over all of it, under ``perf stat`` where
that counts instructions and else under ``valgrind``; the difference is the cost of a turn, the rest that of a start.

Usage: instructions.py [--traces DIR] [--turns N] [--only SUITE] [--instructions]
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import pstats
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

import rag_rules
import turnmark
from score_throughput import DEFAULT_TRACES, copies
from scored import scored_share
from turnmark.pipeline.scoring.run_naming import Source
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import Batch, ScoredDialog, ScoreRequest, Worker

CODE = Path(turnmark.__file__).resolve().parent
EVENTS = CODE / "examples" / "clinical" / "agent" / "events.jsonl"
SHOWN = 12


class Work(NamedTuple):
    """What is measured: a suite with a detector set, and the file that it scores."""

    name: str
    suite: str
    detect: str
    path: Path

    def request(self, out: Path) -> ScoreRequest:
        """The request that scores the file."""
        return ScoreRequest((self.path,), out, suite=self.suite, detect=self.detect)


def works(folder: Path, options: argparse.Namespace) -> Iterator[Work]:
    """The inputs of all suites, as many turns each as are asked for."""
    if options.traces.is_dir():
        finance = folder / "finance.jsonl"
        copies(options.traces, finance, options.turns)
        yield Work("finance contextual", "finance", "contextual", finance)
        yield Work("finance literal", "finance", "literal", finance)
    else:
        print(f"{options.traces}: no recorded traces, finance is left out; give their folder with --traces")
    clinical, cases = folder / "events.jsonl", folder / "cases.jsonl"
    events = [json.loads(line) for line in EVENTS.read_bytes().splitlines()]
    with clinical.open("w", encoding="utf-8") as out:
        for place in range(options.turns):
            event = dict(events[place % len(events)])
            event["patient_id"] = f"{event['patient_id']}-{place // len(events)}"
            out.write(json.dumps(event, ensure_ascii=False) + "\n")
    yield Work("clinical", "clinical", "contextual", clinical)
    source = random.Random(7)
    with cases.open("wb") as out:
        for place in range(options.turns):
            out.write(msgspec.json.encode(rag_rules.case(place, source)) + b"\n")
    yield Work("rag rules", "rag", "rules", cases)


def calls(work: Work, folder: Path) -> None:
    """Score the file, then count the calls of its second half by stage, and print them."""
    out = folder / work.name.replace(" ", "_")
    score(work.request(out))
    scored_share(out)
    request = work.request(out)
    suite = request.make_suite()
    lines: Batch = list(Source(work.path, suite))
    worker = Worker(request, suite)
    worker.score(lines[: len(lines) // 2])
    counted = lines[len(lines) // 2 :]
    started = time.process_time()
    results = worker.score(counted)
    seconds = time.process_time() - started
    turns = sum(item.counts["total_turn_pairs"] for item in results if isinstance(item, ScoredDialog))
    profile = cProfile.Profile()
    profile.runcall(worker.score, counted)
    number, spent = by_stage(pstats.Stats(profile))
    every = spent.total()
    print(f"{work.name}: {turns} turns, {number.total() / turns:,.0f} calls and {1000 * seconds / turns:.2f} ms a turn")
    for stage, count in number.most_common(SHOWN):
        print(f"  {stage:<40} {count / turns:8,.0f} calls a turn  {spent[stage] / every:4.0%} of the time")


def by_stage(stats: pstats.Stats) -> tuple[Counter[str], Counter[str]]:
    """Calls and seconds by the folder of the code; what is not Python counts for those that call it."""
    number: Counter[str] = Counter()
    spent: Counter[str] = Counter()
    for (file, _, _), (_, count, own, _, callers) in stats.stats.items():  # type: ignore[attr-defined]
        if file != "~":
            number[stage_of(file)] += count
            spent[stage_of(file)] += own
            continue
        for (caller, _, _), (_, part, own_part, _) in callers.items():
            number[stage_of(caller)] += part
            spent[stage_of(caller)] += own_part
    return number, spent


def stage_of(file: str) -> str:
    """The folder of a file of turnmark; the name of the library for other files."""
    path = Path(file)
    if path.is_relative_to(CODE):
        return ".".join(path.relative_to(CODE).parent.parts) or "turnmark"
    return "python and libraries"


def instructions(work: Work, folder: Path) -> None:
    """Print the instructions of a turn and of a start, from the whole command over half of the file and all of it."""
    lines = work.path.read_bytes().splitlines(keepends=True)
    half = folder / f"half_{work.path.name}"
    half.write_bytes(b"".join(lines[: len(lines) // 2]))
    counted = []
    for path in (half, work.path):
        out = folder / f"counted_{work.suite}"
        shutil.rmtree(out, ignore_errors=True)
        number = count(
            [sys.executable, "-m", "turnmark", "score", str(path), "--suite", work.suite, "--detect", work.detect,
             "--out", str(out), "--no-pages"]
        )  # fmt: skip
        summary = json.loads((out / "metrics_summary.json").read_bytes())
        counted.append((number, summary["counters"]["total_turn_pairs"]))
    (first, some), (second, every) = counted
    turn = (second - first) / (every - some)
    to_start = (first - turn * some) / 1e6
    print(f"{work.name}: {turn / 1e6:.2f} million instructions a turn, {to_start:,.0f} million to start")


def count(command: list[str]) -> int:
    """The instructions of a command. Ends the benchmark where neither perf nor valgrind counts them."""
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    for counter, expression in (
        (["perf", "stat", "-x", ",", "-e", "instructions:u"], r"^(\d+),[^,]*,instructions"),
        (["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"], r"I +refs: +([\d,]+)"),
    ):
        if shutil.which(counter[0]) is None:
            continue
        done = subprocess.run([*counter, *command], capture_output=True, text=True, env=environment, check=False)
        match = re.search(expression, done.stderr, re.MULTILINE)
        if match and done.returncode == 0:
            return int(match[1].replace(",", ""))
    return sys.exit("--instructions: expected perf with a counter of instructions, or valgrind; found neither at work")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--traces", type=Path, default=DEFAULT_TRACES)
    parser.add_argument("--turns", type=int, default=400)
    parser.add_argument("--only", default="", help="measure only what has this in its name")
    parser.add_argument("--instructions", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for work in works(folder, options):
            if options.only in work.name:
                calls(work, folder)
                if options.instructions:
                    instructions(work, folder)


if __name__ == "__main__":
    main()
