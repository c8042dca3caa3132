"""The figures of a report or a comparison as files for spreadsheets, papers and slides."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from turnmark.errors import UsageError
from turnmark.locale.texts import texts_of
from turnmark.pipeline.publishing.cells import inert
from turnmark.pipeline.publishing.report import ReportOptions, gather
from turnmark.pipeline.publishing.run_language import run_language
from turnmark.report.pages.comparison import difference_charts, system_charts, trend_charts
from turnmark.report.pages.latex import failure_appendix, main_table, pair_table, systems_table
from turnmark.report.pages.tables import Rows, charts, comparison_rows, standalone, tables
from turnmark.report.view.failures import failures
from turnmark.runs.folder import write_whole
from turnmark.schemas.results.comparison import Comparison

FORMATS = ("csv", "parquet", "svg", "png", "pdf", "latex")
DEFAULT_FORMATS = ("csv", "svg", "latex")
_PIXELS_AN_INCH = 216


def export(
    folder: Path, out: Path, formats: Sequence[str] = DEFAULT_FORMATS, options: ReportOptions | None = None
) -> list[Path]:
    """Write tables and charts of a scored run; returns what was written, in order.

    ``formats`` are some of `FORMATS`. Tables become CSV (UTF-8) or Parquet, charts SVG, PNG or PDF; LaTeX are the main
    table (booktabs) and an appendix of representative failures. The same folder gives the same bytes.

    Raises: UsageError for a format that there is not or whose extra is not installed, before anything is written;
    DataError when the run is not scored.
    """
    writer = _Writer(formats)
    options = options or ReportOptions()
    data = gather(folder, options=options._replace(pages=False))
    texts = texts_of(options.language or run_language(folder), data.summary.suite)
    result = failures(data.summary, data.worst, texts)
    papers = {"figures": main_table(data), **({"failures": failure_appendix(result, texts)} if result else {})}
    return writer.write(out, charts(data, texts), tables(data, texts), papers)


def export_comparison(
    comparison: Comparison, out: Path, formats: Sequence[str] = DEFAULT_FORMATS, language: str = "en"
) -> list[Path]:
    """Write tables and charts of a comparison; returns what was written, in order.

    Charts show all systems beside each other with their intervals, their trends over turns in one picture, and the
    differences of each pair. Formats, errors
    and sameness of bytes as `export`.
    """
    writer = _Writer(formats)
    texts = texts_of(language, comparison.suite)
    drawn = standalone(
        [*system_charts(comparison, texts), *trend_charts(comparison, texts), *difference_charts(comparison, texts)]
    )
    papers = {"systems": systems_table(comparison)}
    papers["differences"] = "\n".join(pair_table(pair, comparison) for pair in comparison.pairs)
    return writer.write(out, drawn, comparison_rows(comparison), papers)


class _Writer:
    """Writes charts and tables in some of `FORMATS`.

    Raises: UsageError for a format that there is not or whose extra is not installed.
    """

    def __init__(self, formats: Sequence[str]) -> None:
        wrong = [name for name in formats if name not in FORMATS]
        if wrong:
            message = f"--formats: expected some of {', '.join(FORMATS)}, found {', '.join(map(repr, wrong))}"
            raise UsageError(message)
        self._formats = set(formats)
        self._parquet = _parquet_writer() if "parquet" in formats else None
        self._draw = _drawer() if {"png", "pdf"} & self._formats else None

    def write(
        self, out: Path, drawn: Mapping[str, str], found: Mapping[str, Rows], papers: Mapping[str, str]
    ) -> list[Path]:
        """Charts by name into ``charts/``, tables and what is LaTeX by name into ``tables/``."""
        files = self._pictures(drawn)
        for name, rows in found.items():
            if "csv" in self._formats:
                files[f"tables/{name}.csv"] = _csv(rows)
            if self._parquet is not None:
                files[f"tables/{name}.parquet"] = self._parquet(rows)
        if "latex" in self._formats:
            files |= {f"tables/{name}.tex": text.encode("utf-8", "replace") for name, text in papers.items()}
        for name, content in files.items():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            write_whole(out / name, content)
        return [out / name for name in files]

    def _pictures(self, drawn: Mapping[str, str]) -> dict[str, bytes]:
        files: dict[str, bytes] = {}
        if "svg" in self._formats:
            files |= {f"charts/{name}.svg": drawing.encode("utf-8", "replace") for name, drawing in drawn.items()}
        for kind in ("png", "pdf"):
            if kind in self._formats and self._draw is not None:
                files |= {f"charts/{name}.{kind}": self._draw(drawing, kind) for name, drawing in drawn.items()}
        return files


def _csv(rows: Rows) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: inert(value) for name, value in row.items()} for row in rows)
    return text.getvalue().encode("utf-8", "replace")


def _parquet_writer() -> Callable[[Rows], bytes]:
    try:
        import pyarrow as pa  # noqa: PLC0415 - heavy, loaded when asked for
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ImportError:
        message = "--formats parquet needs pyarrow: pip install 'turnmark[parquet]'"
        raise UsageError(message) from None

    def write(rows: Rows) -> bytes:
        sink = io.BytesIO()
        pq.write_table(pa.Table.from_pylist(rows), sink)
        return sink.getvalue()

    return write


def _drawer() -> Callable[[str, str], bytes]:
    try:
        import typst  # noqa: PLC0415 - heavy, loaded when asked for
    except ImportError:
        message = "--formats png and pdf need typst: pip install 'turnmark[plots]'"
        raise UsageError(message) from None
    compiler: Any = typst

    def draw(drawing: str, kind: str) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "chart.svg").write_text(drawing, encoding="utf-8")
            page = Path(folder, "page.typ")
            page.write_text('#set page(width: auto, height: auto, margin: 0pt)\n#image("chart.svg")\n', "utf-8")
            more = {"ppi": _PIXELS_AN_INCH} if kind == "png" else {"timestamp": 0}
            return bytes(compiler.compile(str(page), root=folder, format=kind, **more))

    return draw
