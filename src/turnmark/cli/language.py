"""The option ``--lang`` of commands that write pages or print findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from turnmark.cli.output import say
from turnmark.locale.texts import LANGUAGES, Texts, filled, texts_of
from turnmark.pipeline.publishing.run_language import data_language
from turnmark.report.view.problems import spoken_of, worded_problem
from turnmark.schemas.problems import Problem


def language_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--lang``; None where it is left out, which means the language of the data."""
    option = click.option(
        "--lang", "language", type=click.Choice(sorted(LANGUAGES)),
        help="Language of the pages and of what is printed; that of the data when left out.",
    )  # fmt: skip
    return option(function)


def texts_for(language: str | None, data: Path, suite: str | None = None) -> Texts:
    """The words of the language that was asked for, else of that of the data: a run folder, or a file."""
    return texts_of(language or data_language(data), suite)


def say_problems(
    problems: Sequence[Problem], texts: Texts, most: int, *, more: str = "cli_more", err: bool = False
) -> None:
    """Print faults and warnings, ``most`` of them at most, and how many ``more`` there are.

    A line is of one language: English where a phrase of it is not worded in that of the texts.
    """
    for problem in problems[:most]:
        spoken = spoken_of(problem, texts)
        say(filled(spoken, f"cli_{problem.severity}", what=worded_problem(problem, spoken)), err=err)
    if len(problems) > most:
        say(filled(texts, more, count=len(problems) - most), err=err)
