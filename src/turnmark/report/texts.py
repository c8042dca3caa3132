"""Every word of the interface, in one place, so that another language is one more table.

Texts with ``{names}`` are filled in by `filled`. Names of measures, tags and rules are data and are not translated.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

ENGLISH: Mapping[str, str] = MappingProxyType(
    {
        "language": "en",
        "title": "Evaluation report",
        "na": "n/a",
        "unknown": "unknown",
        "run": "Run",
        "model": "Model",
        "dataset": "Dataset",
        "suite": "Suite",
        "detectors": "Detectors",
        "fingerprint": "Settings fingerprint",
        "trace_version": "Trace version",
        "version": "turnmark version",
        "runner": "Agent runner",
        "detect_literal": "literal: keywords and substrings, as first published",
        "detect_calibrated": "calibrated: scope, quantities and paraphrase",
        # What is wrong, first of all
        "warning": "Read this first",
        "abnormal": "{first}; {more} more are not ordinary answers ({states}).",
        "abnormal_one": "{first}.",
        "abnormal_empty": "{count} of {turns} replies are empty",
        "abnormal_echo": "{count} of {turns} replies only repeat the user",
        "abnormal_error_text": "{count} of {turns} replies are error texts",
        "abnormal_refusal": "{count} of {turns} replies are refusals",
        "abnormal_truncated": "{count} of {turns} replies are cut short",
        "abnormal_wrong_language": "{count} of {turns} replies are in the wrong language",
        "abnormal_near_duplicate": "{count} of {turns} replies are near copies of an earlier reply",
        "abnormal_other": "{count} of {turns} replies are in the state {state}",
        "abnormal_unknown": "More than 5 % of the replies are not ordinary answers.",
        "abnormal_advice": (
            "The figures below say little about the assistant, and this run cannot be called compliant. "
            "Compare with the column “normal replies only”."
        ),
        "flag_other": "The run is flagged: {flag}.",
        "rejected": "{rejected} of {lines} input lines could not be read and were left out of every figure.",
        "failed_turns": "{failed} of {turns} turns did not end ok; they are counted as failed, not as wrong.",
        "memory_ignored": (
            "Required memory keys were ignored in this run (no-memory baseline), so M1 has nothing to count."
        ),
        "nothing_scored": "No turn was scored.",
        "state_normal": "normal",
        "state_empty": "empty",
        "state_echo": "echo of the user",
        "state_error_text": "error text",
        "state_refusal": "refusal",
        "state_truncated": "cut short",
        "state_wrong_language": "wrong language",
        "state_near_duplicate": "near copy of an earlier reply",
        "share_of": "{count} {state}",
        # Sections
        "figures": "Main figures",
        "others": "Other measures",
        "replies": "Replies",
        "reply_states": "Reply states",
        "turn_status": "Turn status",
        "strata": "Breakdown",
        "by_field": "By {field}",
        "details": "Details",
        "field_scenario_type": "scenario",
        "field_difficulty": "difficulty",
        "field_language": "language",
        "input": "Input",
        "method": "How to read the figures",
        "signature": "Signature",
        "problems": "Problems of the input",
        "problems_more": "{count} more in problems.jsonl.",
        "worst": "Turns to look at first",
        # Table heads
        "metric": "Metric",
        "measure": "Measure",
        "micro": "Pooled (micro)",
        "micro_head": "Pooled",
        "macro_head": "Macro",
        "interval": "95 % interval",
        "interval_at": "{level} % interval",
        "macro": "Mean over dialogues (macro)",
        "normal_only": "Normal replies only",
        "eligible": "Eligible",
        "skipped": "Skipped",
        "failed": "Failed",
        "counts": "{eligible} eligible, {skipped} skipped, {failed} failed",
        "state": "State",
        "status": "Status",
        "count": "Count",
        "value": "Value",
        "counter": "Counter",
        "lower_is_better": "lower is better",
        "n": "n = {n}",
        "strata_more": "{count} more values in metrics_summary.json.",
        "unit_turn": "turns",
        "unit_dialog": "dialogues",
        # Input
        "files": "Files",
        "lines": "Lines read",
        "rejected_lines": "Lines rejected",
        "input_warnings": "Lines repaired",
        "total_dialogs": "Dialogues",
        "valid_dialogs": "Valid dialogues",
        "skipped_dialogs": "Skipped dialogues",
        "failed_dialogs": "Failed dialogues",
        "total_turn_pairs": "Turns",
        # Method
        "method_micro": (
            "Pooled figures divide the sum of hits by the sum of what was looked for; the macro figure is the mean of "
            "each dialogue's own figure. n is the denominator."
        ),
        "method_interval": (
            "Intervals: {method}; level {level} %, {resamples} resamples, seed {seed}. Below {clusters} dialogues no "
            "interval is given."
        ),
        "method_no_interval": "This summary says nothing about intervals.",
        "method_normal": (
            "“Normal replies only” leaves out every turn whose reply is empty, an echo of the user, an error text, a "
            "refusal, cut short, in the wrong language or a near copy of an earlier reply."
        ),
        "method_na": "n/a: there was nothing to divide by. It is not zero.",
        "method_denominators": "Metrics have different denominators; compare a metric with itself only.",
        "method_lower": "↓ marks measures of which less is better.",
        # Turns
        "worst_intro": (
            "{shown} turns, gravest first, at most {cap} of one kind a dialogue. Marked words are the evidence: hover "
            "over one, or move to it with the Tab key, to see the rule."
        ),
        "no_worst": "No turn with a fault was found.",
        "no_turns": "This page was made from the summary alone; turns were not read.",
        "filter": "Show",
        "filter_all": "All",
        "turn": "turn {number}",
        "dialogue": "Dialogue",
        "scenario": "Scenario",
        "difficulty": "Difficulty",
        "user": "User",
        "reply": "Reply",
        "no_reply": "No reply was recorded.",
        "not_in_trace": "The trace in this folder does not hold this turn.",
        "clipped": "{count} more characters in dialog_trace.jsonl.",
        "error": "Recorded error",
        "legend": "Marks in the reply",
        "asked": "Required and found",
        "memory_keys": "Memory keys",
        "held_by": "held by {sources}",
        "held_by_none": "not held",
        "unresolvable": "cannot be resolved; not counted",
        "short_term": "short-term window",
        "long_term": "long-term recall",
        "profile": "profile",
        "risk_tags": "Risk disclosures",
        "rubric": "Explanation elements",
        "label": "Compliance label",
        "predicted": "predicted",
        "expected": "expected",
        "found": "found",
        "missed": "missed",
        "item_hit": "found",
        "item_miss": "missed",
        "item_extra": "also found",
        "item_out": "not counted",
        "judge_score": "Score 1 to 5",
        "nothing_required": "nothing required",
        "elsewhere": "Evidence outside the reply",
        "rule": "Rule",
        "source": "Source",
        "quote": "Quote",
        # Kinds of fault: short name, and the sentence with its details
        "kind_severe": "Severe violation",
        "kind_forbidden": "Forbidden content",
        "kind_contradiction": "Against a constraint",
        "kind_failed": "Failed turn",
        "kind_reply_state": "Not an answer",
        "kind_label": "Label differs",
        "kind_risk": "Risk not disclosed",
        "kind_rubric": "Explanation missing",
        "kind_memory": "Memory key missed",
        # Metrics as legend
        "legend_risk_coverage": "risk disclosure",
        "legend_explainability": "explanation",
        "legend_compliance": "compliance",
        "legend_context_continuity": "memory and constraints",
        "legend_profile_accuracy": "profile",
        "legend_reply_state": "reply state",
        "legend_other": "other",
        "wrong": "speaks against the reply",
        # Measures in plain words; a measure without an entry is shown by its name alone
        "measure_key_coverage": "Required memory keys that were held",
        "measure_strict_key_hit_rate": "Turns with every key held",
        "measure_contradiction_rate": "Turns against a user constraint",
        "measure_profile_score": "Profile score, mean of five",
        "measure_risk_level_acc": "Risk level right",
        "measure_horizon_acc": "Horizon right",
        "measure_liquidity_acc": "Liquidity need right",
        "measure_risk_coverage": "Required risks that were disclosed",
        "measure_strict_risk_coverage_rate": "Turns with every risk disclosed",
        "measure_compliance_label_acc": "Label equals ground truth",
        "measure_severe_violation_rate": "Turns with a severe violation",
        "measure_rubric_hit_rate": "Required elements of explanation present",
        "measure_judge_score_mean": "Explanation score, 1 to 5",
        "measure_short_term_hit_rate": "Keys held by the short-term window",
        "measure_long_term_hit_rate": "Keys held by long-term recall",
        "measure_profile_hit_rate": "Keys held by the profile",
        "measure_constraints_f1": "Constraints, F1",
        "measure_preferences_f1": "Preferences, F1",
        "measure_forbidden_hit_rate": "Turns with forbidden content",
        "plot_key": "Dot: pooled figure. Bar: its interval. Diamond: normal replies only, where it differs.",
        "scale": "Scale",
        "foot": "Made by turnmark {version}. All figures come from metrics_summary.json in the run folder.",
        "skip": "Skip to the figures",
    }
)


def filled(texts: Mapping[str, str], name: str, **values: object) -> str:
    """The text of that name with its places filled in. Raises: KeyError when there is no such text."""
    return texts[name].format_map(values)


def named(texts: Mapping[str, str], prefix: str, name: str) -> str:
    """The text ``prefix_name``, or the name itself where the interface has no word for it."""
    return texts.get(f"{prefix}_{name}", name)
