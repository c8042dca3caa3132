"""What users say of themselves in turns of their own, and what memory notes down of it, in three languages.

A line of ``plain_memory.tsv`` is what memory should hold, a text of memory, and how it holds it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from turnmark.detectors.finance.contextual.constraints.kinds import ConstraintKinds
from turnmark.detectors.finance.contextual.memory.agreement import all_values
from turnmark.detectors.finance.contextual.memory.detector import MemoryDetector
from turnmark.packs.profile import profile_pack
from turnmark.packs.rule_packs import rule_packs

_LINES = (Path(__file__).parent / "data" / "plain_memory.tsv").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def memory():
    packs = [profile_pack(language)[0] for language in ("zh", "ko", "en")]
    return MemoryDetector(packs, ConstraintKinds(rule_packs("finance.constraints", ())[0]))


@pytest.mark.parametrize(("target", "text", "label"), [line.split("\t") for line in _LINES])
def test_memory_is_read_as_users_say_it(memory, target, text, label):
    assert memory.presence(target, text).label == label


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("进取", "assistant: Growth investors are happy to take big risks."),
        ("保守", "assistant: Many clients can't sleep when markets drop."),
        ("2年以上", "user: Did you need the money for five years?"),
        ("2年以上", "user: I lost 20% over the last five years and need advice."),
        ("不投海外市场", "user: 海外市场最近怎么样？"),
        ("最大回撤<15%", "user: 去年那只基金跌了30%。"),
        ("保守", "user: I'm afraid I lost the paperwork."),
        ("保守", "user: 금리가 떨어지면 불안해요."),
        ("2年以上", "user: I need advice about a 10-year bond."),
        ("2年以上", "user: 我想投10年期国债。"),
        ("2年以上", "user: 만기 10년 국채가 필요해요."),
    ],
)
def test_what_is_not_told_of_the_user_is_absent(memory, target, text):
    assert memory.presence(target, text).label == "absent"


@pytest.mark.parametrize(
    ("line", "near", "state"),
    [
        ("user is 34, income 60,000", True, "stated"),
        ("user is 43 years old, income 60,000", True, "conflicting"),
        ("user is 43 years old", False, "none"),
        ("user is 34 years old, income 80,000", True, "conflicting"),
        ("user is 34 years old, income 80,000", False, "none"),
        ("no numbers here", True, "none"),
    ],
)
def test_one_value_that_differs_makes_another_note(line, near, state):
    assert all_values("I'm 34 and earn 60,000 a year.", line, near=near) == state
