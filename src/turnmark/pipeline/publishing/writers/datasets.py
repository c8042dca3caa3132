"""A folder that Hugging Face ``datasets`` loads: Parquet tables as configurations, and a card that names them."""

from __future__ import annotations

from pathlib import Path

from turnmark.pipeline.publishing.writers.parquet import write_tables
from turnmark.pipeline.publishing.writers.protocol import Figure, Run
from turnmark.report.view.control_characters import visible

_NAMES = ("rows", "evidence", "figures")


class _Datasets:
    version = "dataset card with configs"

    def write(self, run: Run, folder: Path) -> None:
        """Three Parquet tables and ``README.md``."""
        write_tables(run, folder)
        configs = [f"- config_name: {name}\n  data_files: {name}.parquet" for name in _NAMES]
        head = ["---", "tags:", "- turnmark", "configs:", *configs, "---", ""]
        table = ["| metric | measure | figure | interval | counted | decided |", "|---|---|---|---|---|---|"]
        title = f"# turnmark run {_plain(run.summary.run_id)}"
        notes = "`evidence` quotes the dialogues. A state of `not decided` is no 0: its `value` is empty."
        lines = [*head, title, "", *table, *map(_line, run.figures()), "", notes, ""]
        (folder / "README.md").write_text("\n".join(lines), encoding="utf-8")


def _line(figure: Figure) -> str:
    value = "n/a" if figure.value is None else f"{figure.value:.4f}"
    interval = "n/a" if figure.low is None or figure.high is None else f"[{figure.low:.4f}, {figure.high:.4f}]"
    total = 0 if figure.total is None else figure.total
    return f"| {figure.metric} | {figure.measure} | {value} | {interval} | {total:g} | {figure.decided_share:.1%} |"


def _plain(text: str) -> str:
    return visible(text).replace("\n", " ").replace("\r", " ")


DATASETS = _Datasets()
