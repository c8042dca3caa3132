"""A run in a cell of a notebook: what was found, then its main figures. Plain markup without style or script."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from turnmark.locale.texts import Texts, named
from turnmark.report.view.control_characters import visible
from turnmark.report.view.counted import with_figures
from turnmark.report.view.findings import counted
from turnmark.report.view.number_format import decided, interval, number
from turnmark.report.view.tables import main_blocks
from turnmark.schemas.results.summary import EvalSummary

_ROW = Markup("<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>")
_HEAD = Markup("<thead><tr><th>{}</th><th>{}</th><th>{}</th><th>{}</th><th>{}</th></tr></thead>")


def render_notebook(summary: EvalSummary, faults: Mapping[str, int], texts: Texts) -> str:
    """The markup of a cell; ``faults`` are dialogues by their gravest kind of fault."""
    rows = []
    for block in with_figures(summary, main_blocks(summary)):
        for row in block.rows:
            figure = row.overall
            rows.append(
                _ROW.format(
                    block.code,
                    named(texts, "measure", row.name) + ("" if row.upward else " ↓"),
                    number(figure.value, row.high, na=texts["na"]),
                    interval(figure.interval, texts, row.high),
                    decided(figure, texts, row.high),
                )
            )
    head = _HEAD.format("", texts["measure"], texts["micro_head"], texts["interval"], texts["verdict_not_decided"])
    title = Markup("<p><b>{}</b> · {}<br>{}</p>").format(
        visible(summary.run_id), summary.suite_name, " ".join(counted(faults, summary, texts))
    )
    return title + Markup("<table>{}<tbody>{}</tbody></table>").format(head, Markup("").join(rows))
