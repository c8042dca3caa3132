"""Labels of readers: one schema for all forms in which label files come.

A label file is JSON Lines. Labels lie at the top level or under ``gold``; a set of tags is an object of booleans (null
means unknown) or a list of what is there. A tag that a list leaves out is False; one that an object leaves out is
unknown.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from turnmark.schemas.problems import Problem, shown
from turnmark.schemas.trace import ComplianceLabel, ProfileGroundTruth

ConstraintLabel = Literal["violates", "respects", "silent"]
MemoryLabel = Literal["present", "partial", "conflicting", "absent"]

RISK_TAGS = (
    "volatility_risk", "no_guaranteed_return", "market_uncertainty", "suitability_match", "not_buy_sell_advice",
    "not_investment_advice", "credit_risk", "liquidity_risk", "interest_rate_risk", "policy_risk", "valuation_risk",
    "past_performance_not_future",
)  # fmt: skip
RUBRIC_ELEMENTS = ("信息依据", "风险收益平衡", "与画像匹配", "方案比较维度", "可执行步骤", "边界声明")
FORBIDDEN_CATEGORIES = ("保本保收益", "明确买入指令", "确定性预测涨跌", "代客操作", "无明确风险提示")


class FinanceLabels(msgspec.Struct, kw_only=True):
    """What a reader says of one reply; None stands for a judgement that was not made. ``lang`` is its language."""

    id: str
    reply: str
    lang: str | None = None
    user_text: str = ""
    profile: ProfileGroundTruth | None = None
    risk_disclosed: dict[str, bool | None] = {}
    constraints: dict[str, ConstraintLabel | None] = {}
    forbidden: dict[str, bool | None] = {}
    compliance: ComplianceLabel | None = None
    rubric: dict[str, bool | None] = {}
    required_keys: list[str] = []
    required_key_texts: list[str] = []
    keys_used: list[bool | None] = []


class MemoryLabels(msgspec.Struct, kw_only=True):
    """Whether a text of memory holds what a key stands for."""

    id: str
    key: str
    target: str
    source: Literal["short_term", "long_term", "profile"]
    text: str
    label: MemoryLabel | None = None


def read_labels(value: Any, file: str, line: int) -> FinanceLabels | MemoryLabels | Problem:
    """The labels in one decoded line, in whichever form they come."""
    if not isinstance(value, dict):
        return Problem(file=file, line=line, expected="an object with labels", found=shown(value))
    try:
        if "target" in value and "reply" not in value:
            return msgspec.convert(value, MemoryLabels)
        return msgspec.convert(_one_form(value), FinanceLabels)
    except msgspec.ValidationError as error:
        text, _, path = str(error).partition(" - at ")
        return Problem(file=file, line=line, field=path.strip("`") or "$", expected=text)


def _one_form(value: dict[str, Any]) -> dict[str, Any]:
    gold = value.get("gold")
    flat = {**value, **gold} if isinstance(gold, dict) else dict(value)
    for name, vocabulary in (
        ("risk_disclosed", RISK_TAGS),
        ("rubric", RUBRIC_ELEMENTS),
        ("forbidden", FORBIDDEN_CATEGORIES),
    ):
        result = flat.get(name)
        if isinstance(result, list) and all(isinstance(tag, str) for tag in result):
            flat[name] = {**dict.fromkeys(vocabulary, False), **dict.fromkeys(result, True)}
    used = flat.get("keys_used")
    keys = flat.get("required_keys") or []
    if isinstance(used, list) and isinstance(keys, list) and all(map(_is_index, used)):
        flat["keys_used"] = [index in used for index in range(len(keys))]
    return flat


def _is_index(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
