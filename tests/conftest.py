import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from filelock import FileLock
from hypothesis import settings

import turnmark
from turnmark.cli.root import run
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest

settings.register_profile("turnmark", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("turnmark")

PROJECT = Path(__file__).parents[1]
PACKAGE = Path(turnmark.__file__).parent
SHIPPED = {
    "careful": ("finance", "finance/careful/dialog_trace.jsonl"),
    "hasty": ("finance", "finance/hasty/dialog_trace.jsonl"),
    "llm": ("clinical", "clinical/llm/events.jsonl"),
    "agent": ("clinical", "clinical/agent/events.jsonl"),
    "rag": ("rag", "rag/cases.jsonl"),
}
"""The shipped examples: suite and file of each."""


class Ran(NamedTuple):
    """What a command gave."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture(scope="session")
def shared():
    """The folder of recorded runs and labels; it is not part of every checkout."""
    folder = PROJECT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the recorded runs lie in ../shared, beside the project; this checkout has none")
    return folder


@pytest.fixture(scope="session")
def memfin(shared):
    """The four recorded runs of the finance adviser."""
    folder = shared / "conformance" / "memfin"
    if not folder.is_dir():
        pytest.skip("../shared/conformance/memfin, the recorded runs, is missing")
    return folder


@pytest.fixture(scope="session")
def examples():
    """The shipped finance examples."""
    return PACKAGE / "examples" / "finance"


@pytest.fixture(scope="session")
def shipped_run(tmp_path_factory):
    """Copies a shipped example, scored as it comes, to a folder; whichever worker asks first scores it for all."""
    mine = tmp_path_factory.getbasetemp()
    kept = (mine.parent if "PYTEST_XDIST_WORKER" in os.environ else mine) / "scored"
    kept.mkdir(exist_ok=True)

    def copied(name: str, to: Path) -> Path:
        suite, trace = SHIPPED[name]
        with FileLock(kept / f"{name}.lock"):
            if not (kept / name / "run_manifest.json").exists():
                score(ScoreRequest((PACKAGE / "examples" / trace,), kept / name, suite=suite))
        return Path(shutil.copytree(kept / name, to))

    return copied


@pytest.fixture
def hasty_run(tmp_path, shipped_run):
    """The scored example of the hasty adviser, in a folder of runs of its own."""
    return shipped_run("hasty", tmp_path / "runs" / "hasty")


@pytest.fixture
def served_hasty(hasty_run, tmp_path):
    """A viewer over that folder."""
    from serving import Served  # noqa: PLC0415 - most tests serve nothing
    from turnmark.viewer.app import ViewerSettings, make_app  # noqa: PLC0415

    served = Served(make_app(ViewerSettings(hasty_run.parent, tmp_path / "labels")))
    yield served
    served.stop()


@pytest.fixture(scope="session")
def project():
    return PROJECT


@pytest.fixture
def cli(capsys):
    """Run a command line in this process."""

    def call(*arguments: object) -> Ran:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(int(ended.value.code or 0), captured.out, captured.err)

    return call


@pytest.fixture
def process():
    """Run a command line in a process of its own."""

    def call(*arguments: object, **environment: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "turnmark", *map(str, arguments)],
            capture_output=True,
            check=False,
            env={**os.environ, **environment},
            timeout=120,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


def pytest_terminal_summary(terminalreporter):
    """How many of the fault cases (`tests/faults`) were survived, by class."""
    counts = {}
    for outcome in ("passed", "failed", "error"):
        for report in terminalreporter.stats.get(outcome, ()):
            where, _, name = report.nodeid.partition("::")
            if where.startswith("tests/faults/") or where.endswith("test_viewer_faults.py"):
                kind = (where.rpartition("/")[2].removesuffix(".py"), name.partition("[")[0])
                of_kind = counts.setdefault(kind, [0, 0])
                of_kind[outcome == "passed"] += 1
    if counts:
        terminalreporter.section("fault cases survived")
        for (where, name), (lost, survived) in sorted(counts.items()):
            terminalreporter.line(f"{survived:5} of {survived + lost:5}  {where}: {name.removeprefix('test_')}")
        every = [sum(column) for column in zip(*counts.values(), strict=True)]
        terminalreporter.line(f"{every[1]:5} of {sum(every):5}  all")
