"""What the documents say is tried: links, commands, Python, and every number of the annotated turn."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec
import pytest
import yaml

import turnmark
from turnmark.cli.root import root
from turnmark.detectors.finance.sets import DETECTOR_SETS
from turnmark.metrics.catalog import metric as metric_of
from turnmark.schemas.turn_eval import REPLY_STATES, TurnEvalRow
from turnmark.stats.tally import Ratio
from turnmark.suites.finance.files import unread_constraint
from turnmark.suites.registry import SHIPPED

PROJECT = Path(__file__).parents[2]
READMES = [PROJECT / name for name in ("README.md", "README.zh.md", "README.ko.md")]
DOCUMENTS = [
    *READMES,
    PROJECT / "CHANGELOG.md",
    PROJECT / "changelog/README.md",
    *sorted((PROJECT / "docs").glob("*.md")),
]
NOT_RUN = {
    "make demo": "installs packages from the network; the workplace below does its second half",
    "make test": "runs this very test",
}
_TEXT_MAX = 5_000_000


class Block(NamedTuple):
    """A fenced block: the words behind the fence and what it holds."""

    info: str
    text: str


def blocks(path: Path) -> list[Block]:
    found = re.findall(r"^```([^\n`]*)\n(.*?)^```$", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [Block(info.strip(), text) for info, text in found]


def block(path: Path, info: str) -> str:
    (found,) = [each.text for each in blocks(path) if each.info == info]
    return found


def headings(path: Path) -> list[tuple[int, str]]:
    outside = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    return [(len(marks), title) for marks, title in re.findall(r"^(#+) (.+)$", outside, re.MULTILINE)]


def anchors(path: Path) -> set[str]:
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for _, title in headings(path)}


def runnable(info: str) -> list[Any]:
    # The other two READMEs hold the same blocks; a test of its own compares them.
    return [
        pytest.param(each.text, id=f"{path.stem}-{place}")
        for path in DOCUMENTS
        if path not in READMES[1:] and path.name != "engines.md"  # tests/pipeline/scoring/test_partitions.py runs these
        for place, each in enumerate(blocks(path))
        if each.info == info and each.text.strip() not in NOT_RUN
    ]


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory, shipped_run: Callable[[str, Path], Path]) -> Path:
    """A folder that looks like the project after ``make demo``; what blocks write stays in it."""
    if os.name == "nt" or shutil.which("sh") is None:
        pytest.skip("the commands of the documents are for a POSIX shell")
    folder = tmp_path_factory.mktemp("project")
    for name in ("src", "examples"):
        (folder / name).symlink_to(PROJECT / name)
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name, arguments in (("turnmark", "-m turnmark"), ("python", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n')
        (programs / name).chmod(0o755)
    for run in ("careful", "hasty"):
        shipped_run(run, folder / "runs" / f"example_{run}")
    return folder


def shell(folder: Path, text: str) -> str:
    done = subprocess.run(["sh", "-e", "-c", text], cwd=folder, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, f"{text}\n{done.stdout.decode()}\n{done.stderr.decode()}"
    return done.stdout.decode()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_relative_link_resolves(path: Path) -> None:
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(target)
    assert not broken


def test_the_readmes_say_the_same_in_three_languages() -> None:
    english, *others = READMES
    for other in others:
        assert [level for level, _ in headings(other)] == [level for level, _ in headings(english)], other.name
        assert blocks(other) == blocks(english), other.name
        links = [re.findall(r"\]\(([^)]+)\)", path.read_text("utf-8").split("\n", 1)[1]) for path in (english, other)]
        language = other.suffixes[0]
        assert sorted(links[0]) == sorted(link.replace(f"{language}.png", ".png") for link in links[1]), other.name
        assert any(link.endswith(f"{language}.png") for link in links[1]), "the picture speaks the language of the page"


@pytest.mark.parametrize("text", runnable("sh"))
def test_commands_run_as_written(workplace: Path, text: str) -> None:
    shell(workplace, text)


@pytest.mark.parametrize("text", runnable("python"))
def test_python_runs_as_written(workplace: Path, text: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", text], cwd=workplace, capture_output=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout


def test_commands_that_are_not_run_are_still_there() -> None:
    written = {each.text.strip() for path in DOCUMENTS for each in blocks(path) if each.info == "sh"}
    assert set(NOT_RUN) <= written


def test_the_shortest_line_of_the_readme_is_scored(workplace: Path) -> None:
    (workplace / "shortest.jsonl").write_text(block(READMES[0], "json"), "utf-8")
    shell(workplace, ".venv/bin/turnmark check shortest.jsonl")
    shell(workplace, ".venv/bin/turnmark score shortest.jsonl --detect literal --out runs/shortest")
    summary = json.loads((workplace / "runs/shortest/metrics_summary.json").read_text("utf-8"))
    assert summary["metrics"]["m3_risk_coverage"]["micro"]["risk_coverage"] == 1.0


def test_the_readme_promises_nothing_that_is_not_there() -> None:
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", READMES[0].read_text("utf-8"), re.MULTILINE)
    listed = {part.strip(): set(re.findall(r"`([^`]+)`", text)) for part, text in rows}
    verbs = root.list_commands(click.Context(root))
    for part, there in (("commands", verbs), ("suites", SHIPPED), ("detector sets", DETECTOR_SETS)):
        assert listed[part]
        assert listed[part] <= set(there), part


def test_the_pack_of_the_format_page_works(workplace: Path) -> None:
    (workplace / "house.yaml").write_text(block(PROJECT / "docs/formats.md", "yaml"), "utf-8")
    shell(workplace, ".venv/bin/turnmark check house.yaml")
    example = "src/turnmark/examples/finance/hasty"
    shell(workplace, f".venv/bin/turnmark score {example} --detect literal --pack house.yaml --out runs/house")
    manifest = json.loads((workplace / "runs/house/run_manifest.json").read_text("utf-8"))
    assert "house.rules@1.0.0" in manifest["signature"]["packs"]


def test_the_problem_of_the_format_page_is_what_check_prints(workplace: Path) -> None:
    line = json.loads(block(READMES[0], "json"))
    good = [{**line, "dialog_id": f"d{number}"} for number in (1, 2)]
    bad = {**line, "dialog_id": "d3", "turns": [{**line["turns"][0], "turn_status": "late"}]}
    text = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in (*good, bad))
    (workplace / "trace.jsonl").write_text(text, "utf-8")
    printed = shell(workplace, ".venv/bin/turnmark check trace.jsonl --lang en || test $? = 1")
    assert f"error: {block(PROJECT / 'docs/formats.md', 'text').strip()}\n" in printed


def test_the_format_page_names_every_field() -> None:
    text = (PROJECT / "docs/formats.md").read_text("utf-8")
    named = set(re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)))
    ranges = {f"eligible_m{number}" for number in range(1, 6)}
    missing = []
    for path in sorted((PROJECT / "src/turnmark/schemas/json").glob("*.json")):
        for name, definition in json.loads(path.read_text("utf-8")).get("$defs", {}).items():
            missing += [f"{name}.{field}" for field in definition.get("properties", ()) if field not in named | ranges]
    # Told in words: the inside of tool calls, of recall entries, and of what is kept but not read.
    told = re.compile(r"(ToolTrace|RecallItem|ComplianceTrace|ProfileSnapshot|Artifact|SourceHits|Resampling)\.")
    assert not [field for field in missing if not told.match(field)]


def test_the_glossary_knows_every_reply_state() -> None:
    text = (PROJECT / "docs/glossary.md").read_text("utf-8")
    assert not [state for state in REPLY_STATES if f"**`{state}`**" not in text]


def test_the_architecture_names_folders_that_exist() -> None:
    text = (PROJECT / "docs/architecture.md").read_text("utf-8")
    assert not [name for name in re.findall(r"`(tests/[a-z_]+)`", text) if not (PROJECT / name).is_dir()]
    folders = re.findall(r"^\| \d \| `([a-z_./]+)` \|", text, re.MULTILINE)
    assert len(folders) > 10
    assert not [name for name in folders if not (PROJECT / "src/turnmark" / name).exists()]


def test_citation_and_changelog_are_in_form() -> None:
    citation = yaml.safe_load((PROJECT / "CITATION.cff").read_text("utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert (citation["title"], citation["license"]) == ("turnmark", "Apache-2.0")
    assert citation["version"] == turnmark.__version__
    fragments = [path.name for path in (PROJECT / "changelog").iterdir() if path.name != "README.md"]
    assert not [name for name in fragments if not re.fullmatch(r"[a-z0-9-]+\.(added|changed|fixed)\.md", name)]


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    if shutil.which("git") is None or not (PROJECT / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=PROJECT,
        capture_output=True,
        check=True,
    )
    place = re.compile(rb"(?<![\w.})\]$-])/(?:%s)(?![\w-])" % b"|".join((b"work", b"root", b"home")))
    found = []
    for name in filter(None, listed.stdout.decode().split("\0")):
        path = PROJECT / name
        if not path.is_file() or path.is_symlink() or path.stat().st_size > _TEXT_MAX:
            continue
        raw = path.read_bytes()
        if b"\0" not in raw and place.search(raw):
            found.append(name)
    assert not found


class OneTurn(NamedTuple):
    """The run of docs/one-turn.md scored anew, and the page's blocks."""

    folder: Path
    page: Path
    key: tuple[str, int]

    def lines(self, name: str) -> list[str]:
        """The lines about the turn, as they were written."""
        return [
            line
            for line in (self.folder / name).read_text("utf-8").splitlines()
            if self.key == ((head := json.loads(line))["dialog_id"], head.get("turn_pair_id"))
        ]


