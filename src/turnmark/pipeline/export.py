"""The figures of a report as files for spreadsheets, papers and slides."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from turnmark.errors import UsageError
from turnmark.pipeline.report import ReportOptions, gather
from turnmark.report.export import Rows, charts, main_table_latex, tables
from turnmark.report.texts import texts_of
from turnmark.runs.folder import write_whole

FORMATS = ("csv", "parquet", "svg", "png", "pdf", "latex")
DEFAULT_FORMATS = ("csv", "svg", "latex")
_PIXELS_AN_INCH = 216
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export(
    folder: Path, out: Path, formats: Sequence[str] = DEFAULT_FORMATS, options: ReportOptions | None = None
) -> list[Path]:
    """Write tables and charts of a scored run; returns what was written, in order.

    ``formats`` are some of `FORMATS`. Tables become CSV (UTF-8) or Parquet, the main table LaTeX (booktabs), charts
    SVG, PNG or PDF. The same folder gives the same bytes.

    Raises: UsageError for a format that there is not or whose extra is not installed, before anything is written;
    DataError when the run is not scored.
    """
    wrong = [name for name in formats if name not in FORMATS]
    if wrong:
        message = f"--formats: expected some of {', '.join(FORMATS)}, found {', '.join(map(repr, wrong))}"
        raise UsageError(message)
    parquet = _parquet_writer() if "parquet" in formats else None
    draw = _drawer() if {"png", "pdf"} & set(formats) else None
    options = options or ReportOptions()
    data = gather(folder, options=options._replace(pages=False))
    texts = texts_of(options.language, data.summary.suite)
    drawn = charts(data, texts) if {"svg", "png", "pdf"} & set(formats) else {}
    files = _pictures(drawn, formats, draw)
    for name, rows in tables(data, texts).items():
        if "csv" in formats:
            files[f"tables/{name}.csv"] = _csv(rows)
        if parquet is not None:
            files[f"tables/{name}.parquet"] = parquet(rows)
    if "latex" in formats:
        files["tables/figures.tex"] = main_table_latex(data).encode()
    for name, content in files.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(out / name, content)
    return [out / name for name in files]


def _pictures(
    drawn: Mapping[str, str], formats: Sequence[str], draw: Callable[[str, str], bytes] | None
) -> dict[str, bytes]:
    files = {f"charts/{name}.svg": drawing.encode() for name, drawing in drawn.items() if "svg" in formats}
    for kind in ("png", "pdf"):
        if kind in formats and draw is not None:
            files |= {f"charts/{name}.{kind}": draw(drawing, kind) for name, drawing in drawn.items()}
    return files


def _csv(rows: Rows) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _inert(value) for name, value in row.items()} for row in rows)
    return text.getvalue().encode("utf-8", "replace")


def _inert(value: object) -> object:
    """A text that a spreadsheet would run as a formula gets an apostrophe before it; numbers stay numbers."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


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
