"""Clinical answers a second in one process: SFS, CSP and CUS together, beside plain pattern search.

Usage: benchmarks/clinical_throughput.py LABELS.jsonl [SECONDS]

LABELS.jsonl holds one answer a line with its question, turn_id and slots_truth, as `turnmark agree --suite clinical`
reads them. One pass over all answers warms caches and is not timed. Time is processor time of this process, and the
best of the timed passes counts: other load on the machine only ever slows a pass down.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scored import all_scored
from turnmark.detectors.clinical import literal
from turnmark.detectors.clinical.utterance import read_utterance
from turnmark.stats.tally import Failed
from turnmark.suites.clinical.answer import ClinicalConfig, EventResult, evaluate_answer, load_config


def contextual(row: dict[str, Any], config: ClinicalConfig) -> EventResult:
    """The three metrics as the suite computes them."""
    return evaluate_answer(read_utterance(row["answer"], row["slots_truth"], row["question"]), row["turn_id"], config)


def plain(row: dict[str, Any], config: ClinicalConfig) -> None:
    """The same three by literal phrases."""
    literal.factuality(row["answer"], row["slots_truth"])
    literal.violations(config.safety.rules, [rule.id for rule in config.safety.rules.rules], row["answer"])
    for slot in config.required.of(row["turn_id"]).required_slots:
        literal.slot_use(row["answer"], row["slots_truth"].get(slot.slot))


def best_rate(
    rows: list[dict[str, Any]],
    judge: Callable[[dict[str, Any], ClinicalConfig], EventResult | None],
    config: ClinicalConfig,
    seconds: float,
) -> float:
    """Answers a second of the fastest pass over all rows."""
    for row in rows:
        judge(row, config)
    shortest = float("inf")
    end = time.process_time() + seconds
    while time.process_time() < end:
        start = time.process_time()
        for row in rows:
            judge(row, config)
        shortest = min(shortest, time.process_time() - start)
    return len(rows) / shortest


def main() -> None:
    """Measure and print."""
    path, seconds = Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 5.0
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    config, _ = load_config()
    failed = sum(isinstance(found, Failed) for row in rows for found in contextual(row, config).outcomes.values())
    all_scored(f"marks of answers in {path.name}", 3 * len(rows) - failed, 3 * len(rows))
    full, phrases = best_rate(rows, contextual, config, seconds), best_rate(rows, plain, config, seconds)
    characters = sum(len(row["answer"]) for row in rows) / len(rows)
    print(f"{len(rows)} answers of {characters:.0f} characters on average")
    print(f"SFS + CSP + CUS: {full:,.0f} answers a second and process")
    print(f"plain patterns:  {phrases:,.0f} answers a second and process ({phrases / full:.1f} times as many)")


if __name__ == "__main__":
    main()