@pytest.fixture(scope="module")
def one_turn(workplace: Path) -> OneTurn:
    page = PROJECT / "docs/one-turn.md"
    example = "src/turnmark/examples/finance/hasty"
    shell(workplace, f".venv/bin/turnmark score {example} --detect literal --out runs/one_turn_again")
    row = json.loads(block(page, "json row"))
    return OneTurn(workplace / "runs/one_turn_again", page, (row["dialog_id"], row["turn_pair_id"]))


def assert_part_of(part: Any, whole: Any, path: str = "$") -> None:
    """Every value of an abridged object is that of the whole one."""
    if isinstance(part, dict):
        for name, value in part.items():
            assert name in whole, f"{path}.{name}"
            assert_part_of(value, whole[name], f"{path}.{name}")
    else:
        assert part == whole, path


def test_the_quoted_trace_is_the_shipped_one(one_turn: OneTurn) -> None:
    part = json.loads(block(one_turn.page, "json trace"))
    text = (one_turn.folder / "dialog_trace.jsonl").read_text("utf-8")
    (whole,) = [each for each in map(json.loads, text.splitlines()) if each["dialog_id"] == one_turn.key[0]]
    (quoted,) = part.pop("turns")
    (turn,) = [each for each in whole["turns"] if each["turn_pair_id"] == one_turn.key[1]]
    assert_part_of(part, whole)
    assert_part_of(quoted, turn)


