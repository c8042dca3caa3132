"""A job of many partitions on an engine: processor time a turn, wall time, peak memory of each worker and of the driver.

Makes its own turns (short finance replies in three languages, no two alike), so that a million need no data. Kills can
be asked for: a worker once a share of the shards is there, the driver once another is; the job is then started again,
and the shards that were there must not be written anew. The run folder is compared with that of ``score`` by bytes.

Usage: engine_job.py [--turns N] [--partitions N] [--workers N] [--engine ray|local] [--detect SET] [--kill] [--compare]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

FILES = ("dialog_trace.jsonl", "turn_eval.jsonl", "evidence.jsonl", "metrics_summary.json")
WORKERS = {"ray": re.compile(r"^ray::(_call|IDLE)"), "local": re.compile("spawn_main")}
"""What workers call themselves; agents of Ray are none."""
TURNS_OF_A_DIALOGUE = 10
ASKED = (
    "我的风险承受能力是R{a}，这只基金适合吗？", "我最多能亏{b}%，有什么建议？", "보수적인 편인데 이 펀드 괜찮을까요? {b}%까지만 잃을 수 있어요.",
    "원금 손실은 {b}% 이하로 하고 싶어요.", "I can lose {b}% at most. Is this fund for me?", "Keep me at R{a} and below, please.",
)  # fmt: skip
ANSWERED = (
    "第{n}只基金属于R{a}级，净值会波动，过去一年最大回撤{b}%，不保本。", "建议把{b}%放在货币基金里，其余分散投资，市场有风险。",
    "{n}번 펀드는 변동성이 크고 원금 손실이 날 수 있습니다. 최근 낙폭은 {b}%였습니다.", "분산 투자를 권해 드리며, 금리가 {b}% 오르면 채권 가격은 내릴 수 있습니다.",
    "Fund {n} is rated R{a}; it fell {b}% last year and may lose money again.", "Put {b}% into deposits and spread the rest; returns are not certain.",
)  # fmt: skip
JOB = (
    "import sys; from pathlib import Path; from turnmark.engine import LocalEngine, RayEngine, ScoreRequest, score_job\n"
    "engine = {'ray': RayEngine, 'local': LocalEngine}[sys.argv[1]](int(sys.argv[2]))\n"
    "if __name__ == '__main__':\n"
    "    asked = ScoreRequest((Path(sys.argv[5]),), out=Path(sys.argv[6]), detect=sys.argv[3])\n"
    "    score_job(asked, engine, sys.argv[7], size=int(sys.argv[4]))\n"
)


def write_turns(path: Path, turns: int) -> None:
    """Dialogues of ten turns, each text with numbers of its own."""
    chance = random.Random(7)
    with path.open("w", encoding="utf-8") as out:
        for number in range(turns // TURNS_OF_A_DIALOGUE):
            out.write(json.dumps(dialogue(number, chance), ensure_ascii=False) + "\n")


def dialogue(number: int, chance: random.Random) -> dict[str, object]:
    """One dialogue, in one language."""
    first = 2 * chance.randrange(3)
    turns = []
    for at in range(1, TURNS_OF_A_DIALOGUE + 1):
        filled = {"n": 10 * number + at, "a": chance.randint(1, 5), "b": chance.randint(1, 60)}
        turns.append({
            "turn_pair_id": at, "user_turn_abs_idx": 2 * at - 2, "gt_assistant_abs_idx": 2 * at - 1,
            "user_text": chance.choice(ASKED[first : first + 2]).format(**filled), "gt_assistant_text": "",
            "gt_turn_tags": {"risk_disclosure_required_gt": ["volatility_risk"]}, "turn_status": "ok",
            "pred_assistant_text": chance.choice(ANSWERED[first : first + 2]).format(**filled),
        })  # fmt: skip
    return {
        "trace_version": "v1", "run_id": "job", "dialog_id": f"d{number:07d}", "dataset_index": number,
        "dialog_status": "ok", "valid_dialog": True, "turns": turns,
    }  # fmt: skip


def processes_below(root: int) -> dict[int, str]:
    """The processes that a process started, and theirs, with what they call themselves."""
    parents, names = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            status = dict(
                line.split(":\t", 1) for line in (folder / "status").read_text().splitlines() if ":\t" in line
            )
            names[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        parents[int(folder.name)] = int(status["PPid"])
    below, found = [root], {}
    while below:
        parent = below.pop()
        children = [each for each, above in parents.items() if above == parent]
        below += children
        found |= {each: names[each] for each in children}
    return found


class Watch:
    """Processor seconds and peak memory of the processes of a job, looked at twice a second."""

    def __init__(self, root: int, engine: str) -> None:
        self._root, self._engine = root, engine
        self.seconds: dict[int, float] = {}
        self.own: dict[int, float] = {}
        self.resident: dict[int, float] = {}
        self.over_time: list[tuple[float, float]] = []

    def look(self, since: float) -> list[int]:
        """Look once. Returns the workers that are at work."""
        workers = [each for each, name in processes_below(self._root).items() if WORKERS[self._engine].search(name)]
        for each in (self._root, *workers):
            self._look_at(each)
        if workers:
            self.over_time.append((since, max(self.own.get(each, 0) for each in workers)))
        return workers

    def _look_at(self, process: int) -> None:
        folder = Path("/proc") / str(process)
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            memory = dict(line.split(":", 1) for line in (folder / "smaps_rollup").read_text().splitlines()[1:])
        except OSError:
            return
        kilobytes = {key: int(value.split()[0]) for key, value in memory.items() if value.strip().endswith("kB")}
        own = (kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]) / 1024
        self.seconds[process] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        self.own[process] = max(self.own.get(process, 0), own)
        self.resident[process] = max(self.resident.get(process, 0), kilobytes["Rss"] / 1024)


def shards(parts: Path) -> dict[str, int]:
    """The shards that were committed, with when."""
    return {path.name: path.stat().st_mtime_ns for path in parts.glob("part-*.json")} if parts.is_dir() else {}


def run(command: list[str], watch_of: Callable[[int], Watch], on_look: Callable[[int, list[int]], None]) -> Watch:
    """Run a job to its end, or until it is killed."""
    began = time.perf_counter()
    process = subprocess.Popen(command, start_new_session=True)
    watch = watch_of(process.pid)
    while process.poll() is None:
        on_look(process.pid, watch.look(time.perf_counter() - began))
        time.sleep(0.5)
    print(f"  ended {process.returncode} after {time.perf_counter() - began:.1f} s, load {os.getloadavg()[0]:.1f}")
    return watch


def told(watch: Watch, turns: int) -> None:
    """Print what was seen; the first process is the driver."""
    driver, *workers = watch.seconds
    spent = sum(watch.seconds[each] for each in workers)
    print(
        f"  driver: {watch.seconds[driver]:.1f} s of processor, {1000 * watch.seconds[driver] / turns:.2f} ms a turn,"
    )
    print(f"    peak {watch.own[driver]:.0f} MB of its own, {watch.resident[driver]:.0f} MB resident")
    print(f"  {len(workers)} workers: {spent:.1f} s of processor, {1000 * spent / turns:.3f} ms a turn")
    for each in workers:
        print(
            f"    {watch.seconds[each]:.1f} s, {watch.own[each]:.0f} MB of its own, {watch.resident[each]:.0f} MB resident"
        )
    steps = watch.over_time[:: max(1, len(watch.over_time) // 8)]
    print("  largest worker over time: " + ", ".join(f"{since:.0f} s {own:.0f} MB" for since, own in steps))


class Killer:
    """Kills a worker at a third of the shards, the driver with all below it at two thirds."""

    def __init__(self, parts: Path, total: int) -> None:
        self._parts, self._total = parts, total
        self._worker_killed = False
        self.kept: dict[str, int] = {}

    def __call__(self, driver: int, workers: list[int]) -> None:
        done = len(shards(self._parts))
        if not self._worker_killed and workers and done >= self._total / 3:
            self._worker_killed = True
            print(f"  a worker killed at {done} of {self._total} shards")
            os.kill(workers[0], signal.SIGKILL)
        elif not self.kept and done >= 2 * self._total / 3:
            below = processes_below(driver)
            for each in (driver, *below):
                with_suppress(each)
            self.kept = shards(self._parts)
            print(f"  driver killed at {len(self.kept)} of {self._total} shards")


def with_suppress(process: int) -> None:
    """Kill a process, which may have ended already."""
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=32_000)
    parser.add_argument("--partitions", type=int, default=64)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--engine", choices=("ray", "local"), default="ray")
    parser.add_argument("--detect", default="literal")
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--compare", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        trace, parts = folder / "trace.jsonl", folder / "parts"
        write_turns(trace, options.turns)
        size = trace.stat().st_size // options.partitions
        print(
            f"{options.turns} turns, {trace.stat().st_size / 1e6:.0f} MB, partitions of {size / 1e6:.2f} MB, {options.detect}"
        )
        settings = [options.engine, str(options.workers), options.detect, str(size)]
        command = [sys.executable, "-c", JOB, *settings, str(trace), str(folder / "run"), str(parts)]
        killer = Killer(parts, options.partitions)
        watch = run(command, lambda pid: Watch(pid, options.engine), killer if options.kill else lambda *_: None)
        if options.kill:
            watch = run(command, lambda pid: Watch(pid, options.engine), lambda *_: None)
            after = shards(parts)
            anew = [each for each, when in killer.kept.items() if after[each] != when]
            print(
                f"  started again: {len(after) - len(killer.kept)} shards scored, {len(anew)} of those kept written anew"
            )
        told(watch, options.turns)
        print(f"  {len(shards(parts))} shards, {sum(p.stat().st_size for p in parts.iterdir()) / 1e6:.1f} MB packed")
        if options.compare:
            score = [sys.executable, "-m", "turnmark", "score", str(trace), "--detect", options.detect]
            subprocess.run([*score, "--out", str(folder / "local")], check=True, stdout=subprocess.DEVNULL)
            differ = [
                each for each in FILES if (folder / "run" / each).read_bytes() != (folder / "local" / each).read_bytes()
            ]
            print(f"  against score: {f'differ: {differ}' if differ else 'the same bytes'}")


if __name__ == "__main__":
    main()
