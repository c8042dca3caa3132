"""The option ``--detect`` of several commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from turnmark.cli.output import say
from turnmark.detectors.names import FORMERLY, notice


def detect_option(text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """``--detect`` with its help; a name that has changed is taken for the new one, with a notice."""
    return click.option("--detect", callback=_current, help=text)


def _current(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    if name not in FORMERLY:
        return name
    say(f"turnmark: {notice(name)}", err=True)
    return FORMERLY[name]
