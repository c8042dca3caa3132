"""Which formats a run can be written in: those shipped, and those of other packages (group ``turnmark.writers``)."""

from __future__ import annotations

import functools
import importlib.util
import pkgutil
import secrets
import shutil
from collections.abc import Mapping
from importlib.metadata import EntryPoint
from pathlib import Path

from turnmark.errors import UsageError
from turnmark.pipeline.publishing.writers.protocol import Run, Writer
from turnmark.plugins import loaded, points_of

GROUP = "turnmark.writers"
SHIPPED = {
    "csv": "tables:CSV",
    "deepeval": "peers:DEEPEVAL",
    "datasets": "datasets:DATASETS",
    "langfuse": "langfuse:LANGFUSE",
    "langsmith": "langsmith:LANGSMITH",
    "otlp-json": "otlp:OTLP",
    "parquet": "parquet:PARQUET",
    "ragas": "peers:RAGAS",
    "wandb": "wandb:WANDB",
    "xlsx": "tables:XLSX",
}
MLFLOW = "mlflow"
"""Not a folder of files but a store: written by `turnmark.pipeline.publishing.mlflow_export`."""
_NEEDS = {
    "datasets": ("pyarrow", "parquet"), "parquet": ("pyarrow", "parquet"), "xlsx": ("openpyxl", "excel"),
    "wandb": ("wandb", "wandb"), MLFLOW: ("mlflow", "mlflow"),
}  # fmt: skip
"""The package that a format needs and the extra that brings it."""


@functools.cache
def _of_packages() -> Mapping[str, EntryPoint]:
    return points_of(GROUP, SHIPPED)


def writer_names() -> tuple[str, ...]:
    """The formats that can be named, those shipped first."""
    return (*SHIPPED, *_of_packages())


def _described(name: str) -> str:
    """A format, and how to install what it lacks."""
    package, extra = _NEEDS.get(name, ("", ""))
    missing = package and importlib.util.find_spec(package) is None
    return f"{name} (needs {package}: pip install 'turnmark[{extra}]')" if missing else name


def writer(name: str) -> Writer:
    """A writer by the name of its format.

    Raises: UsageError naming the formats that there are, or saying why one of another package cannot be loaded.
    """
    if name in SHIPPED:
        shipped: Writer = pkgutil.resolve_name(f"turnmark.pipeline.publishing.writers.{SHIPPED[name]}")
        return shipped
    point = _of_packages().get(name)
    if point is None:
        known = ", ".join(map(_described, sorted((*writer_names(), MLFLOW))))
        message = f"--to: expected one of {known}; found {name!r}"
        raise UsageError(message)
    own: Writer = loaded(point, f"--to {name}", "writer")
    return own


def write_run(folder: Path, name: str, out: Path) -> list[Path]:
    """Write a scored run in a format; the folder ``out`` appears whole or not at all. Returns its files.

    Raises: UsageError when ``out`` is there already; DataError when ``folder`` holds no scored run or a wrong line.
    """
    chosen = writer(name)
    run = Run(folder)
    if out.exists():
        message = f"--out {out}: expected a folder that is not there yet, found one; name another or remove it"
        raise UsageError(message)
    out.parent.mkdir(parents=True, exist_ok=True)
    partial = out.with_name(f".{out.name}.{secrets.token_hex(8)}.partial")
    partial.mkdir()
    try:
        chosen.write(run, partial)
        partial.rename(out)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return sorted(path for path in out.rglob("*") if path.is_file())
