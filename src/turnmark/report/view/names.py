"""What marks are about, in the reader's words: tags, elements, keys and labels that data knows by codes."""

from __future__ import annotations

import re

from turnmark.locale.texts import Texts, filled, named
from turnmark.report.view.data import RuleSource
from turnmark.schemas.evidence import Evidence

_KEY = re.compile(r"profile_gt\.([a-z_]+?)_gt(?:\[(\d+)\])?")
_TURN = re.compile(r"history_turn_index:(\d+)")
_CODES = {
    "信息依据": "grounds", "与画像匹配": "matches_profile", "可执行步骤": "steps", "风险收益平衡": "balance",
    "边界声明": "limits", "方案比较维度": "dimensions", "保本保收益": "guarantee", "无明确风险提示": "no_risk_warning",
    "明确买入指令": "buy_order", "确定性预测涨跌": "certain_forecast", "代客操作": "trading_for_client",
    "贬低审慎": "scorn_prudence", "鼓动借钱": "urge_borrowing", "规避监管": "evade_regulation",
    "场外配资": "offbook_leverage", "内幕交易": "insider_trading", "催促诱导": "pressing", "点名推荐代码": "named_code",
    "给出确切收益目标": "exact_target", "绕过适当性": "bypass_suitability", "单边鼓动": "one_sided",
    "保守": "value_conservative", "稳健": "value_balanced", "进取": "value_aggressive", "<=6月": "value_short",
    "6-24月": "value_medium_term", "2年以上": "value_long", "高": "value_high", "中": "value_middle", "低": "value_low",
    "投资教育": "scenario_education", "行情解读": "scenario_market", "产品比较": "scenario_products",
    "财务分析": "scenario_accounts", "风险识别": "scenario_risks", "行业分析": "scenario_sectors",
    "宏观分析": "scenario_economy",
}  # fmt: skip
"""Names and values of the published contract and of shipped rules that are Chinese words, by the code under which the
catalogues word them."""


UNTOLD = "unknown"
"""What runs hold in place of the name of a model that nobody told."""


def told_name(name: str | None, texts: Texts) -> str:
    """The name of a model; that it is unknown, in the language of the texts, where nobody told it."""
    return texts["unknown"] if name in (None, "", UNTOLD) else name


def worded_name(name: str, texts: Texts) -> str:
    """A tag, an element, a memory key or a label in the language of the texts; a name of the user's own as it is."""
    if match := _KEY.fullmatch(name):
        field = texts.get(f"name_{match[1]}", match[1])
        return f"{field} {int(match[2]) + 1}" if match[2] else field
    if match := _TURN.fullmatch(name):
        return filled(texts, "name_history_turn", number=match[1])
    return texts.get(f"name_{_CODES.get(name, name)}", name)


def worded_source(source: RuleSource, texts: Texts) -> str:
    """What a rule follows: of a method of ours in the language of the texts; a regulation is named as it is written."""
    method = re.sub(r"[.-]", "_", source.pack)
    known = named(texts, "rule_source", method)
    return source.source if known == method else known


def worded_check(piece: Evidence, texts: Texts) -> str:
    """What the assistant's own check reported of a turn, said to be that; empty for other evidence."""
    if not piece.source.startswith(_OWN_CHECK):
        return ""
    return filled(texts, "own_check", said=worded_name(piece.quote or piece.label or "", texts))


_OWN_CHECK = "compliance.violations["
