"""``turnmark convert``."""

from __future__ import annotations

from pathlib import Path

import click

from turnmark.cli.columns import columns_option, from_option
from turnmark.cli.exit_codes import SOME_FAILED
from turnmark.cli.language import language_option, say_problems, texts_for
from turnmark.cli.output import say
from turnmark.errors import UsageError
from turnmark.locale.texts import filled
from turnmark.pipeline.publishing.convert import convert
from turnmark.readers.characters import empty_said, is_empty
from turnmark.suites.file_kinds import suite_of
from turnmark.suites.registry import suite_names

_MOST_SHOWN = 20


@click.command("convert")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The file to write, JSON Lines.")
@click.option("--suite", help=f"One of: {', '.join(suite_names())}; told by the file when left out.")
@from_option
@columns_option
@language_option
def convert_command(
    file: Path,
    out: Path,
    suite: str | None,
    source_format: str | None,
    columns: tuple[tuple[str, str], ...],
    language: str | None,
) -> int:
    """Write a table, a chat log or another tool's export in turnmark's own form: cases, events or dialogues.

    `score`, `check` and `run` read such files as they are; convert when you want to look at them, or to edit them.
    Exits with 3 when something was left out.
    """
    if not file.is_file():
        message = f"{file}: expected a file, found none"
        raise UsageError(message)
    if is_empty(file):
        raise UsageError(empty_said(file))
    name = suite or suite_of(file, source_format)
    if name is None:
        message = (
            f"{file}: expected a file whose suite can be told; say which with --suite ({', '.join(suite_names())})"
        )
        raise UsageError(message)
    result = convert(file, out, name, dict(columns), source_format)
    texts = texts_for(language, file, name)
    say_problems(result.problems, texts, _MOST_SHOWN)
    say(filled(texts, "cli_converted", path=out, count=result.records, suite=name))
    return SOME_FAILED if any(problem.severity == "error" for problem in result.problems) else 0
