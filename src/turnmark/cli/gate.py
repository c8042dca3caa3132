"""``turnmark gate``."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from turnmark.cli.altered import folder_of, warn_of_altered
from turnmark.cli.language import language_option, texts_for
from turnmark.cli.output import say, say_json
from turnmark.cli.table import wide_console
from turnmark.locale.texts import ENGLISH, Texts, named
from turnmark.pipeline.comparing.gate import GateRequest, gate
from turnmark.report.pages.gate import render_gate_junit, render_gate_markdown, unpaired_lines
from turnmark.runs.folder import write_whole
from turnmark.schemas.results.gate import GateOutcome, GateResult

EXIT_CODES: dict[GateOutcome, int] = {"pass": 0, "fail": 1, "not_enough_data": 3}


@click.command("gate")
@click.argument("run")
@click.option("--rules", required=True, type=click.Path(path_type=Path), help="YAML file of rules.")
@click.option("--baseline", help="Run that this one must not be worse than.")
@click.option("--junit", type=click.Path(path_type=Path), help="Also write JUnit XML here.")
@click.option("--summary", type=click.Path(path_type=Path), help="Also append Markdown here (a CI job's summary).")
@language_option
@click.option("--format", "form", type=click.Choice(["table", "json", "markdown"]), default="table", show_default=True)
def gate_command(
    run: str, rules: Path, baseline: str | None, junit: Path | None, summary: Path | None, language: str | None,
    form: str,
) -> int:  # fmt: skip
    """Hold a scored run against rules: thresholds, and no loss against a baseline.

    Each rule passes, fails, or says that there is not enough data. Exits with 0 when all pass, 1 when one fails, 3 when
    none fails but one has not enough data.
    """
    texts = ENGLISH if form == "json" and language is None else texts_for(language, folder_of(run))
    result = gate(GateRequest(run, rules, baseline), texts)
    for each in filter(None, (run, baseline)):
        warn_of_altered(each)
    if junit is not None:
        write_whole(junit, render_gate_junit(result))
    if summary is not None:
        with summary.open("a", encoding="utf-8", errors="replace") as file:
            file.write(render_gate_markdown(result, texts))
    if form == "json":
        say_json(result)
    elif form == "markdown":
        say(render_gate_markdown(result, texts), nl=False)
    else:
        _print(result, texts)
    return EXIT_CODES[result.outcome]


def _print(result: GateResult, texts: Texts) -> None:
    table = Table(title=f"{result.run}: {named(texts, 'gate', result.outcome)}", title_justify="left")
    for name in ("gate_outcome", "gate_rule", "gate_why"):
        table.add_column(texts[name], overflow="fold")
    for finding in result.findings:
        table.add_row(named(texts, "gate", finding.outcome), finding.rule, finding.reason)
    console = wide_console()
    console.print(table, markup=False)
    for line in unpaired_lines(result, texts):
        console.print(line, markup=False)
