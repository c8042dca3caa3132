"""The main table for both detector sets, side by side, over recorded runs, as Markdown.

Usage: literal_and_contextual.py [RUN_FOLDER …] [--ignore-memory-keys NAME]; without folders, the recorded runs.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.schemas.results.summary import EvalSummary

RECORDED = Path(__file__).resolve().parent.parent.parent / "shared" / "conformance" / "memfin"
MEASURES = (
    ("m1_context_continuity", ("key_coverage", "strict_key_hit_rate", "contradiction_rate")),
    ("m1b_reply_key_use", ("key_use_rate",)),
    ("m2_profile_accuracy", ("profile_score", "risk_level_acc", "horizon_acc", "liquidity_acc")),
    ("m3_risk_coverage", ("risk_coverage", "strict_risk_coverage_rate")),
    ("m4_compliance", ("compliance_label_acc", "severe_violation_rate", "forbidden_hit_rate")),
    ("m5_explainability", ("rubric_hit_rate", "judge_score_mean")),
)


def summary(trace: Path, detect: str, *, ignore_memory_keys: bool, out: Path) -> EvalSummary:
    """Score one run with one detector set."""
    request = ScoreRequest((trace,), out, detect=detect, ignore_memory_keys=ignore_memory_keys)
    return score(request).summary


def shown(one: EvalSummary, metric: str, measure: str) -> str:
    """A figure with three decimals, or n/a."""
    result = one.metrics[metric]
    return f"{result.micro[measure]:.3f}" if result.denominators[measure] else "n/a"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="*", type=Path)
    parser.add_argument("--ignore-memory-keys", action="append", default=["20260221_085707"])
    options = parser.parse_args()
    runs = options.runs or sorted(path.parent for path in RECORDED.glob("*/dialog_trace.jsonl"))
    found: dict[str, tuple[EvalSummary, EvalSummary]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for run in runs:
            ignore = run.name in options.ignore_memory_keys
            literal, contextual = (
                summary(run / "dialog_trace.jsonl", detect, ignore_memory_keys=ignore, out=Path(folder) / detect)
                for detect in ("literal", "contextual")
            )
            found[run.name] = literal, contextual
    print("| figure | " + " | ".join(found) + " |")
    print("|---|" + "---|" * len(found))
    for metric, measures in MEASURES:
        for measure in measures:
            cells = [" → ".join(shown(one, metric, measure) for one in pair) for pair in found.values()]
            print(f"| `{measure}` | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
