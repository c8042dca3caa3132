"""What faults of an endpoint or a model cost: cases lost, claims lost, time; and what a second run asks.

    python benchmarks/judge_faults.py [CASES.jsonl]

Each fault hits a tenth of the calls, then every call of six fixed cases. A local server breaks as told.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from turnmark.judges.llm.config import JudgeConfig
from turnmark.judges.recorded import RecordedJudge
from turnmark.pipeline.judging.judge import judge
from turnmark.suites.judging import JudgeRequest
from turnmark.suites.rag.case import evaluate_case
from turnmark.suites.rag.judging import recorded_cases

sys.path[:0] = [str(Path(__file__).parents[1] / "tests"), str(Path(__file__).parent)]

from llm_judge import made_cases  # noqa: E402 - the path is set above
from servers.chat_server import ChatServer  # noqa: E402
from servers.judge_answers import judge_answer  # noqa: E402

FAULTS = (
    "rate_limit", "server_error", "reset", "truncated_body", "invalid_json", "hang", "slow_stream", "cut_answer",
    "length", "prose", "fence", "empty",
)  # fmt: skip
PERMANENT = ("server_error", "rate_limit", "bad_request", "reset", "hang", "cut_answer", "empty")
BROKEN = 6
SECONDS = 2.0


def figures(request):
    """How many cases have no faithfulness, and how many of its verdicts failed."""
    recorded = RecordedJudge(request.out)
    lost = claims = 0
    for case in recorded_cases(request.cases, []):
        result = evaluate_case(case, recorded, ["faithfulness"]).results["faithfulness"]
        lost += result.status != "scored"
        claims += sum(judged.verdict.label == "failed" for judged in result.claims)
    return lost, claims


def run(cases, folder, title, **breaking):
    out = Path(folder, "judgements.jsonl")
    for old in Path(folder).glob("judgements*"):
        old.unlink()
    with ChatServer(answer=judge_answer, hang=60, slow=60, latency=0.05, **breaking) as server:
        config = JudgeConfig(model="m", base_url=server.base_url, timeout=SECONDS)
        request = JudgeRequest((cases,), config, out, ("faithfulness",))
        started = time.perf_counter()
        first = judge(request)
        wall = time.perf_counter() - started
        lost, claims = figures(request)
        reason = max(first.reasons, key=first.reasons.get, default="")
        server.faults, server.permanent = {}, {}
        second = judge(request)
    print(
        f"{title:28} {lost:4} {claims:5} {wall:6.1f} s {first.spent.calls:5} calls; then {second.spent.calls:3} calls, "
        f"{figures(request)[0]} lost  {reason[:70]}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", nargs="?", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "cases.jsonl")
        cases = [*map(json.loads, options.cases.open())] if options.cases else [*made_cases(60)]
        path.write_text("".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases))
        print(f"{len(cases)} cases; lost cases and claims of faithfulness, time, calls; then a run without faults")
        for fault in FAULTS:
            run(path, folder, f"{fault} 10 %", faults={fault: 0.1})
        broken = [case["question"] for case in cases[:: len(cases) // BROKEN]][:BROKEN]
        words = [case["answer"][:24] for case in cases if case["question"] in broken]
        for fault in PERMANENT:
            run(path, folder, f"{fault} always, {BROKEN} cases", permanent=dict.fromkeys([*broken, *words], fault))


if __name__ == "__main__":
    main()
