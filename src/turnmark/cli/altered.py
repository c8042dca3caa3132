"""Runs whose files are not as scoring left them are named before figures of them are believed."""

from __future__ import annotations

from pathlib import Path

from turnmark.cli.output import say
from turnmark.runs.integrity import altered


def folder_of(run: str) -> Path:
    """The folder of a run that may name one of its systems (``FOLDER@SYSTEM``)."""
    return Path(run) if Path(run).is_dir() else Path(run.rpartition("@")[0])


def warn_of_altered(run: str) -> None:
    """Name the files of a run that are not as scoring left them."""
    for problem in altered(folder_of(run)):
        say(f"warning: {problem}", err=True)
