"""The option ``--lang`` of commands that write pages or print findings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from turnmark.locale.texts import LANGUAGES, Texts, texts_of
from turnmark.pipeline.publishing.run_language import run_language


def language_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--lang``; None where it is left out, which means the language of the data."""
    option = click.option(
        "--lang", "language", type=click.Choice(sorted(LANGUAGES)),
        help="Language of the pages and of what is printed; that of the data when left out.",
    )  # fmt: skip
    return option(function)


def texts_for(language: str | None, folder: Path, suite: str | None) -> Texts:
    """The words of the language that was asked for, else of that of a run's data."""
    return texts_of(language or run_language(folder), suite)
