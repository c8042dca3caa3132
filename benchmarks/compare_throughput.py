"""Time and memory of ``turnmark compare`` over two large runs, end to end by the command line.

The shipped examples are scored once; their rows, lines of trace and evidence are then repeated under new ids until each
run has the wanted number of turns. Two rows in ten of the second run come from the other example (finance, clinical) or
lose half of their marks (rag), so that the runs differ. The comparison is a process of its own: its start, reading,
statistics and all of its files are in the figures.

Usage: compare_throughput.py [--suite finance] [--turns 20000] [--draws 10000] [--repeats 3]
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import msgspec

from scored import scored_share
from turnmark.runs.folder import EVIDENCE, SUMMARY, TRACE, TURN_EVAL, read_summary
from turnmark.suites.registry import suite_definition

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "src" / "turnmark" / "examples"
SOURCES = {
    "finance": ("finance/careful", "finance/hasty"),
    "clinical": ("clinical/llm/events.jsonl", "clinical/agent/events.jsonl"),
    "rag": ("rag/cases.jsonl", "rag/cases.jsonl"),
}
SOME_FAILED = 3
OTHER_SHARE = 0.2

Record = dict[str, object]


class Cost(NamedTuple):
    """What one process took: processor seconds of it and its children, wall seconds, peak MB of the largest."""

    cpu: float
    wall: float
    peak: float


class Dialog(NamedTuple):
    """Everything that a run folder holds of one dialogue."""

    trace: Record
    rows: list[Record]
    evidence: list[Record]


def dialogs(folder: Path) -> dict[str, Dialog]:
    """The dialogues of a scored run that have rows, by id."""
    found = {str(one["dialog_id"]): Dialog(one, [], []) for one in records(folder / TRACE)}
    for name, kept in ((TURN_EVAL, "rows"), (EVIDENCE, "evidence")):
        for one in records(folder / name):
            getattr(found[str(one["dialog_id"])], kept).append(one)
    return {dialog_id: dialog for dialog_id, dialog in found.items() if dialog.rows}


def records(path: Path) -> list[Record]:
    """The lines of a file."""
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]


def worse(row: Record) -> Record:
    """A row whose hits are halved, for suites of which there is one example only."""
    marks = {
        name: mark | {"measures": {key: [hits / 2, total] for key, (hits, total) in mark.get("measures", {}).items()}}
        for name, mark in row["marks"].items()  # type: ignore[attr-defined]
    }
    return row | {"marks": marks}


def repeated(own: Path, other: Path, target: Path, turns: int, seed: int) -> tuple[int, int]:
    """Write a run of at least this many turns; returns the numbers of its turns and dialogues."""
    ours, theirs = dialogs(own), dialogs(other)
    chance = random.Random(seed)
    names = sorted(ours.keys() & theirs.keys())
    encoder = msgspec.json.Encoder()
    target.mkdir()
    summary = read_summary(own)
    whole = [metric.name for metric in suite_definition(summary.suite).metrics if metric.unit == "dialog"]
    of_dialog = {name: dict(summary.metrics[name].by_dialog) for name in whole}
    for name in whole:
        summary.metrics[name].by_dialog.clear()
    written = number = 0
    with (
        (target / TRACE).open("wb") as trace,
        (target / TURN_EVAL).open("wb") as rows,
        (target / EVIDENCE).open("wb") as evidence,
    ):
        while written < turns:
            name = names[number % len(names)]
            taken = ours[name]
            if seed and chance.random() < OTHER_SHARE:
                taken = theirs[name] if own != other else taken._replace(rows=[worse(row) for row in taken.rows])
            dialog_id = f"{number:06}-{name}"
            trace.write(encoder.encode(taken.trace | {"dialog_id": dialog_id}) + b"\n")
            for file, lines in ((rows, taken.rows), (evidence, taken.evidence)):
                file.writelines(encoder.encode(line | {"dialog_id": dialog_id}) + b"\n" for line in lines)
            for metric in whole:
                if name in of_dialog[metric]:
                    summary.metrics[metric].by_dialog[dialog_id] = of_dialog[metric][name]
            written += len(taken.rows)
            number += 1
    (target / SUMMARY).write_bytes(encoder.encode(summary))
    return written, number


def cost(command: list[str]) -> Cost:
    """Run a command to its end. Raises: CalledProcessError when it fails."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    if os.waitstatus_to_exitcode(status) not in {0, SOME_FAILED}:
        raise subprocess.CalledProcessError(status, command)
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suite", choices=sorted(SOURCES), default="finance")
    parser.add_argument("--turns", type=int, default=20_000)
    parser.add_argument("--draws", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--options", default="", help="More options of turnmark compare, in one string.")
    parser.add_argument("--keep", type=Path, help="Folder that keeps the two runs and the comparison.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = options.keep or Path(name)
        folder.mkdir(exist_ok=True)
        measure(folder, options)


def measure(folder: Path, options: argparse.Namespace) -> None:
    """Make the two runs, compare them several times, print the median and every single one."""
    turnmark = [sys.executable, "-m", "turnmark"]
    scored = [folder / "scored0", folder / "scored1"]
    for source, out in zip(SOURCES[options.suite], scored, strict=True):
        cost([*turnmark, "score", str(EXAMPLES / source), "--suite", options.suite, "--out", str(out), "--no-pages"])
        scored_share(out)
    first, second = folder / "first", folder / "second"
    turns, number = repeated(scored[0], scored[0], first, options.turns, seed=0)
    repeated(scored[0], scored[1], second, options.turns, seed=1)
    metrics = suite_definition(options.suite).metrics
    print(
        f"suite {options.suite}: {len(metrics)} metrics, {sum(len(metric.measures) for metric in metrics)} measures; "
        f"2 runs of {turns} turns in {number} dialogues; {options.draws} draws"
    )
    command = [*turnmark, "compare", str(first), str(second), "--draws", str(options.draws)]
    command += ["--out", str(folder / "comparison"), *options.options.split()]
    costs = []
    for _ in range(options.repeats):
        load = os.getloadavg()[0]
        costs.append(cost(command))
        print(
            f"cpu {costs[-1].cpu:6.2f} s  wall {costs[-1].wall:6.2f} s  peak {costs[-1].peak:5.0f} MB  load {load:.1f}"
        )
    cpu, wall, peak = (statistics.median(figures) for figures in zip(*costs, strict=True))
    print(f"median of {options.repeats}: cpu {cpu:.2f} s, wall {wall:.2f} s, peak {peak:.0f} MB")


if __name__ == "__main__":
    main()
