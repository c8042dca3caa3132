from __future__ import annotations

import itertools
import random
from typing import Any

import msgspec
import pytest

from turnmark.metrics.catalog import metric
from turnmark.pipeline.publishing.run_turns import lean_row
from turnmark.report.view.data import Fault
from turnmark.report.view.triage import (
    MOST_A_DIALOG,
    MOST_OF_A_METRIC,
    RESERVED,
    LeanRow,
    WorstTurns,
    candidates,
    faults,
    flagged,
    gravest,
    shortfalls,
)
from turnmark.schemas.marked_turn import MarkedTurn
from turnmark.schemas.marks import FAULT_KINDS, FaultKind, Mark
from turnmark.schemas.reasons import Reason
from turnmark.schemas.turn_eval import TurnEvalRow
from turnmark.suites.finance.rows import complete

PLAIN: dict[str, Any] = {
    "trace_version": "v1", "run_id": "r", "dialog_id": "d", "turn_pair_id": 1,
    "eligible_m1": False, "eligible_m2": False, "eligible_m3": False, "eligible_m4": True, "eligible_m5": False,
}  # fmt: skip
KEYS = [
    {"key": "a", "resolvable": True, "target_text": "x", "resolver": "r"},
    {"key": "b", "resolvable": True, "target_text": "y", "resolver": "r"},
    {"key": "c", "resolvable": False, "target_text": None, "resolver": "r"},
]
CASES: list[tuple[FaultKind, dict[str, Any], tuple[str, ...]]] = [
    ("severe", {"pred_compliance_label": "severe_violation", "gt_compliance_label": "severe_violation"}, ()),
    ("forbidden", {"forbidden_hits": ["保本"]}, ("保本",)),
    ("contradiction", {"constraint_contradiction": 1}, ()),
    ("failed", {"turn_status": "timeout"}, ("timeout",)),
    ("reply_state", {"reply_state": "echo"}, ("echo",)),
    ("label", {"pred_compliance_label": "minor_violation"}, ("minor_violation", "compliant")),
    ("minor", {"pred_compliance_label": "minor_violation", "gt_compliance_label": "minor_violation"}, ()),
    ("risk", {"risk_required_tags": ["a", "b"], "risk_pred_tags": ["b"], "risk_tag_hits": 1}, ("a",)),
    ("rubric", {"rubric_required": ["p", "q"], "rubric_hit_items": ["q"]}, ("p",)),
    ("memory", {"resolved_keys": KEYS, "key_hit_flags": [1, 0, 0]}, ("b",)),
]
DOWN = [
    ({"pred_compliance_label": "severe_violation", "forbidden_hits": ["x"]}, {"m4_compliance": 9.0}),
    ({"forbidden_hits": ["x", "y"]}, {"m4_compliance": 8.0}),
    ({"gt_compliance_label": "minor_violation"}, {"m4_compliance": 4.0}),
    ({"constraint_contradiction": 1}, {}),
    ({"constraint_contradiction": 1, "resolved_keys": KEYS, "key_hit_flags": [1, 1, 0], "key_use_flags": [1, 1, 0]},
     {"m1_context_continuity": 7.0}),
    ({"resolved_keys": KEYS, "key_hit_flags": [1, 0, 0], "key_use_flags": [0, 0, 0]},
     {"m1_context_continuity": 0.5, "m1b_reply_key_use": 1.0}),
    ({"resolved_keys": KEYS, "key_hit_flags": [1, 1, 0], "key_use_flags": [1, 1, 0]}, {}),
    ({"risk_required_tags": ["a", "b"]}, {"m3_risk_coverage": 1.0}),
    ({"rubric_required": ["a"], "turn_status": "error"}, {}),
]  # fmt: skip
"""Graver kinds of a metric come before milder ones; within a kind the share that is missing decides."""


def row_of(**fields: Any) -> TurnEvalRow:
    """A row of which only the columns of the contract were written, as readers have it."""
    eligible = {
        "eligible_m1": any(key["resolvable"] for key in fields.get("resolved_keys", ())),
        "eligible_m3": bool(fields.get("risk_required_tags")), "eligible_m5": bool(fields.get("rubric_required")),
    }  # fmt: skip
    row = msgspec.convert({**PLAIN, **eligible, **fields}, TurnEvalRow)
    complete(row)
    return row


def lean(**fields: Any) -> LeanRow:
    """The same as lists have it, from a file that holds the marks too."""
    return lean_row(msgspec.json.encode(row_of(**fields)))


