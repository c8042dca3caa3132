"""How much a replay costs beside the agents: wall time against the ideal, processor time a turn, memory.

python benchmarks/replay_throughput.py [--dialogs 200] [--turns 10] [--latency 0.05] [--workers 32] [--agents sync]

The agents wait and answer; the one over HTTP asks a server in a process of its own. The ideal wall time is
turns · latency / workers. Each run is a process of its own, so that its memory is its own.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).parents[1]
AGENTS = """
import asyncio, time

class Sync:
    def handle_turn(self, user_text):
        time.sleep({latency})
        return "Noted: " + user_text[:20]

class Async:
    async def handle_turn(self, user_text):
        await asyncio.sleep({latency})
        return "Noted: " + user_text[:20]
"""
PROFILE = {"risk_level_gt": "稳健", "constraints_gt": ["最大回撤<10%"], "preferences_gt": []}
TAGS = {"memory_required_keys_gt": [], "risk_disclosure_required_gt": ["波动风险"], "compliance_label_gt": "compliant"}


def write_dataset(path, dialogs, turns):
    """Dialogues of about the length of authored ones."""
    reply = "这是一段参考答复，说明产品的收益来源、波动和流动性，并提醒风险。" * 3
    with path.open("w") as file:
        for number in range(dialogs):
            pairs = []
            for turn in range(turns):
                question = (
                    f"第{number}位客户第{turn}问：请结合我的风险偏好，说明这类产品的收益与风险，以及怎么安排比例？"
                )
                pairs += [{"role": "user", "text": question}, {"role": "assistant", "text": reply, "turn_tags": TAGS}]
            record = {"dialog_id": f"d{number:05d}", "language": "zh", "profile_gt": PROFILE, "turns": pairs}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def measure(folder, agent, options, dialogs, turns, workers):
    """One replay in a process of its own: (wall seconds, processor seconds of it, peak memory in MB)."""
    dataset = folder / f"{dialogs}x{turns}.jsonl"
    write_dataset(dataset, dialogs, turns)
    command = [
        sys.executable, "-c", RUN, "replay", str(dataset), "--agent", agent, "--workers", str(workers),
        "--out", str(folder / f"run-{dialogs}-{agent.rpartition(':')[2]}"), "--overwrite", *options,
    ]  # fmt: skip
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall, peak = map(float, done.stderr.split()[-2:])
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, peak


RUN = """
import resource, sys, time
from turnmark.cli.root import run
started = time.perf_counter()
try:
    run(sys.argv[1:])
finally:
    print(time.perf_counter() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, file=sys.stderr)
"""


def start_up(folder):
    """Processor seconds of a process that plays next to nothing: what does not grow with the turns."""
    return measure(folder, f"{folder / 'agents.py'}:Sync", [], 1, 1, 1)[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dialogs", type=int, default=200)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--workers", type=int, default=32)
    parser.add_argument("--agents", default="sync,async,http")
    parser.add_argument("--many", type=int, default=2000, help="dialogues of the run whose memory is compared; 0: none")
    given = parser.parse_args()
    ideal = given.dialogs * given.turns * given.latency / given.workers
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "agents.py").write_text(AGENTS.format(latency=given.latency))
        server = subprocess.Popen(
            [sys.executable, str(PROJECT / "tests/servers/chat_server.py"), "--latency", str(given.latency)],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        url = server.stdout.readline().strip()
        agents = {
            "sync": (f"{folder / 'agents.py'}:Sync", []),
            "async": (f"{folder / 'agents.py'}:Async", []),
            "http": ("openai:m", ["--agent-option", f"base_url={url}/v1"]),
        }
        try:
            base = start_up(folder)
            print(f"start of a process: {base:.2f} s of processor time; ideal wall time: {ideal:.2f} s")
            for kind in given.agents.split(","):
                agent, options = agents[kind]
                wall, cpu, peak = measure(folder, agent, options, given.dialogs, given.turns, given.workers)
                turns = given.dialogs * given.turns
                print(
                    f"{kind:5}: {turns} turns in {wall:.2f} s = {wall / ideal:.2f} x ideal; client "
                    f"{1000 * cpu / turns:.2f} ms a turn with its start, {1000 * (cpu - base) / turns:.2f} without; "
                    f"peak {peak:.0f} MB"
                )
            if given.many:
                agent, options = agents["async"]
                for dialogs in (given.many // 10, given.many):
                    started = time.perf_counter()
                    _, _, peak = measure(folder, agent, options, dialogs, given.turns, 4 * given.workers)
                    print(f"{dialogs} dialogues: peak {peak:.0f} MB ({time.perf_counter() - started:.1f} s)")
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
