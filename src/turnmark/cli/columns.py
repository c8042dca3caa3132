"""``--from`` and ``--columns``: what the user's files are, and what a table calls the fields."""

from __future__ import annotations

import click

from turnmark.cli.suite_help import of_suites
from turnmark.readers.registry import SHIPPED


def _pairs(
    _context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    pairs = []
    for value in (part for text in values for part in text.split(",") if part.strip()):
        field, sign, name = value.partition("=")
        if not (sign and field.strip() and name.strip()):
            message = f"expected FIELD=COLUMN (question=질문), found {value!r}"
            raise click.BadParameter(message)
        pairs.append((field.strip(), name.strip()))
    return tuple(pairs)


columns_option = click.option(
    "--columns",
    multiple=True,
    callback=_pairs,
    metavar="FIELD=COLUMN,...",
    help=f"{of_suites('score --columns')}.",
)
"""The option, as pairs of field and column."""
from_option = click.option(
    "--from",
    "source_format",
    metavar="FORMAT",
    help=f"What the input is, where its files do not tell: {', '.join(SHIPPED)}, and what other packages read "
    "(entry points turnmark.readers).",
)
