"""``turnmark report``."""

from __future__ import annotations

from pathlib import Path

import click

from turnmark.cli.exit_codes import SOME_FAILED
from turnmark.cli.language import language_option, texts_for
from turnmark.cli.output import say
from turnmark.locale.texts import Texts, filled
from turnmark.pipeline.comparing.compare import compare
from turnmark.pipeline.comparing.request import CompareRequest
from turnmark.pipeline.publishing.export import DEFAULT_FORMATS, FORMATS, export, export_comparison
from turnmark.pipeline.publishing.report import PAGES_UP_TO, ReportOptions, write_report
from turnmark.pipeline.publishing.run_language import run_language
from turnmark.pipeline.publishing.run_turns import turn_sums, worst_turns
from turnmark.report.view.findings import found_lines
from turnmark.report.view.masking import masked_views
from turnmark.runs.folder import read_summary
from turnmark.runs.integrity import altered


def print_found(run: Path, texts: Texts, *, mask: bool) -> bool:
    """Print what was found in a scored run, from its files; whether these are as scoring left them."""
    summary = read_summary(run)
    turns = turn_sums(run, summary.suite_name)
    worst = worst_turns(run, masked_views if mask else None)
    names = [Path(problem.file).name for problem in altered(run)]
    for line in found_lines(turns.faults if turns else {}, worst, summary, texts, names):
        say(line)
    return not names


@click.command("report")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--pages/--no-pages", default=None,
    help=f"A linked page for each dialogue to review; by default for runs of up to {PAGES_UP_TO} turns.",
)  # fmt: skip
@language_option
@click.option(
    "--mask", is_flag=True, help="Mask names, phone, ID and account numbers and e-mail addresses on the pages."
)
@click.option(
    "--pack",
    "packs",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Rules that scoring was given.",
)
@click.option("--export", "export_to", type=click.Path(path_type=Path), help="Folder for tables and charts as files.")
@click.option(
    "--formats", default=",".join(DEFAULT_FORMATS), show_default=True,
    help=f"What --export writes, with commas between: some of {', '.join(FORMATS)}.",
)  # fmt: skip
def report_command(
    runs: tuple[Path, ...],
    pages: bool | None,
    language: str | None,
    mask: bool,
    packs: tuple[Path, ...],
    export_to: Path | None,
    formats: str,
) -> int:
    """Write report.md and report.html of scored runs again, from the files in their folders. Numbers do not move.

    With --export also tables and charts as files. Several runs get a folder each, and runs of one suite a folder
    "comparison" with all of them side by side, as `compare --export` writes it.

    Overrides that reviewers wrote into RUN/overrides.jsonl are shown beside the raw marks. Files of a run that are
    missing or were changed are named, and the command ends with 3.
    """
    options = ReportOptions(pages=pages, language=language, mask=mask, packs=packs)
    wanted = [name.strip() for name in formats.split(",") if name.strip()]
    whole = True
    for run in runs:
        _, page = write_report(run, options=options)
        texts = texts_for(language, run, read_summary(run).suite_name)
        whole = print_found(run, texts, mask=mask) and whole
        say(filled(texts, "cli_report", path=page))
        if export_to is not None:
            target = export_to / run.resolve().name if len(runs) > 1 else export_to
            written = export(run, target, wanted, options)
            say(filled(texts, "cli_exported", count=len(written), path=target))
    if export_to is not None and len(runs) > 1 and len({read_summary(run).suite for run in runs}) == 1:
        target = export_to / "comparison"
        lang = language or run_language(runs[0])
        written = export_comparison(compare(CompareRequest(runs, language=lang)), target, wanted, lang)
        say(filled(texts_for(language, runs[0]), "cli_exported", count=len(written), path=target))
    return 0 if whole else SOME_FAILED