def test_the_quoted_evidence_and_row_are_what_scoring_writes(one_turn: OneTurn) -> None:
    assert block(one_turn.page, "jsonl evidence").splitlines() == one_turn.lines("evidence.jsonl")
    assert block(one_turn.page, "json row").splitlines() == one_turn.lines("turn_eval.jsonl")


def test_the_quoted_summary_is_what_scoring_writes(one_turn: OneTurn) -> None:
    whole = json.loads((one_turn.folder / "metrics_summary.json").read_text("utf-8"))
    assert_part_of(json.loads(block(one_turn.page, "json summary")), whole)


def test_the_sums_of_the_page_are_those_of_the_rows(one_turn: OneTurn) -> None:
    text = (one_turn.folder / "turn_eval.jsonl").read_text("utf-8")
    rows = [msgspec.json.decode(line, type=TurnEvalRow) for line in text.splitlines()]
    ours = [row for row in rows if (row.dialog_id, row.turn_pair_id) == one_turn.key]
    sets = (
        ours,
        [row for row in rows if row.dialog_id == one_turn.key[0]],
        rows,
        [row for row in rows if row not in ours],
    )
    table = re.findall(r"^\| (M\d) `(\w+)` \| (.+) \|$", one_turn.page.read_text("utf-8"), re.MULTILINE)
    assert len(table) == 7
    for code, figure, cells in table:
        metric = metric_of(code)
        place = metric.measure(figure)
        for cell, chosen in zip(cells.split(" | "), sets, strict=True):
            found = [outcomes[place] for row in chosen if isinstance(outcomes := metric.score(row), tuple)]
            hits = sum(ratio.hits for ratio in found if isinstance(ratio, Ratio))
            total = sum(ratio.total for ratio in found if isinstance(ratio, Ratio))
            assert cell.split(" = ")[0] == f"{hits:.0f} of {total:.0f}", (figure, cell)
            if " = " in cell:
                assert cell.split(" = ")[1] == f"{hits / total:.3f}", (figure, cell)


def limits() -> tuple[list[str], list[str]]:
    """The limits that ``your-data.md`` says are read, and those that it says are not."""
    text = (PROJECT / "docs/your-data.md").read_text("utf-8")
    own = text[text.index("### Limits of the user") : text.index("## Spans")]
    rows = [line.strip("| ").split(" | ")[1:] for line in own.splitlines() if line.startswith("|")][2:]
    sentence = own[own.index("A wish without") : own.index("Scoring says")]
    return [cell.strip() for row in rows for cell in row], re.findall(r"`([^`]+)`", sentence)


def test_limits_are_read_as_the_page_says() -> None:
    read, unread = limits()
    assert len(read) == 18
    assert len(unread) == 3
    assert [text for text in read if unread_constraint((), text) is not None] == []
    assert [text for text in unread if unread_constraint((), text) is None] == []
