"""The sign-off sheet: what a person puts a name to, on one page. Everything that may be long is cut and says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from turnmark.locale.texts import Texts, filled, named
from turnmark.report.view import notices
from turnmark.report.view.counted import nothing_line, with_figures
from turnmark.report.view.data import OverrideView, ReportData
from turnmark.report.view.names import told_name
from turnmark.report.view.quoted.clipping import clipped
from turnmark.report.view.tables import MetricBlock, main_blocks
from turnmark.schemas.marks import FaultKind
from turnmark.schemas.results.summary import EvalSummary

MOST_FLAGS = 4
MOST_PACKS = 9
_LONGEST = 70
_LONGEST_FLAG = 220
_COUNTED = ("total_dialogs", "valid_dialogs", "skipped_dialogs", "failed_dialogs", "total_turn_pairs",
            "undecided_turn_pairs")  # fmt: skip


class SignOff(NamedTuple):
    """The parts of the sheet as finished texts; ``states`` and ``counts`` are names with counts."""

    facts: Sequence[tuple[str, str]]
    packs: Sequence[str]
    counts: Sequence[tuple[str, int]]
    states: Sequence[tuple[str, int]]
    blocks: Sequence[MetricBlock]
    nothing_counted: str
    flags: Sequence[str]
    overrides: Sequence[str]
    limits: Sequence[str]


def sign_off(data: ReportData, texts: Texts, kinds: Sequence[FaultKind] = ()) -> SignOff:
    """The sheet of a run; figures that count ``kinds``, which were found, stand first."""
    summary = data.summary
    return SignOff(
        facts=_facts(data, texts),
        packs=_packs(summary, texts),
        counts=_counts(data, texts),
        states=[(named(texts, "state", state), count) for state, count in summary.reply_states.items() if count],
        blocks=with_figures(summary, main_blocks(summary), kinds),
        nothing_counted=nothing_line(summary, texts),
        flags=_flags(data, texts),
        overrides=overrides_said(data.overrides, len({problem.line for problem in data.override_problems}), texts),
        limits=_limits(data, texts),
    )


def overrides_said(overrides: Sequence[OverrideView], bad: int, texts: Texts) -> list[str]:
    """How many overrides there are and how many speak against the raw mark."""
    said = [texts["overrides_none"]]
    if overrides:
        turns = {(override.override.dialog_id, override.override.turn_pair_id) for override in overrides}
        counted = filled(
            texts,
            "overrides_count",
            count=len(overrides),
            turns=len(turns),
            reviewers=len({override.override.reviewer for override in overrides}),
            differ=sum(override.differs for override in overrides),
        )
        said = [counted, texts["overrides_unchanged"]]
    return [*said, filled(texts, "overrides_bad", count=bad)] if bad else said


def _facts(data: ReportData, texts: Texts) -> list[tuple[str, str]]:
    summary = data.summary
    facts = (
        ("model", told_name(summary.model_name, texts)),
        ("runner", (data.manifest or {}).get("runner")),
        ("dataset", summary.dataset_path),
        ("suite", summary.suite),
        ("detectors", texts.get(f"detect_{summary.detect}", summary.detect)),
        ("version", summary.turnmark_version),
        ("fingerprint", summary.config_fingerprint),
        ("data_sha256", summary.signature.data_sha256 if summary.signature else None),
    )
    return [(texts[name], clipped(str(value), _LONGEST)) for name, value in facts if value]


def _packs(summary: EvalSummary, texts: Texts) -> list[str]:
    packs = summary.signature.packs if summary.signature else {}
    shown = [clipped(f"{name.replace('@', ' ')} ({digest[:8]})", 44) for name, digest in packs.items()]
    more = len(shown) - MOST_PACKS
    return [*shown[:MOST_PACKS], filled(texts, "packs_more", count=more)] if more > 0 else shown


def _counts(data: ReportData, texts: Texts) -> list[tuple[str, int]]:
    summary = data.summary
    counts = [(texts[name], summary.counters[name]) for name in _COUNTED if name in summary.counters]
    if summary.turn_status:
        failed = sum(summary.turn_status.values()) - summary.turn_status.get("ok", 0)
        counts.append((texts["kind_failed"], failed))
    if summary.input:
        counts.append((texts["rejected_lines"], summary.input.rejected_lines))
    if data.pages:
        counts.append((texts["flagged"], sum(link.flagged for link in data.pages.links)))
    return counts


def _flags(data: ReportData, texts: Texts) -> list[str]:
    results = [*notices.warnings(data.summary, texts, data.altered), *notices.notes(data.summary, data.manifest, texts)]
    shown = [clipped(line, _LONGEST_FLAG) for line in results[:MOST_FLAGS]]
    more = len(results) - len(shown)
    return [*shown, filled(texts, "flags_more", count=more)] if more > 0 else shown


def _limits(data: ReportData, texts: Texts) -> list[str]:
    summary = data.summary
    first = f"limit_{summary.detect}" if summary.detect in {"literal", "judged"} else "limit_rules"
    names = [first, "limit_facts", "limit_intervals", "limit_denominators", "limit_law"]
    if any(view.possible for view in data.worst):
        names.insert(1, "limit_possible")
    return [texts[name] for name in names]
