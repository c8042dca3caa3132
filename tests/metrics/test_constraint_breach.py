"""M1c: broken constraints have a figure wherever a reply could break one, whatever memory was asked for."""

from __future__ import annotations

import msgspec
import pytest

import turnmark
from building import PROFILE, dialog, turn
from turnmark.metrics.finance.constraint_breach import outcomes
from turnmark.schemas.turn_eval import TurnEvalRow
from turnmark.stats.tally import Failed, Ratio

BROKEN, KEPT = "拿5%买比特币。", "比特币就不碰了，放货币基金。"


def _scored(constraints, *turns, **options):
    profile = {**PROFILE, "constraints_gt": constraints}
    result = turnmark.score([dialog(turns=list(turns), profile_gt=profile)], suite="finance", **options)
    return result.summary.metrics.get("m1c_constraint_breach"), result.rows


@pytest.mark.parametrize(("reply", "rate"), [(BROKEN, 1.0), (KEPT, 0.0)])
def test_a_turn_that_requires_no_memory_key_has_a_figure(reply, rate):
    block, (row,) = _scored(["不买虚拟货币"], turn(reply=reply))
    assert (row["eligible_m1"], row["constraints_held"]) == (False, 1)
    assert block.micro["constraint_breach_rate"] == rate


def test_constraints_that_no_rule_reads_leave_the_denominator():
    block, (row,) = _scored(["随缘"], turn(reply=BROKEN))
    assert (block, row["constraints_held"]) == (None, 0)


def test_a_turn_that_failed_is_none_that_could_break_one():
    block, _ = _scored(["不买虚拟货币"], turn(reply=BROKEN), turn(2, None, turn_status="failed"))
    assert block.micro["constraint_breach_rate"] == 1.0


def test_a_row_whose_constraints_could_not_be_read_has_failed():
    _, (row,) = _scored(["不买虚拟货币"], turn(reply=BROKEN))
    row = msgspec.convert({**row, "failures": {"M1": "KeyError"}}, TurnEvalRow)
    assert outcomes(row) == Failed("KeyError")
    assert outcomes(msgspec.structs.replace(row, failures={"M3": "KeyError"})) == (Ratio(1, 1),)


def test_literal_has_no_such_figure():
    block, (row,) = _scored(["不买虚拟货币"], turn(reply=BROKEN), detect="literal")
    assert block is None
    assert "constraints_held" not in row