@pytest.mark.parametrize(("kind", "fields", "details"), CASES)
def test_each_fault_is_told(kind: FaultKind, fields: dict[str, Any], details: tuple[str, ...]) -> None:
    told = [fault for fault in faults(row_of(**fields)) if fault.kind != "minor" or kind == "minor"]
    assert told == [Fault(kind, details)]
    found = gravest(lean(**fields))
    assert found is not None
    assert found[0] == kind


def test_failed_metrics_are_told_with_their_reasons() -> None:
    row = row_of(turn_status="error", failures={"M3": "ValueError: x"})
    assert faults(row) == [Fault("failed", ("error",), (("M3", Reason.text("ValueError: x")),))]
    assert gravest(lean(failures={"M3": "ValueError: x"})) == ("failed", 0)


def marked(suite: str, **values: float) -> MarkedTurn:
    """A row with these values of the first measure of each metric."""
    marks = {name: Mark(measures={metric(name).measures[0].name: (value, 1.0)}) for name, value in values.items()}
    return MarkedTurn(trace_version="v1", suite=suite, run_id="r", dialog_id="d", turn_pair_id=1, marks=marks)


def test_metrics_that_joined_from_another_suite_never_push_a_fault_of_the_own_suite_down() -> None:
    unsafe = marked("clinical", csp=0.3, faithfulness=1.0)
    badly_retrieved = marked("clinical", csp=0.0, faithfulness=0.0, context_relevance=0.0, answer_relevancy=0.0)
    for rows in ([unsafe, badly_retrieved], [msgspec.convert(msgspec.to_builtins(one), LeanRow)
                                             for one in (unsafe, badly_retrieved)]):  # fmt: skip
        first, second = (gravest(row) for row in rows)
        assert first == ("mark", 30)
        assert second == ("mark", 3)
        assert not flagged(rows[1])
    assert flagged(marked("rag", faithfulness=0.0))
    assert faults(badly_retrieved) == [Fault("mark", ("ARL 0.00", "CRL 0.00", "FTH 0.00"))]


@pytest.mark.parametrize(("fields", "found"), DOWN)
def test_how_far_a_turn_is_down_in_each_metric(fields: dict[str, Any], found: dict[str, float]) -> None:
    assert shortfalls(lean(**fields)) == shortfalls(row_of(**fields)) == found


def test_a_key_left_unused_is_named_but_files_no_turn() -> None:
    fields = {"resolved_keys": KEYS, "key_hit_flags": [1, 1, 0], "key_use_flags": [1, 0, 0]}
    assert gravest(lean(**fields)) is None
    assert faults(row_of(**fields)) == [Fault("unused", ("b",))]


def test_every_metric_has_its_worst_turns_among_those_that_are_shown() -> None:
    worst: WorstTurns[str] = WorstTurns()
    for dialog in range(100):
        rows = [
            lean(
                dialog_id=f"d{dialog}",
                turn_pair_id=turn,
                forbidden_hits=["x"] * 3,
                rubric_required=["p", "q"] * missed,
                rubric_hit_items=["q"] * (turn == 2),
            )
            for turn, missed in ((1, 0), (2, 1), (3, 1 if dialog > 97 else 0))
        ]
        worst.add(candidates(rows), lambda turn, dialog=dialog: f"{dialog}/{turn}")  # type: ignore[misc]
    chosen = worst.chosen()
    assert {"98/3", "99/3"} <= set(chosen)
    assert len(chosen) == 55 - 2  # two of the five turns that miss elements are among the fifty anyway


def test_a_good_turn_has_no_fault() -> None:
    assert faults(row_of()) == []
    assert gravest(lean()) is None


def test_any_disclosure_meets_the_tag_that_asks_for_any() -> None:
    fields = {"risk_required_tags": ["risk_disclosure_present"], "risk_pred_tags": ["a"], "risk_tag_hits": 1}
    assert faults(row_of(**fields)) == []


def test_turns_that_are_not_eligible_miss_nothing() -> None:
    fields = {"eligible_m1": False, "eligible_m3": False, "eligible_m5": False, "risk_required_tags": ["a"],
              "rubric_required": ["p"], "resolved_keys": KEYS, "key_hit_flags": [0, 0, 0]}  # fmt: skip
    assert gravest(lean(**fields)) is None
    assert faults(row_of(**fields)) == []


