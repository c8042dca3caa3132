from __future__ import annotations

import csv
import json
import shutil
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from turnmark.errors import UsageError
from turnmark.locale.texts import ENGLISH
from turnmark.pipeline.publishing.export import _csv, _drawer, export
from turnmark.pipeline.publishing.report import ReportOptions, gather, write_report
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.report.charts.charts import Bar, Chart, forest
from turnmark.report.pages.latex import latex
from turnmark.report.pages.tables import standalone
from turnmark.report.view.tables import known_metric
from turnmark.report.view.triage import shortfalls
from turnmark.runs.folder import read_summary

EXAMPLE = Path(__file__).parents[3] / "src" / "turnmark" / "examples" / "clinical" / "agent" / "events.jsonl"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return score(ScoreRequest((EXAMPLE,), tmp_path_factory.mktemp("export") / "run", suite="clinical")).folder


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_tables_hold_the_figures_of_the_summary(run, tmp_path):
    written = export(run, tmp_path, ("csv",))
    assert not (tmp_path / "tables" / "figures.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    summary = gather(run).summary
    for row in rows(tmp_path / "tables" / "figures.csv"):
        if row["value"]:
            assert float(row["value"]) == summary.metrics[row["metric"]].micro[row["measure"]]
    first = [row for row in rows(tmp_path / "tables" / "by_turn.csv") if row["measure"] == "slot_factuality"]
    assert [row["turn"] for row in first] == ["1", "2", "3", "4", "5"]
    assert sum(int(row["rows"]) for row in first) == summary.metrics["sfs"].counts["eligible_count"]
    reasons = {(row["metric"], row["reason"]): row["rows"] for row in rows(tmp_path / "tables" / "reasons.csv")}
    assert reasons["ur", "the question tells nothing new"] == "60"
    assert {path.suffix for path in written} == {".csv"}


def test_the_same_run_gives_the_same_bytes_and_every_chart_is_a_drawing(run, tmp_path):
    formats = ("csv", "svg", "latex")
    first = [path.read_bytes() for path in export(run, tmp_path / "a", formats, ReportOptions(language="ko"))]
    written = export(run, tmp_path / "b", formats, ReportOptions(language="ko"))
    assert [path.read_bytes() for path in written] == first
    drawings = [path for path in written if path.suffix == ".svg"]
    assert any("trend" in path.name for path in drawings)
    for path in drawings:
        root = ET.fromstring(path.read_text("utf-8"))  # noqa: S314 - written by this test
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert int(root.get("width")) > 0


def test_latex_escapes_names_and_has_intervals(run, tmp_path):
    export(run, tmp_path, ("latex",))
    table = (tmp_path / "tables" / "figures.tex").read_text("utf-8")
    assert "Eligible & Skipped & Failed" in table
    assert r"slot\_factuality" in table
    low, high = read_summary(run).metrics["sfs"].intervals["slot_factuality"]
    assert f"[{low:.3f}, {high:.3f}]" in table
    assert table.count(r"\begin{tabular}") == table.count(r"\end{tabular}") == 1
    assert all(line.count("&") == 8 for line in table.splitlines() if line.endswith(r"\\"))


def test_each_metric_has_a_failure_in_the_appendix(run, tmp_path):
    export(run, tmp_path, ("latex", "csv"))
    found = rows(tmp_path / "tables" / "failures.csv")
    data = gather(run)
    told = "; ".join(row["stands_for"] for row in found)
    down = {name for view in data.worst for name in shortfalls(view.row)}
    assert down
    assert all(known_metric(name).code in told for name in down)
    assert len({(row["dialog_id"], row["turn_pair_id"]) for row in found}) == len(found)
    lines = (run / "dialog_trace.jsonl").read_text("utf-8").splitlines()
    dialogs = {line["dialog_id"]: line for line in map(json.loads, lines)}
    for row in found:
        turns = {str(turn["turn_pair_id"]): turn for turn in dialogs[row["dialog_id"]]["turns"]}
        assert row["reply"].rstrip("…") in " ".join(turns[row["turn_pair_id"]]["pred_assistant_text"].split())
    appendix = (tmp_path / "tables" / "failures.tex").read_text("utf-8")
    assert appendix.count(r"\item[") == len(found)
    assert (tmp_path / "tables" / "failures.csv").read_bytes() != b""
    assert "Appendix: representative failures" in (write_report(run)[0]).read_text("utf-8")


def test_parquet_holds_the_same_rows(run, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra parquet is not installed")
    export(run, tmp_path, ("csv", "parquet"))
    table = parquet.read_table(tmp_path / "tables" / "by_turn.parquet").to_pylist()
    assert [str(row["value"]) for row in table] == [row["value"] for row in rows(tmp_path / "tables" / "by_turn.csv")]


def test_pictures_show_chinese_and_korean(run, tmp_path):
    pytest.importorskip("typst", reason="the extra plots is not installed")
    draw = _drawer()

    def picture(label, kind):
        chart = Chart("c", "M", "m", forest("x", [Bar(label, 0.5, (0.2, 0.9))], (0.0, 1.0), ENGLISH))
        return draw(standalone([chart])["M-c"], kind)

    pictures = {picture(label, "png") for label in ("", "产品", "股票", "한국", "금융", "abc")}
    # A font without these characters draws the same empty box for each.
    if len(pictures) < 6:
        pytest.skip("this machine has no fonts for Chinese and Korean")
    assert all(one.startswith(b"\x89PNG") for one in pictures)
    page = picture("产品 한국", "pdf")
    assert page.startswith(b"%PDF")
    assert page == picture("产品 한국", "pdf")


def test_a_wrong_format_is_refused_before_anything_is_written(run, tmp_path, monkeypatch):
    with pytest.raises(UsageError, match="'xlsx'"):
        export(run, tmp_path / "x", ("csv", "xlsx"))
    monkeypatch.setitem(sys.modules, "typst", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"turnmark\[plots\]"):
        export(run, tmp_path / "x", ("png",))
    with pytest.raises(UsageError, match=r"turnmark\[parquet\]"):
        export(run, tmp_path / "x", ("parquet",))
    assert not (tmp_path / "x").exists()


def test_the_command_exports_and_says_how_much(run, tmp_path, cli):
    done = cli("report", run, "--export", tmp_path / "e", "--formats", "csv,latex")
    assert done.code == 0, done.err
    assert "exported" in done.out
    assert (tmp_path / "e" / "tables" / "figures.tex").is_file()
    assert not (tmp_path / "e" / "charts").exists()


def test_texts_that_a_spreadsheet_would_run_are_made_inert():
    assert _csv([{"a": "=1+1", "b": -0.5, "c": "x"}]) == b"a,b,c\n'=1+1,-0.5,x\n"


def test_several_runs_are_exported_with_their_comparison(run, tmp_path, cli):
    other = shutil.copytree(run, tmp_path / "other")
    done = cli("report", run, other, "--export", tmp_path / "out", "--formats", "svg,csv", "--lang", "zh")
    assert done.code == 0
    assert (tmp_path / "out" / "run" / "tables" / "figures.csv").is_file()
    beside = (tmp_path / "out" / "comparison" / "charts" / "SFS-systems-slot_factuality.svg").read_text("utf-8")
    assert beside.count('class="range"') == 2
    assert f"{tmp_path / 'out' / 'comparison'}" in done.out


def test_any_text_is_one_line_of_latex_that_gives_no_orders():
    shown = latex('a\n\\input{x} $y$ & 50% #1 _^~ <b> | "q" \x07\u202e 한국어')
    assert "\n" not in shown
    assert r"\textbackslash{}input\{x\}" in shown
    assert r"\$y\$ \& 50\% \#1 \_\textasciicircum{}\textasciitilde{}" in shown
    assert "한국어" in shown
    assert "\u202e" not in shown
