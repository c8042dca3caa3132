"""What a reader must know before any figure, as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turnmark.locale.texts import ENGLISH, Texts, filled, named
from turnmark.report.view.quoted.clipping import clipped
from turnmark.report.view.tables import main_blocks
from turnmark.schemas.results.summary import EvalSummary

FEW = 20
"""A figure of fewer counted items is said to rest on little."""
_MOST_FEW = 4
_MOST_TOLD, _LONGEST_TEXT = 5, 60
"""How many constraints that no rule reads are told, and how many characters of each."""


def warnings(summary: EvalSummary, texts: Texts = ENGLISH, altered: Sequence[str] = ()) -> list[str]:
    """What is wrong with the run, gravest first; empty when nothing is.

    ``altered`` names files that are not as scoring left them.
    """
    results = [filled(texts, "altered_files", files=", ".join(altered))] if altered else []
    for flag in summary.flags:
        if flag == "abnormal_replies":
            results.append(_abnormal(summary, texts))
        else:
            results.append(filled(texts, "flag_other", flag=flag))
    if summary.input and summary.input.rejected_lines:
        rejected, lines = summary.input.rejected_lines, summary.input.lines
        results.append(filled(texts, "rejected", rejected=rejected, lines=lines))
    if summary.unread_constraints:
        results.append(unread_constraints(summary, texts))
    turns = sum(summary.turn_status.values())
    failed = turns - summary.turn_status.get("ok", 0)
    if failed:
        results.append(filled(texts, "failed_turns", failed=failed, turns=turns))
    if summary.counters.get("total_turn_pairs") == 0:
        results.append(texts["nothing_scored"])
    return results


def unread_constraints(summary: EvalSummary, texts: Texts) -> str:
    """What users asked for and no rule reads: how many, the first of them, and that replies are not held to it."""
    unread = summary.unread_constraints
    told = [
        filled(
            texts,
            "unread_constraint",
            text=clipped(each.text, _LONGEST_TEXT),
            understood=each.understood or texts["unread_nothing"],
        )
        for each in unread[:_MOST_TOLD]
    ]
    listed = "; ".join([*told, "…"] if len(unread) > _MOST_TOLD else told)
    return filled(texts, "unread_constraints", count=len(unread), listed=listed)


def _abnormal(summary: EvalSummary, texts: Texts) -> str:
    states = [(state, count) for state, count in summary.reply_states.items() if count and state != "normal"]
    if not states:
        return f"{texts['abnormal_unknown']} {texts['abnormal_advice']}"
    (state, most), *others = sorted(states, key=lambda item: -item[1])
    turns = sum(summary.reply_states.values())
    sentence = f"abnormal_{state}" if f"abnormal_{state}" in texts else "abnormal_other"
    first = filled(texts, sentence, count=most, turns=turns, state=state)
    listed = ", ".join(
        filled(texts, "share_of", count=count, state=named(texts, "state", other)) for other, count in others
    )
    more = sum(count for _, count in others)
    whole = filled(texts, "abnormal" if others else "abnormal_one", first=first, more=more, states=listed)
    return f"{whole} {texts['abnormal_advice']}"


def notes(summary: EvalSummary, manifest: Mapping[str, object] | None = None, texts: Texts = ENGLISH) -> list[str]:
    """Settings that change what the figures mean."""
    settings = summary.signature.settings if summary.signature else {}
    results = [line for line in (small_line(summary, texts),) if line]
    handling = (manifest or {}).get("m1_handling")
    if settings.get("ignore_memory_keys") == "true" or handling == "ignored_memory_required_keys":
        results.append(texts["memory_ignored"])
    if settings.get("earlier_turns") == "true":
        results.append(texts["earlier_turns"])
    return [*results, *_told_amiss(manifest or {}, texts)]


def small_line(summary: EvalSummary, texts: Texts = ENGLISH) -> str:
    """That figures rest on little: too few dialogues for intervals, or main figures of few items; else empty."""
    rows = [(block.code, row) for block in main_blocks(summary) for row in block.rows if row.overall.value is not None]
    if not rows:
        return ""
    how, dialogs = summary.resampling, summary.counters.get("valid_dialogs", summary.counters.get("total_dialogs", 0))
    if how is not None and 0 < dialogs < how.minimum_clusters:
        return filled(texts, "few_dialogs", count=dialogs, clusters=how.minimum_clusters)
    few = [
        filled(texts, "few_items_one", figure=f"{code} {named(texts, 'measure', row.name)}", n=int(size))
        for code, row in rows
        if (size := row.overall.denominator) is not None and 0 < size < FEW
    ]
    listed = "; ".join(few[:_MOST_FEW]) + (" …" if len(few) > _MOST_FEW else "")
    return filled(texts, "few_items", count=len(few), most=FEW, figures=listed) if few else ""


def _told_amiss(manifest: Mapping[str, object], texts: Texts) -> list[str]:
    """What the agent told in a replay beside its replies and could not be kept."""
    replayed = manifest.get("replay")
    noted = replayed.get("noted") if isinstance(replayed, Mapping) else None
    count = noted.get("warnings") if isinstance(noted, Mapping) else None
    if not isinstance(noted, Mapping) or not isinstance(count, int) or not count:
        return []
    return [filled(texts, "replay_warnings", count=count, first=str(noted.get("first_warning") or ""))]


def method(summary: EvalSummary, texts: Texts = ENGLISH) -> list[str]:
    """How the figures were made and how to read them."""
    how = summary.resampling
    if how is None:
        intervals = texts["method_no_interval"]
    else:
        intervals = filled(
            texts, "method_interval", method=named(texts, "resampling", how.method), level=f"{100 * how.level:g}",
            resamples=how.resamples, seed=how.seed, clusters=how.minimum_clusters,
        )  # fmt: skip
    return [
        texts["method_micro"],
        intervals,
        texts["method_normal"],
        texts["method_na"],
        texts["method_denominators"],
    ]


def interval_title(summary: EvalSummary, texts: Texts = ENGLISH) -> str:
    """The head of the column of intervals."""
    if summary.resampling is None:
        return texts["interval"]
    return filled(texts, "interval_at", level=f"{100 * summary.resampling.level:g}")


def signature_lines(summary: EvalSummary) -> list[tuple[str, str]]:
    """The signature as names and values."""
    signature = summary.signature
    if signature is None:
        return []
    tables = {
        "metrics": signature.metrics,
        "detectors": signature.detectors,
        "packs": signature.packs,
        "language_tools": signature.language_tools,
        "settings": signature.settings,
    }
    lines = [("suite", signature.suite), ("detect", signature.detect)]
    lines += [(name, ", ".join(f"{key} {value}" for key, value in table.items())) for name, table in tables.items()]
    return [*lines, ("seed", str(signature.seed)), ("data_sha256", signature.data_sha256)]