def test_a_turn_is_filed_under_its_gravest_fault_and_tells_all() -> None:
    every: dict[str, Any] = {}
    for _, fields, _ in reversed(CASES):
        every |= {name: value for name, value in fields.items() if name != "turn_status"}
    found = gravest(lean(**every))
    assert found is not None
    assert found[0] == "severe"
    kinds = [fault.kind for fault in faults(row_of(**every))]
    assert kinds == sorted(kinds, key=FAULT_KINDS.index)


def reference(rows: list[tuple[LeanRow, bytes]], most: int) -> list[bytes]:
    """The choice made with all rows at hand."""
    by_kind: dict[str, list[tuple[int, int, str, bytes]]] = {kind: [] for kind in FAULT_KINDS}
    for place, (row, raw) in enumerate(rows):
        fault = gravest(row)
        if fault:
            by_kind[fault[0]].append((-fault[1], place, row.dialog_id, raw))
    for kind, found in by_kind.items():
        kept: list[tuple[int, int, str, bytes]] = []
        for item in sorted(found):
            if sum(other[2] == item[2] for other in kept) < MOST_A_DIALOG:
                kept.append(item)
        by_kind[kind] = kept[:most]
    picked = [item for found in by_kind.values() for item in found[:RESERVED]]
    picked += [item for found in by_kind.values() for item in found[RESERVED:]]
    places = {item[1] for item in picked[:most]} | worst_places([row for row, _ in rows])

    def order(place: int) -> tuple[int, int, int]:
        fault = gravest(rows[place][0])
        return (FAULT_KINDS.index(fault[0]), -fault[1], place) if fault else (len(FAULT_KINDS), 0, place)

    return [rows[place][1] for place in sorted(places, key=order)]


def worst_places(rows: list[LeanRow]) -> set[int]:
    """Of each metric the places of its worst turns, at most two a dialogue."""
    found: set[int] = set()
    for name in {name for row in rows for name in shortfalls(row)}:
        kept: list[int] = []
        for place in sorted(range(len(rows)), key=lambda place: (-shortfalls(rows[place]).get(name, 0), place)):
            dialogs = [rows[other].dialog_id for other in kept]
            if name in shortfalls(rows[place]) and dialogs.count(rows[place].dialog_id) < MOST_A_DIALOG:
                kept.append(place)
        found |= set(kept[:MOST_OF_A_METRIC])
    return found


@pytest.mark.parametrize("seed", range(20))
def test_the_choice_equals_the_one_made_with_all_rows_at_hand(seed: int) -> None:
    chance = random.Random(seed)
    rows = []
    for dialog in range(chance.randint(1, 40)):
        for turn in range(chance.randint(1, 12)):
            _, fields, _ = chance.choice(CASES[: chance.randint(1, len(CASES))])
            more = {"forbidden_hits": ["x"] * chance.randint(0, 3)} if chance.random() < 0.2 else {}
            rows.append((lean(**{**fields, **more, "dialog_id": f"d{dialog}"}), f"{dialog}/{turn}".encode()))
    worst: WorstTurns[bytes] = WorstTurns(most=30)
    for _, own in itertools.groupby(enumerate(rows), key=lambda item: item[1][0].dialog_id):
        raws = {}
        for place, (row, raw) in own:
            row.turn_pair_id = place
            raws[place] = (row, raw)
        worst.add(candidates(row for row, _ in raws.values()), lambda place, raws=raws: raws[place][1])
    assert worst.chosen() == reference(rows, 30)


def test_one_dialogue_and_one_kind_do_not_fill_the_list() -> None:
    worst: WorstTurns[str] = WorstTurns()
    same = [lean(turn_pair_id=turn, forbidden_hits=["x"]) for turn in range(500)]
    worst.add(candidates(same), lambda turn: f"same {turn}")
    for dialog in range(500):
        fields = {"dialog_id": f"e{dialog}"}
        rows = [
            lean(**fields, turn_pair_id=1, reply_state="echo"), lean(**fields, turn_pair_id=2, risk_required_tags=["a"])
        ]  # fmt: skip
        worst.add(candidates(rows), lambda turn: ("echo", "risk")[turn - 1])
    chosen = worst.chosen()
    assert len(chosen) == 50  # the worst of M3 and M4 are among them
    assert chosen[:2] == ["same 0", "same 1"]
    assert chosen.count("echo") == 43
    assert chosen.count("risk") == RESERVED
