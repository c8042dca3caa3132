"""What the judge llm costs on this side: calls, prompt characters, processor time, memory, use of its limit.

    python benchmarks/llm_judge.py [CASES.jsonl] [--copies N] [--concurrency N] [--latency S] [--repeat N]

A local server answers by rule, in a process of its own. Without CASES the cases are made here. ``--copies`` judges each
case so often, each time with another number in it, so that none is a repetition. Processor time is that of this
process after its imports and one case to warm up.
"""

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from turnmark.judges.llm.config import JudgeConfig
from turnmark.pipeline.judging.judge import judge
from turnmark.suites.judging import JudgeRequest

SERVER = Path(__file__).parents[1] / "tests" / "servers" / "chat_server.py"


def made_cases(number):
    filler = "本页面还列出了门店地址和营业时间。活动期间积分可以兑换礼品。产品说明书可以在网站下载。"
    for place in range(number):
        fee, term = place % 7 + 1, place % 40 + 12
        answer = f"产品{place}号的年费率为{fee}%。产品{place}号的期限为{term}个月。客服在两个工作日内答复。"
        yield {
            "id": f"c{place}",
            "question": f"产品{place}号的费率、期限和答复时间是什么？",
            "answer": answer,
            "ground_truth_answer": answer,
            "retrieved_contexts": [answer + filler, filler, filler[::-1], answer[:20] + filler],
            "ground_truth_contexts": [answer + filler],
        }


def copies(cases, number):
    """Each case so often, told apart by the number of the copy."""
    for case in cases:
        for copy in range(number):
            told_apart = dict(case)
            if copy:
                told_apart["id"] = f"{case.get('id')}-{copy}"
                told_apart["question"] = f"{case['question']} ({copy})"
                told_apart["answer"] = re.sub(r"(?<=[.。])", f" ({copy})", case["answer"], count=1)
            yield told_apart


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", nargs="?", type=Path)
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--made", type=int, default=60, help="cases to make when no file is given")
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--repeat", type=int, default=1)
    options = parser.parse_args()
    cases = map(json.loads, options.cases.open()) if options.cases else made_cases(options.made)
    with tempfile.TemporaryDirectory() as folder:
        path, one = Path(folder, "cases.jsonl"), Path(folder, "one.jsonl")
        with path.open("w") as file:
            file.writelines(json.dumps(case, ensure_ascii=False) + "\n" for case in copies(cases, options.copies))
        one.write_text(json.dumps(next(made_cases(1))) + "\n")
        server = subprocess.Popen(
            [sys.executable, SERVER, "--judge", "--latency", str(options.latency)], stdout=subprocess.PIPE, text=True
        )
        try:
            url = server.stdout.readline().strip()
            run(url, one, Path(folder, "warm.jsonl"), options)
            measure(url, path, Path(folder, "judgements.jsonl"), options)
        finally:
            server.terminate()
            server.wait()


def run(url, cases, out, options):
    config = JudgeConfig(model="m", base_url=f"{url}/v1", concurrency=options.concurrency, repeat=options.repeat)
    return judge(JudgeRequest((cases,), config, out))


def measure(url, cases, out, options):
    started, processor = time.perf_counter(), time.process_time()
    report = run(url, cases, out, options)
    wall, processor = time.perf_counter() - started, time.process_time() - processor
    with urllib.request.urlopen(f"{url}/statistics") as reply:  # noqa: S310 - our own server
        served = json.load(reply)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    ideal = report.spent.calls * options.latency / options.concurrency
    mean = report.mean_concurrency
    print(f"cases                      {report.cases}, {report.failed_verdicts} of {report.verdicts} verdicts failed")
    print(f"calls a case               {report.spent.calls / report.cases:.2f}")
    print(f"prompt characters a case   {served['prompt_characters'] / (report.cases + 1):.0f}")
    print(f"wall time                  {wall:.2f} s, ideal {ideal:.2f} s")
    print(f"processor time a call      {1000 * processor / report.spent.calls:.2f} ms")
    print(f"calls in flight, mean      {mean:.1f} of {options.concurrency} ({mean / options.concurrency:.2f})")
    print(f"requests at the server     {served['mean_running']:.1f}, mean")
    print(f"peak memory                {peak:.0f} MB")


if __name__ == "__main__":
    main()
