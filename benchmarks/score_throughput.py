"""Scoring speed and memory, as ratios against a plain script in the same run.

Recorded traces are repeated with digits and names changed in every copy, so that no cache across texts can help. Four
things are timed over the same file, each as a process of its own: *decode only* (msgspec), the *row-writing plain
script* (``plain_literal.py``), and ``turnmark score`` to all artifacts with one worker and with two. Peak memory is
taken over growing files.

Usage: score_throughput.py [--traces DIR] [--turns N] [--memory-turns N,N,N] [--detect literal] [--repeats N]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from scored import scored_share

HERE = Path(__file__).resolve().parent
DEFAULT_TRACES = HERE.parent.parent / "shared" / "conformance" / "memfin"
DECODE = (
    "import sys; from pathlib import Path; from turnmark.schemas.jsonl import Reader, read_lines; "
    "from turnmark.schemas.trace import DialogTrace; r = Reader(DialogTrace)\n"
    "for line in read_lines(Path(sys.argv[1])): r.decode(line)"
)
NAMES = ("沪深", "中证", "招商", "平安", "贵州", "宁德", "创业", "科创")


class Cost(NamedTuple):
    """What one process took: processor seconds of it and its children, wall seconds, peak MB of the largest."""

    cpu: float
    wall: float
    peak: float


def copies(folder: Path, target: Path, turns: int) -> int:
    """Write at least this many turns; every copy has its own digits, names and ids. Returns the number written."""
    lines = [
        line for path in sorted(folder.glob("*/dialog_trace.jsonl")) for line in path.read_text("utf-8").splitlines()
    ]
    written = number = 0
    with target.open("w", encoding="utf-8") as out:
        while written < turns:
            chance = random.Random(number)
            digits = str.maketrans("123456789", "".join(chance.sample("123456789", 9)))
            names = dict(zip(NAMES, chance.sample(NAMES, len(NAMES)), strict=True))
            for place, line in enumerate(lines):
                dialog = json.loads(line)
                changed = varied(dialog, digits, names)
                for turn, original in zip(changed["turns"], dialog["turns"], strict=True):
                    for field in ("turn_pair_id", "user_turn_abs_idx", "gt_assistant_abs_idx", "gt_turn_tags"):
                        turn[field] = original[field]
                changed["profile_gt"], changed["trace_version"] = dialog["profile_gt"], "v1"
                changed["run_id"], changed["dialog_id"] = "bench", f"{number}-{place}"
                out.write(json.dumps(changed, ensure_ascii=False) + "\n")
                written += len(changed["turns"])
                if written >= turns:
                    break
            number += 1
    return written


def varied(value: object, digits: dict[int, str], names: dict[str, str]) -> object:
    """The same value with other digits and names in every text."""
    if isinstance(value, str):
        text = value.translate(digits)
        for name, other in names.items():
            text = text.replace(name, f"\0{other[0]}\0{other[1]}") if name in text else text
        return text.replace("\0", "")
    if isinstance(value, list):
        return [varied(item, digits, names) for item in value]
    if isinstance(value, dict):
        return {key: varied(item, digits, names) for key, item in value.items()}
    return value


def cost(command: list[str]) -> Cost:
    """Run a command to its end. Raises: CalledProcessError when it fails."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    if os.waitstatus_to_exitcode(status):
        raise subprocess.CalledProcessError(status, command)
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024)


def median(costs: list[Cost]) -> Cost:
    """The median of each figure."""
    return Cost(*(statistics.median(figures) for figures in zip(*costs, strict=True)))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--traces", type=Path, default=DEFAULT_TRACES)
    parser.add_argument("--turns", type=int, default=15_000)
    parser.add_argument("--memory-turns", default="1000,10000,100000")
    parser.add_argument("--detect", default="literal")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    if not options.traces.is_dir():
        sys.exit(f"{options.traces}: recorded traces are needed; give their folder with --traces")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        speed(folder, options)
        memory(folder, options)


def score_command(trace: Path, out: Path, detect: str, workers: int) -> list[str]:
    """The command that scores a trace to all artifacts."""
    base = [sys.executable, "-m", "turnmark", "score", str(trace), "--detect", detect]
    return [*base, "--workers", str(workers), "--out", str(out)]


def speed(folder: Path, options: argparse.Namespace) -> None:
    """Time the four commands in turn, several times over."""
    trace = folder / "speed.jsonl"
    turns = copies(options.traces, trace, options.turns)
    commands = {
        "decode": [sys.executable, "-c", DECODE, str(trace)],
        "plain": [sys.executable, str(HERE / "plain_literal.py"), str(trace), str(folder / "plain")],
        "one worker": score_command(trace, folder / "one", options.detect, 1),
        "two workers": score_command(trace, folder / "two", options.detect, 2),
    }
    found: dict[str, list[Cost]] = {label: [] for label in commands}
    for _ in range(options.repeats):
        for label, command in commands.items():
            found[label].append(cost(command))
    scored_share(folder / "one")
    scored_share(folder / "two")
    costs = {label: median(runs) for label, runs in found.items()}
    print(f"{turns} turns, {trace.stat().st_size / 1e6:.0f} MB, detect={options.detect}, median of {options.repeats}")
    for label, one in costs.items():
        print(
            f"{label:>12}: cpu {one.cpu:6.2f} s  wall {one.wall:6.2f} s  peak {one.peak:5.0f} MB"
            f"  {turns / one.cpu:7.0f} turns per cpu second"
        )
    ratios = statistics.median(p.cpu / o.cpu for p, o in zip(found["plain"], found["one worker"], strict=True))
    print(f"turns per cpu second, against the row-writing plain script: {ratios:.2f}")
    print(f"turns per cpu second, against decode only: {costs['decode'].cpu / costs['one worker'].cpu:.2f}")
    print(f"wall time, one worker / two: {costs['one worker'].wall / costs['two workers'].wall:.2f}")


def memory(folder: Path, options: argparse.Namespace) -> None:
    """Peak memory over growing files."""
    for turns in (int(number) for number in options.memory_turns.split(",") if number):
        trace = folder / "memory.jsonl"
        copies(options.traces, trace, turns)
        one = cost(score_command(trace, folder / "memory", options.detect, 1))
        scored_share(folder / "memory")
        print(f"peak memory at {turns:>7} turns: {one.peak:.0f} MB")


if __name__ == "__main__":
    main()
