"""The options that say by which rules turns are marked, as ``score`` and ``run`` take them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from turnmark.cli.suite_help import EARLIER_TURNS, of_suites

_OPTIONS = (
    click.option(
        "--pack", "packs", multiple=True, type=click.Path(path_type=Path),
        help=f"Rules laid over the shipped ones; {of_suites('score --pack')}.",
    ),
    click.option("--ignore-memory-keys", is_flag=True, help="For agents without memory: M1 asks for no key."),
    click.option(
        "--compliance-by", type=click.Choice(["words", "events", "either"]), default="words", show_default=True,
        help=f"{of_suites('score --compliance-by')}.",
    ),
    click.option(
        "--possible", metavar="shipped|FILE",
        help="finance: show reviewers, beside the marks, what a small learned model finds likely and no rule asserts; "
        "the shipped one, or a file of `turnmark calibrate`. A little more than half are right; no figure counts "
        "them.  [default: none]",
    ),
    click.option(
        "--earlier-turns", is_flag=True, help=f"{EARLIER_TURNS}: what earlier turns were told supports answers too."
    ),
)  # fmt: skip


def marking_options(command: Callable[..., int]) -> Callable[..., int]:
    """The command with all of them, in this order on its help page."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
