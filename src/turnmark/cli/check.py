"""``turnmark check``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from turnmark.cli.language import language_option, say_problems, texts_for
from turnmark.cli.output import say, say_json
from turnmark.cli.suite_help import of_suites
from turnmark.locale.texts import Texts, filled
from turnmark.pipeline.scoring.validate import Checked, check, checks

_MOST_SHOWN = 50


@click.command("check")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--kind", type=click.Choice(tuple(checks())), help="What the files are; told by name and content when left out."
)
@click.option(
    "--pack", "packs", multiple=True, type=click.Path(path_type=Path),
    help=f"{of_suites('check --pack')}.",
)  # fmt: skip
@language_option
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def check_command(
    paths: tuple[Path, ...], kind: str | None, packs: tuple[Path, ...], language: str | None, form: str
) -> int:
    """Check files line by line: traces, datasets, scripts, events, labels, packs, and whatever lies in a run folder.

    Prints every fault with file, line and field. Exits with 1 when there is any.
    """
    found = [(path, list(check(path, kind, packs))) for path in paths]
    checked = [item for _, items in found for item in items]
    if form == "json":
        say_json([_as_json(item) for item in checked])
    else:
        for path, items in found:
            texts = texts_for(language, path)  # one for all files of a folder
            for item in items:
                _print(item, texts)
    return int(any(problem.severity == "error" for item in checked for problem in item.problems))


def _as_json(found: Checked) -> dict[str, object]:
    return {"path": str(found.path), "kind": found.kind, "records": found.records, "problems": found.problems}


def _print(found: Checked, texts: Texts) -> None:
    say_problems(found.problems, texts, _MOST_SHOWN, more="cli_more_json")
    severities = Counter(problem.severity for problem in found.problems)
    counts = {
        "path": found.path, "count": found.records, "errors": severities["error"], "warnings": severities["warning"],
    }  # fmt: skip
    if found.kind == "run folder":
        say(filled(texts, "cli_checked_folder", **counts))
    else:
        say(filled(texts, "cli_checked", kind=found.kind, **counts))
