"""What a turn of a clinical dialogue costs as the dialogue grows: processor time a turn at 10 and at 80 turns.

Usage: benchmarks/clinical_dialogue.py [EVENTS.jsonl] [--turns 10,80] [--repeats N]

Answers of each patient are repeated in order until a dialogue has its turns, each answer marked by two letters of its
own so that no cache across texts can help. Turn numbers go on repeating, so that every length has the same rules and
slots at work on the same answers. All lengths are evaluated in rounds, the same number of turns in each; the best
round of a length counts, since other load on the machine only ever slows one down.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from pathlib import Path
from typing import Any

import msgspec

from scored import all_scored
from turnmark.pipeline.scoring.worker import has_failure
from turnmark.schemas.trace import TRACE_VERSION, DialogTrace
from turnmark.suites.protocol import Suite, SuiteSettings
from turnmark.suites.registry import make_suite

EXAMPLE = Path(__file__).resolve().parent.parent / "src" / "turnmark" / "examples" / "clinical" / "agent"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def dialogues(events: list[dict[str, Any]], turns: int) -> list[DialogTrace]:
    """One dialogue of so many turns a patient."""
    by_patient: dict[str, list[dict[str, Any]]] = {}
    for event in events:
        by_patient.setdefault(event["patient_id"], []).append(event)
    return [_dialogue(patient, own, turns) for patient, own in by_patient.items()]


def _dialogue(patient: str, events: list[dict[str, Any]], turns: int) -> DialogTrace:
    made = []
    for place in range(turns):
        event = events[place % len(events)]
        mark = _LETTERS[place // 26 % 26] + _LETTERS[place % 26]
        made.append(
            {
                "turn_pair_id": event["turn_id"],
                "user_turn_abs_idx": 2 * place,
                "gt_assistant_abs_idx": 2 * place + 1,
                "user_text": f"{event['question']['text']} {mark}",
                "gt_assistant_text": "",
                "gt_turn_tags": None,
                "turn_status": "ok",
                "pred_assistant_text": f"{event['answer']} {mark}",
                "error": None,
            }
        )
    trace = {
        "trace_version": TRACE_VERSION,
        "run_id": "benchmark",
        "dialog_id": patient,
        "dataset_index": 0,
        "scenario_type": "clinical",
        "dialog_status": "ok",
        "valid_dialog": True,
        "session_id": patient,
        "user_id": patient,
        "turns": made,
        "system": "agent",
        "slots_truth": events[0]["slots_truth"],
    }
    return msgspec.convert(trace, DialogTrace)


def seconds(suite: Suite, dialogs: list[DialogTrace], rounds: int) -> float:
    """Processor time of evaluating all dialogues so many times."""
    start = time.process_time()
    for _ in range(rounds):
        for dialog in dialogs:
            suite.evaluate(dialog)
    return time.process_time() - start


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("events", nargs="?", type=Path, default=EXAMPLE / "events.jsonl")
    parser.add_argument("--turns", default="10,80")
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    events = [json.loads(line) for line in arguments.events.read_text("utf-8").splitlines() if line.strip()]
    lengths = [int(length) for length in arguments.turns.split(",")]
    suite = make_suite("clinical", SuiteSettings("contextual"))
    by_length = {length: dialogues(events, length) for length in lengths}
    seconds(suite, by_length[min(lengths)], 1)
    for length, dialogs in by_length.items():
        rows = [row for dialog in dialogs for row in suite.evaluate(dialog).rows]
        all_scored(f"turns of dialogues of {length}", sum(not has_failure(row) for row in rows), length * len(dialogs))
    gc.disable()
    best = dict.fromkeys(lengths, float("inf"))
    for _ in range(arguments.repeats):
        for length, dialogs in by_length.items():
            rounds = max(lengths) // length
            turns = rounds * length * len(dialogs)
            best[length] = min(best[length], seconds(suite, dialogs, rounds) / turns)
    for length, cost in best.items():
        print(
            f"{length:>4} turns: {1000 * cost:.2f} ms a turn ({cost / best[min(lengths)]:.2f} of {min(lengths)} turns)"
        )


if __name__ == "__main__":
    main()
