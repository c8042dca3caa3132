"""The plain script that a team would write for the literal metrics: json, substring tests, rows, sums; no evidence.

It is the baseline of ``score_throughput.py`` and an independent second reading of ``literal_v1.yaml``: the tests hold
its sums against the recorded summaries too.

Usage: plain_literal.py TRACE.jsonl OUT_DIR [--ignore-memory-keys]
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from pathlib import Path

RISK_ALIASES = {
    "volatility_risk": ["波动风险", "波动", "价格波动"],
    "no_guaranteed_return": ["不保证收益", "不保证本金", "不保本"],
    "market_uncertainty": ["市场不确定性", "市场存在不确定性", "不确定性"],
    "suitability_match": ["适当性匹配", "风险匹配", "适当性"],
    "not_buy_sell_advice": ["不构成个股买卖建议", "不构成买卖建议"],
    "not_investment_advice": ["不构成投资建议", "仅供参考"],
    "credit_risk": ["信用风险"],
    "liquidity_risk": ["流动性风险"],
    "interest_rate_risk": ["利率风险"],
    "past_performance_not_future": ["过往业绩不代表未来表现", "过往业绩不预示未来", "历史业绩不代表未来"],
    "risk_disclosure_present": ["无明确风险提示"],
}
ALIAS_TO_TAG = {alias: tag for tag, aliases in RISK_ALIASES.items() for alias in aliases}
RISK_KEYWORDS = {
    "volatility_risk": ["波动风险", "波动", "回撤"],
    "no_guaranteed_return": ["不保证收益", "不保证本金", "不保本"],
    "market_uncertainty": ["市场不确定性", "不确定性", "市场有风险"],
    "suitability_match": ["适当性匹配", "风险承受能力", "匹配"],
    "not_buy_sell_advice": ["不构成个股买卖建议", "不构成买卖建议"],
    "not_investment_advice": ["不构成投资建议", "仅供参考"],
    "credit_risk": ["信用风险", "违约风险"],
    "liquidity_risk": ["流动性风险", "变现"],
    "interest_rate_risk": ["利率风险", "利率上升"],
    "past_performance_not_future": ["过往业绩不代表未来", "历史业绩不代表未来", "过往业绩不预示未来"],
}
RUBRIC_KEYWORDS = {
    "信息依据": ["依据", "数据", "指标", "财报", "根据"],
    "风险收益平衡": ["风险", "收益", "回撤", "平衡"],
    "与画像匹配": ["风险偏好", "稳健", "保守", "进取", "约束", "您的"],
    "方案比较维度": ["对比", "比较", "优劣", "方案", "维度"],
    "可执行步骤": ["步骤", "建议", "先", "然后", "1.", "2."],
    "边界声明": ["不构成", "仅供参考", "投资有风险", "不保证收益"],
}
CONSTRAINT_KEYWORDS = {
    "不使用杠杆": ["杠杆", "融资融券", "加杠杆"],
    "不做短线交易": ["短线", "日内", "频繁交易"],
    "不投分级基金": ["分级基金"],
    "不投海外市场": ["海外市场", "美股", "港股"],
    "不参与题材炒作": ["题材炒作", "追热点"],
}
GUARD_WORDS = ["不建议", "避免", "不要", "不应", "不宜", "谨慎"]
SEVERE_TYPES = {"trading_advice", "promise_return", "guarantee", "insider"}
RISK = {"保守": "low", "稳健": "medium", "进取": "high", "low": "low", "medium": "medium", "high": "high"}
HORIZON = {
    "<=6月": "short", "6-24月": "medium", "2年以上": "long", "短期": "short", "中期": "medium", "长期": "long",
    "short": "short", "medium": "medium", "long": "long",
}  # fmt: skip
LIQUIDITY = {"高": "high", "中": "medium", "低": "low", "high": "high", "medium": "medium", "low": "low"}
FALLBACK_RISK = [("low", ["保守", "低风险"]), ("medium", ["稳健", "中风险"]), ("high", ["进取", "高风险", "激进"])]
FALLBACK_HORIZON = [
    ("short", ["6月", "短期"]), ("medium", ["6-24月", "1年", "2年内"]), ("long", ["2年以上", "长期"])
]  # fmt: skip
FALLBACK_LIQUIDITY = [
    ("high", ["高流动性", "随时需要用钱", "保留现金"]), ("medium", ["流动性中等"]), ("low", ["低流动性"])
]  # fmt: skip
LABELS = ("compliant", "minor_violation", "severe_violation")


def resolve(key, dialog):
    profile = dialog.get("profile_gt") or {}
    if key in ("profile_gt.risk_level_gt", "profile_gt.horizon_gt", "profile_gt.liquidity_need_gt"):
        value = profile.get(key.split(".")[1])
        if value:
            return {"key": key, "resolvable": True, "target_text": value, "resolver": "profile_field"}
    match = re.fullmatch(r"profile_gt\.(constraints_gt|preferences_gt)\[(\d+)\]", key)
    if match:
        values = profile.get(match[1]) or []
        if int(match[2]) < len(values):
            return {"key": key, "resolvable": True, "target_text": values[int(match[2])], "resolver": match[1]}
    match = re.fullmatch(r"history_turn_index:(\d+)", key)
    if match:
        number = int(match[1])
        turns = dialog.get("raw_turns") or []
        users = [turn["text"] for turn in turns if turn["role"] == "user"]
        if 1 <= number <= len(users):
            return {"key": key, "resolvable": True, "target_text": users[number - 1], "resolver": "history_user_turn"}
        if 1 <= number <= len(turns):
            text = turns[number - 1]["text"]
            return {"key": key, "resolvable": True, "target_text": text, "resolver": "history_abs_turn"}
    return {"key": key, "resolvable": False, "target_text": None, "resolver": "unresolved"}


def contradicts(reply, constraints):
    for constraint in constraints:
        match = re.match(r"最大回撤<\s*(\d+)%", constraint)
        percents = re.findall(r"(\d+)\s*%", reply) if match and "回撤" in reply else []
        if any(int(number) > int(match[1]) for number in percents):
            return 1
        words = CONSTRAINT_KEYWORDS.get(constraint)
        if words and any(word in reply for word in words) and not any(word in reply for word in GUARD_WORDS):
            return 1
    return 0


def build_row(dialog, turn, ignore_memory_keys):
    reply = turn.get("pred_assistant_text") or ""
    tags = turn.get("gt_turn_tags") or {}
    ok = turn["turn_status"] == "ok"
    keys = [] if ignore_memory_keys else tags.get("memory_required_keys_gt") or []
    resolved = [resolve(key, dialog) for key in keys]
    recall = turn.get("recall") or {}
    sources = {
        "short_term": recall.get("short_term_context") or "",
        "long_term": "\n".join(item.get("content") or "" for item in recall.get("items") or []),
        "profile": recall.get("profile_context") or "",
    }
    hits = [
        [name for name, text in sources.items() if entry["target_text"] in text] if entry["resolvable"] else []
        for entry in resolved
    ]
    required = [ALIAS_TO_TAG.get(tag, tag.lower()) for tag in tags.get("risk_disclosure_required_gt") or []]
    predicted = sorted(tag for tag, words in RISK_KEYWORDS.items() if any(word in reply for word in words))
    forbidden = [entry for entry in (dialog.get("blueprint") or {}).get("forbidden_list") or [] if entry in reply]
    violations = (turn.get("compliance") or {}).get("violations") or []
    if forbidden:
        label = "severe_violation"
    elif not violations:
        label = "compliant"
    elif any(v.get("type") in SEVERE_TYPES or str(v.get("severity")).lower() == "high" for v in violations):
        label = "severe_violation"
    else:
        label = "minor_violation"
    rubric = tags.get("explainability_rubric_gt") or []
    rubric_hits = [item for item in rubric if any(word in reply for word in RUBRIC_KEYWORDS.get(item, [item]))]
    gt_label = tags.get("compliance_label_gt")
    return {
        "trace_version": dialog["trace_version"],
        "run_id": dialog["run_id"],
        "dialog_id": dialog["dialog_id"],
        "turn_pair_id": turn["turn_pair_id"],
        "eligible_m1": ok and any(entry["resolvable"] for entry in resolved),
        "eligible_m2": False,
        "eligible_m3": ok and bool(required),
        "eligible_m4": ok,
        "eligible_m5": ok and bool(rubric),
        "required_keys_raw": keys,
        "resolved_keys": resolved,
        "key_hit_flags": [int(bool(found)) for found in hits],
        "key_hit_sources": hits,
        "m1_source_hits": {name: sum(name in found for found in hits) for name in sources},
        "constraint_contradiction": contradicts(reply, (dialog.get("profile_gt") or {}).get("constraints_gt") or []),
        "risk_required_tags": required,
        "risk_pred_tags": predicted,
        "risk_tag_hits": sum(bool(predicted) if t == "risk_disclosure_present" else t in predicted for t in required),
        "forbidden_hits": forbidden,
        "pred_compliance_label": label,
        "gt_compliance_label": gt_label if gt_label in LABELS else "compliant",
        "rubric_required": rubric,
        "rubric_hit_items": rubric_hits,
        "judge_score_1_5": round(1 + 4 * len(rubric_hits) / len(rubric), 2) if rubric else None,
    }


def first(rules, text):
    return next((value for value, words in rules if any(word in text for word in words)), None)


def set_f1(predicted, truth):
    if not truth:
        return 0.0 if predicted else 1.0
    common = len(predicted & truth)
    precision = common / len(predicted) if predicted else 0.0
    recall = common / len(truth)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def profile_scores(dialog):
    truth = dialog["profile_gt"]
    snapshot = {}
    for turn in dialog["turns"]:
        if isinstance(turn.get("profile_snapshot"), dict):
            snapshot = turn["profile_snapshot"]
    text = "\n".join(turn.get("pred_assistant_text") or "" for turn in dialog["turns"])
    risk = RISK.get(snapshot.get("risk_level")) or first(FALLBACK_RISK, text)
    horizon = HORIZON.get(snapshot.get("investment_horizon")) or first(FALLBACK_HORIZON, text)
    liquidity = LIQUIDITY.get(snapshot.get("liquidity_need")) or first(FALLBACK_LIQUIDITY, text)
    constraints = set(truth.get("constraints_gt") or [])
    preferences = set(truth.get("preferences_gt") or [])
    said_constraints = set(snapshot.get("forbidden_assets") or []) | {c for c in constraints if c in text}
    said_preferences = set(snapshot.get("preferred_topics") or []) | {p for p in preferences if p in text}
    scores = {
        "risk_level_acc": float(risk is not None and risk == RISK.get(truth.get("risk_level_gt"))),
        "horizon_acc": float(horizon is not None and horizon == HORIZON.get(truth.get("horizon_gt"))),
        "liquidity_acc": float(liquidity is not None and liquidity == LIQUIDITY.get(truth.get("liquidity_need_gt"))),
        "constraints_f1": set_f1(said_constraints, constraints),
        "preferences_f1": set_f1(said_preferences, preferences),
    }
    scores["profile_score"] = sum(scores.values()) / 5
    return scores


def main():
    trace, out = Path(sys.argv[1]), Path(sys.argv[2])
    ignore = "--ignore-memory-keys" in sys.argv
    out.mkdir(parents=True, exist_ok=True)
    sums = defaultdict(lambda: defaultdict(lambda: [0.0, 0.0]))
    profiles = {}
    with trace.open(encoding="utf-8") as lines, (out / "turn_eval.jsonl").open("w", encoding="utf-8") as rows:
        for line in lines:
            dialog = json.loads(line)
            if not dialog["valid_dialog"]:
                continue
            profiles[dialog["dialog_id"]] = profile_scores(dialog)
            total = sums[dialog["dialog_id"]]
            for turn in dialog["turns"]:
                row = build_row(dialog, turn, ignore)
                rows.write(json.dumps(row, ensure_ascii=False) + "\n")
                for name, hits, count in measures(row):
                    total[name][0] += hits
                    total[name][1] += count
    (out / "metrics_summary.json").write_text(json.dumps(summary(sums, profiles), ensure_ascii=False, indent=1))


def measures(row):
    if row["eligible_m1"]:
        hits, keys = sum(row["key_hit_flags"]), sum(entry["resolvable"] for entry in row["resolved_keys"])
        yield "key_coverage", hits, keys
        yield "strict_key_hit_rate", hits == keys, 1
        yield "contradiction_rate", row["constraint_contradiction"], 1
        for source, count in row["m1_source_hits"].items():
            yield source + "_hit_rate", count, keys
    if row["eligible_m3"]:
        yield "risk_coverage", row["risk_tag_hits"], len(row["risk_required_tags"])
        yield "strict_risk_coverage_rate", row["risk_tag_hits"] == len(row["risk_required_tags"]), 1
    if row["eligible_m4"]:
        yield "compliance_label_acc", row["pred_compliance_label"] == row["gt_compliance_label"], 1
        yield "severe_violation_rate", row["pred_compliance_label"] == "severe_violation", 1
        yield "forbidden_hit_rate", bool(row["forbidden_hits"]), 1
    if row["eligible_m5"]:
        yield "rubric_hit_rate", len(row["rubric_hit_items"]), len(row["rubric_required"])
        yield "judge_score_mean", row["judge_score_1_5"], 1


def summary(sums, profiles):
    names = sorted({name for total in sums.values() for name in total})
    micro, macro = {}, {}
    for name in names:
        pairs = [total[name] for total in sums.values() if total[name][1]]
        micro[name] = sum(hits for hits, _ in pairs) / sum(count for _, count in pairs)
        macro[name] = sum(hits / count for hits, count in pairs) / len(pairs)
    for name in next(iter(profiles.values()), {}):
        micro[name] = macro[name] = sum(scores[name] for scores in profiles.values()) / len(profiles)
    return {"micro": micro, "macro": macro}


if __name__ == "__main__":
    main()
