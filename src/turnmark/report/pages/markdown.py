"""The report as Markdown (GitHub's dialect)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from turnmark.locale.texts import ENGLISH, Texts, filled, named
from turnmark.report.view import notices
from turnmark.report.view.coverage import bounds_lines
from turnmark.report.view.data import TurnView
from turnmark.report.view.deciders import decider_lines
from turnmark.report.view.failures import failures
from turnmark.report.view.names import told_name, worded_name
from turnmark.report.view.number_format import count, interval, with_basis
from turnmark.report.view.tables import (
    MeasureRow,
    MetricBlock,
    StrataTable,
    main_blocks,
    other_blocks,
    strata_tables,
)
from turnmark.report.view.undecided import open_line, open_turns
from turnmark.schemas.results.summary import EvalSummary

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_SPECIAL = re.compile(r"[\\`*\[\]|~]|(?<![^\W_])_|_(?![^\W_])")
_SPACES = re.compile(r"\s+")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def escaped(text: object) -> str:
    """Any text as one line of Markdown that shows just these characters: no markup, no HTML, no cell ends.

    Characters that cannot be seen (control characters, direction marks) are shown by their code.
    """
    line = _SPACES.sub(" ", str(text)).strip()
    line = _CONTROL.sub(lambda found: f"U+{ord(found[0]):04X}", line)
    line = re.sub("[&<>]", lambda found: _ENTITIES[found[0]], line)
    return _SPECIAL.sub(lambda found: "\\" + found[0], line)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers_from: int = 1) -> list[str]:
    """The lines of a table. Cells must be escaped already; columns from ``numbers_from`` on are set to the right."""
    rule = ["---" if index < numbers_from else "---:" for index in range(len(head))]
    return [f"| {' | '.join(cells)} |" for cells in (head, rule, *rows)]


def render_markdown(
    summary: EvalSummary,
    texts: Texts = ENGLISH,
    worst: Sequence[TurnView] = (),
    manifest: Mapping[str, object] | None = None,
    altered: Sequence[str] = (),
) -> str:
    """The whole report of one run; ``worst`` are the turns from which representative failures are taken.

    Works for a summary that holds nothing beyond the contract, too: what is not there is left out or shown as "n/a".
    """
    parts = [
        _head(summary, texts),
        _warnings(summary, texts, manifest, altered),
        _replies(summary, texts),
        _open(summary, worst, texts),
        _figures(summary, texts),
        _others(summary, texts),
        _strata(summary, texts),
        _input(summary, texts),
        [f"## {texts['method']}", "", *(f"- {escaped(line)}" for line in notices.method(summary, texts)),
         f"- {texts['method_lower']}"],
        _signature(summary, texts),
        _failures(summary, worst, texts),
    ]  # fmt: skip
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _head(summary: EvalSummary, texts: Texts) -> list[str]:
    facts = {
        "model": told_name(summary.model_name, texts),
        "dataset": summary.dataset_path,
        "suite": summary.suite,
        "detectors": texts.get(f"detect_{summary.detect}", summary.detect),
        "fingerprint": summary.config_fingerprint,
        "trace_version": summary.trace_version,
        "version": summary.turnmark_version,
    }
    lines = [f"# {texts['title']}: {escaped(summary.run_id)}", ""]
    return lines + [f"- {texts[name]}: {escaped(fact)}" for name, fact in facts.items() if fact]


def _warnings(
    summary: EvalSummary, texts: Texts, manifest: Mapping[str, object] | None, altered: Sequence[str]
) -> list[str]:
    warnings = notices.warnings(summary, texts, altered)
    lines = []
    if warnings:
        lines = ["> [!WARNING]", f"> **{texts['warning']}.**", *(f">\n> {escaped(line)}" for line in warnings)]
    for note in notices.notes(summary, manifest, texts):
        lines += ["", escaped(note)] if lines else [escaped(note)]
    return lines


def _replies(summary: EvalSummary, texts: Texts) -> list[str]:
    lines = []
    if summary.reply_states:
        rows = [
            (escaped(named(texts, "state", state)), count(number)) for state, number in summary.reply_states.items()
        ]
        lines += [f"## {texts['reply_states']}", "", *table((texts["state"], texts["count"]), rows)]
    if summary.turn_status:
        rows = [
            (escaped(named(texts, "turn_status", status)), count(number))
            for status, number in summary.turn_status.items()
        ]
        lines += ["", f"## {texts['turn_status']}", "", *table((texts["status"], texts["count"]), rows)]
    return lines[1:] if lines and not lines[0] else lines


def _open(summary: EvalSummary, worst: Sequence[TurnView], texts: Texts) -> list[str]:
    """What was not decided: how much, what a reader can do, and the claims of the turns that are shown."""
    said = open_line(summary, texts)
    if not said:
        return []
    lines = [f"## {texts['kind_undecided']}", "", f"{escaped(said)} {texts['open_help']}"]
    found = open_turns(worst, texts)
    lines += ["", escaped(filled(texts, "open_listed", count=len(found))), ""] if found else []
    for turn in found:
        number = filled(texts, "turn", number=turn.turn_pair_id)
        where = texts["comma"].join(filter(None, (turn.dialog_id, number)))
        for claim in turn.claims:
            words = f"“{claim.claim}” " if claim.claim else ""
            why = texts["colon"].join(filter(None, (claim.metrics, claim.why)))
            lines.append(f"- {escaped(where)}{escaped(texts['colon'])} {escaped(f'{words}({why})')}")
    return lines


def _figures_table(summary: EvalSummary, blocks: Sequence[MetricBlock], texts: Texts) -> list[str]:
    head = [
        texts["metric"], texts["measure"], texts["micro"], notices.interval_title(summary, texts), texts["macro"],
        texts["normal_only"], texts["eligible"], texts["skipped"], texts["failed"],
    ]  # fmt: skip
    rows = [_figures_row(block, row, texts) for block in blocks for row in block.rows]
    return table(head, rows, numbers_from=2)


def _figures_row(block: MetricBlock, row: MeasureRow, texts: Texts) -> list[str]:
    na = texts["na"]
    return [
        escaped(f"{block.code} {texts.get(f'metric_{block.name}', block.title)}".strip()),
        _measure(row),
        escaped(with_basis(row.overall, texts, row.high)),
        escaped(interval(row.overall.interval, texts, row.high)),
        escaped(with_basis(row.macro, texts, row.high)),
        escaped(with_basis(row.normal, texts, row.high)),
        count(block.eligible, na=na),
        count(block.skipped, na=na),
        count(block.failed, na=na),
    ]


def _measure(row: MeasureRow) -> str:
    return escaped(row.name) + ("" if row.upward else " ↓")


def _figures(summary: EvalSummary, texts: Texts) -> list[str]:
    blocks = main_blocks(summary)
    if not blocks:
        return []
    said = [*bounds_lines(summary, texts), *decider_lines(summary, texts)]
    spans = [line for sentence in said for line in ("", escaped(sentence))]
    return [f"## {texts['figures']}", "", *_figures_table(summary, blocks, texts), *spans]


def _others(summary: EvalSummary, texts: Texts) -> list[str]:
    blocks = other_blocks(summary)
    return [f"## {texts['others']}", "", *_figures_table(summary, blocks, texts)] if blocks else []


def _strata(summary: EvalSummary, texts: Texts) -> list[str]:
    lines: list[str] = []
    for field, tables in strata_tables(summary).items():
        lines += ["", f"## {escaped(filled(texts, 'by_field', field=named(texts, 'field', field)))}"]
        for item in tables:
            title = texts.get(f"metric_{item.name}", item.title)
            lines += ["", f"### {escaped(f'{item.code} {title}'.strip())}", "", *_strata_table(field, item, texts)]
            if item.left_out:
                lines += ["", filled(texts, "strata_more", count=item.left_out)]
    return lines[1:]


def _strata_table(field: str, one: StrataTable, texts: Texts) -> list[str]:
    rows = []
    for stratum in one.strata:
        cells = [escaped(worded_name(stratum.value, texts))]
        for measure, figure in zip(one.measures, stratum.figures, strict=True):
            bounds = f" ({escaped(interval(figure.interval, texts, measure.high))})" if figure.interval else ""
            cells.append(escaped(with_basis(figure, texts, measure.high)) + bounds)
        rows.append(cells)
    return table([escaped(named(texts, "field", field)), *map(_measure, one.measures)], rows)


def _input(summary: EvalSummary, texts: Texts) -> list[str]:
    rows = []
    if summary.input:
        rows = [
            (texts["files"], count(summary.input.files)),
            (texts["lines"], count(summary.input.lines)),
            (texts["rejected_lines"], count(summary.input.rejected_lines)),
            (texts["input_warnings"], count(summary.input.warnings)),
        ]
    rows += [(escaped(texts.get(name, name)), count(number)) for name, number in summary.counters.items()]
    return [f"## {texts['input']}", "", *table((texts["counter"], texts["count"]), rows)] if rows else []


def _failures(summary: EvalSummary, worst: Sequence[TurnView], texts: Texts) -> list[str]:
    lines: list[str] = []
    for failure in failures(summary, worst, texts):
        lines += ["", f"### {escaped(failure.title)}: {escaped(failure.where)}", ""]
        said = [(texts["user"], failure.user_text), (texts["reply"], failure.reply)]
        said += [
            (texts["why_shown"], "; ".join(failure.reasons)),
            *((texts["evidence"], piece) for piece in failure.evidence),
        ]
        lines += [f"- {name}: {escaped(text)}" for name, text in said if text]
    return [f"## {texts['failures']}", "", texts["failures_intro"], *lines] if lines else []


def _signature(summary: EvalSummary, texts: Texts) -> list[str]:
    lines = notices.signature_lines(summary)
    return [f"## {texts['signature']}", "", *(f"- {name}: {escaped(value)}" for name, value in lines)] if lines else []
