"""The words of the interface in English."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

ENGLISH: Mapping[str, str] = MappingProxyType(
    {
        "language": "en",
        "title": "Evaluation report",
        "na": "n/a",
        "range": "{low} to {high}",
        "unknown": "unknown",
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
        "detect_judged": "judged: recorded judgements of a model where it was asked, the suite's detectors elsewhere",
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
        "failed_turns": (
            "{failed} of {turns} turns did not end ok; they are left out of the figures, neither right nor wrong."
        ),
        "earlier_turns": "What users stated and what was retrieved before counts as support for an answer, too.",
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
        "by_field": "By {field}",
        "details": "Details",
        "field_scenario_type": "scenario",
        "field_difficulty": "difficulty",
        "field_language": "language",
        "field_system": "system",
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
        "counter": "Counter",
        "lower_is_better": "lower is better",
        "not_decided": "not decided",
        "decided": "{share} % decided, {bounds} with the rest",
        "n": "n = {n}",
        "strata_more": "{count} more values in metrics_summary.json.",
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
            "{shown} turns, gravest first: at most {cap} of one kind a dialogue, and the {most} worst of each metric. "
            "Marked words are the evidence: hover over one, or move to it with the Tab key, to see the rule."
        ),
        "no_worst": "No turn with a fault was found.",
        "filter": "Show",
        "filter_all": "All",
        "turn": "turn {number}",
        "dialogue": "Dialogue",
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
        "unresolvable": "cannot be resolved",
        "short_term": "short-term window",
        "long_term": "long-term recall",
        "profile": "profile",
        "marks": "Marks",
        "risk_tags": "Risk disclosures",
        "rubric": "Explanation elements",
        "label": "Compliance label",
        "predicted": "predicted",
        "expected": "expected",
        "item_hit": "found",
        "item_miss": "missed",
        "item_extra": "also found",
        "item_out": "not counted",
        "judge_score": "Score 1 to 5",
        "elsewhere": "Evidence outside the reply",
        # Kinds of fault: short name, and the sentence with its details
        "kind_severe": "Severe violation",
        "kind_forbidden": "Forbidden content",
        "kind_contradiction": "Against a constraint",
        "kind_failed": "Failed turn",
        "kind_reply_state": "Not an answer",
        "kind_label": "Label differs",
        "kind_mark": "Marked down",
        "kind_risk": "Risk not disclosed",
        "kind_rubric": "Explanation missing",
        "kind_memory": "Memory key missed",
        "kind_unused": "Memory key not used",
        # Metrics as legend
        "legend_risk_coverage": "risk disclosure",
        "legend_explainability": "explanation",
        "legend_compliance": "compliance",
        "legend_context_continuity": "memory and constraints",
        "legend_profile_accuracy": "profile",
        "legend_reply_state": "reply state",
        "legend_other": "other",
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
        "measure_key_use_rate": "Keys that the reply used",
        "measure_strict_key_use_rate": "Turns that used every key",
        "measure_partial_key_rate": "Keys held in part",
        "measure_conflicting_key_rate": "Keys held with a conflict",
        "plot_key": "Dot: pooled figure. Bar: its interval. Diamond: normal replies only, where it differs.",
        "scale": "Scale",
        "foot": "Made by turnmark {version}. All figures come from metrics_summary.json in the run folder.",
        "skip": "Skip to the figures",
        # Names of metrics
        "metric_m1_context_continuity": "Context continuity",
        "metric_m1b_reply_key_use": "Use of memory",
        "metric_m2_profile_accuracy": "Profile accuracy",
        "metric_m3_risk_coverage": "Risk coverage",
        "metric_m4_compliance": "Compliance",
        "metric_m5_explainability": "Explainability",
        "resampling_percentile bootstrap, dialogues resampled with replacement": (
            "percentile bootstrap, dialogues resampled with replacement"
        ),
        "resampling_bias-corrected and accelerated bootstrap, dialogues resampled with replacement": (
            "bias-corrected and accelerated (BCa) bootstrap, dialogues resampled with replacement"
        ),
        "resampling_Wilson's formula over dialogues": "Wilson's formula over dialogues",
        # Sign-off sheet
        "signoff": "Sign-off sheet",
        "signoff_show": "Show the sign-off sheet",
        "print_all": "Print the whole report",
        "print_hint": "Printing gives the sign-off sheet alone, on one A4 page.",
        "on_print": "On paper",
        "what_was_run": "What was run",
        "packs": "Rule packs",
        "data_sha256": "Data SHA-256",
        "counts_title": "Counts",
        "flags": "Flags",
        "no_flags": "None. No condition that makes the figures doubtful was found.",
        "flags_more": "{count} more stand in the report.",
        "packs_more": "{count} more stand in the report.",
        "limits": "Limits of the method",
        "limit_rules": (
            "Marks are made by rules that read the words of a reply. They can miss a paraphrase or mark a harmless "
            "sentence; a person decides."
        ),
        "limit_judged": (
            "A language model gave part of the marks. It can be wrong, can be talked into a verdict, and changes with "
            "its version; compare it with labels of people first."
        ),
        "limit_literal": (
            "This run used the literal detectors (plain keywords): they mistake mentions and denials for statements. "
            "Do "
            "not base a decision on a single mark."
        ),
        "limit_facts": "Whether market facts, prices or product terms in a reply are true was not checked.",
        "limit_intervals": (
            "Intervals cover the choice of dialogues only, not errors of the rules; the dialogues may differ from "
            "real use."
        ),
        "limit_denominators": (
            "Metrics have different denominators; compare a metric with itself and the same fingerprint only."
        ),
        "limit_law": "The figures are no legal opinion and no approval by a regulator.",
        "decision": "Decision",
        "decision_yes": "Accepted",
        "decision_limits": "Accepted with reservations",
        "decision_no": "Not accepted",
        "remarks": "Remarks",
        "sign_name": "Name",
        "sign_role": "Role",
        "sign_date": "Date",
        "sign_signature": "Signature",
        # Pages per dialogue
        "linked": "Dialogues to review",
        "linked_intro": (
            "{dialogs} dialogues with a flagged turn, one of the {most} gravest turns or an override, each on a page "
            "of "
            "its own with all its turns in order. {flagged} turns are flagged."
        ),
        "linked_off": "Pages per dialogue were not written. To write them: turnmark report RUN --pages",
        "linked_all": "All {count} dialogues",
        "open_dialogue": "Read the whole dialogue",
        "back": "Back to the report",
        "previous": "Previous dialogue",
        "next": "Next dialogue",
        "flagged": "Flagged",
        "turns_head": "Turns",
        "turns": "{count} turns",
        "gravest": "Gravest fault",
        "no_fault": "No fault found",
        "scenario": "Scenario",
        "dialogue_page": "Dialogue {number}",
        # Search
        "search": "Search these turns",
        "search_found": "{count} of {total} turns",
        # Rules
        "rules": "Rules that fired, and their source",
        "rule_version": "version {version}",
        "rule_moved": "the installed pack differs from the one that scored this run",
        # Overrides
        "overrides": "Overrides by reviewers",
        "overrides_intro": "Reviewers' marks stand beside the raw marks. No figure changes.",
        "overrides_none": "None recorded.",
        "overrides_count": "{count} by {reviewers} reviewer(s) on {turns} turn(s); {differ} differ from the raw mark.",
        "overrides_unchanged": "The figures above are the raw ones.",
        "overrides_bad": "{count} lines of overrides.jsonl could not be used.",
        "overrides_more": "{count} more stand in overrides.jsonl.",
        "raw_mark": "Raw mark",
        "reviewer_mark": "Reviewer’s mark",
        "reviewer": "Reviewer",
        "reason": "Reason",
        "about": "About",
        "mark_true": "present",
        "mark_false": "not present",
        "mark_unknown": "not recorded",
        # Distributions
        "distributions": "Distributions",
        "dist_dialogs": "dialogues",
        "dist_turns": "turns",
        "dist_note": "Each bar counts dialogues (or turns) whose own figure lies in that tenth of the scale.",
        "dist_desc": "{count} {unit}. {bars}.",
        "dist_bar": "{low} to {high}: {count}",
        # Trends, coverage, charts
        "trends": "Trend over turns",
        "trend_note": (
            "Pooled figure at each turn number. Bars: 95 % Wilson interval with the effective number of rows, left out "
            "below {rows} rows (hollow dots). Under each turn: the rows that the figure rests on."
        ),
        "trend_desc": "{points}.",
        "trend_point": "turn {turn}: {value} ({rows})",
        "coverage": "Coverage: what could be computed",
        "coverage_note": "Rows of each metric. What has no figure is never counted as zero or one.",
        "coverage_eligible": "computed",
        "coverage_skipped": "not applicable",
        "coverage_failed": "failed",
        "coverage_none": "not computed",
        "coverage_more": "{count} rows with other reasons",
        "reason_unknown": "the summary names no reason",
        "why_none": "{metric}: not computed ({count}: {reason}).",
        "why_failed": "{metric}: {count} failed ({reason}).",
        "failed_bounds": "{metric}: had its failed rows stood at the ends of the scale, it would be {bounds}.",
        "forest_desc": "{points}.",
        "forest_point": "{label}: {value}",
        "worst_by_metric": "Worst turns by metric",
        "see_worst": "worst turns",
        "see_worst_dialogs": "worst dialogues",
        # Appendix
        "failures": "Appendix: representative failures",
        "failures_intro": (
            "Of each metric its worst turn, and one turn without a proper answer where there are such; chosen "
            "by rule, not by hand. Words come from dialog_trace.jsonl, marks from turn_eval.jsonl, under the "
            "same dialogue and turn."
        ),
        "evidence": "Evidence",
        "why_shown": "What is wrong",
        # Masking
        "masked": (
            "Names after a cue, phone, ID and account numbers and e-mail addresses are masked with █. Patterns find "
            "them, "
            "so some may remain."
        ),
    }
)
