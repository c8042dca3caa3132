"""``turnmark gate``."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from turnmark.cli.altered import warn_of_altered
from turnmark.cli.output import say, say_json
from turnmark.cli.table import wide_console
from turnmark.pipeline.comparing.gate import GateRequest, gate
from turnmark.report.pages.gate import OUTCOMES, render_gate_junit, render_gate_markdown
from turnmark.runs.folder import write_whole
from turnmark.schemas.results.gate import GateOutcome, GateResult

EXIT_CODES: dict[GateOutcome, int] = {"pass": 0, "fail": 1, "not_enough_data": 3}


@click.command("gate")
@click.argument("run")
@click.option("--rules", required=True, type=click.Path(path_type=Path), help="YAML file of rules.")
@click.option("--baseline", help="Run that this one must not be worse than.")
@click.option("--junit", type=click.Path(path_type=Path), help="Also write JUnit XML here.")
@click.option("--summary", type=click.Path(path_type=Path), help="Also append Markdown here (a CI job's summary).")
@click.option("--format", "form", type=click.Choice(["table", "json", "markdown"]), default="table", show_default=True)
def gate_command(
    run: str, rules: Path, baseline: str | None, junit: Path | None, summary: Path | None, form: str
) -> int:
    """Hold a scored run against rules: thresholds, and no loss against a baseline.

    Each rule passes, fails, or says that there is not enough data. Exits with 0 when all pass, 1 when one fails, 3 when
    none fails but one has not enough data.
    """
    result = gate(GateRequest(run, rules, baseline))
    for each in filter(None, (run, baseline)):
        warn_of_altered(each)
    if junit is not None:
        write_whole(junit, render_gate_junit(result))
    if summary is not None:
        with summary.open("a", encoding="utf-8", errors="replace") as file:
            file.write(render_gate_markdown(result))
    if form == "json":
        say_json(result)
    elif form == "markdown":
        say(render_gate_markdown(result), nl=False)
    else:
        _print(result)
    return EXIT_CODES[result.outcome]


def _print(result: GateResult) -> None:
    table = Table(title=f"{result.run}: {OUTCOMES[result.outcome][1]}", title_justify="left")
    for name in ("outcome", "rule", "why"):
        table.add_column(name, overflow="fold")
    for finding in result.findings:
        table.add_row(OUTCOMES[finding.outcome][1], finding.rule, finding.reason)
    console = wide_console()
    console.print(table, markup=False)
    for line in result.unpaired_said():
        console.print(line, markup=False)
