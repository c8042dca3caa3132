"""A dataset that a configuration names. Source: clinical metrics, "activating the experiment"."""

from __future__ import annotations

from pathlib import Path

import msgspec

from turnmark.errors import UsageError
from turnmark.packs import loading


class MultiturnScripts(msgspec.Struct, frozen=True):
    """Which scripts are played, and whether they are. ``path`` is seen from the folder of the file, then from here."""

    path: str
    enabled: bool = True


class ExperimentConfig(msgspec.Struct, frozen=True):
    """The part of an experiment's configuration that says what is played; other fields are for other programs."""

    multiturn_scripts: MultiturnScripts


def configured_dataset(path: Path) -> Path:
    """The file to play: the one that a YAML file names under ``multiturn_scripts``, any other file itself.

    Raises: PackError for a configuration that cannot be read; UsageError when its scripts are not enabled.
    """
    if path.suffix.lower() not in {".yaml", ".yml"}:
        return path
    config, _ = loading.read(path, ExperimentConfig)
    scripts = config.multiturn_scripts
    if not scripts.enabled:
        message = f"{path}: $.multiturn_scripts.enabled: expected true, found false; there is nothing to play"
        raise UsageError(message)
    beside = path.parent / scripts.path
    return beside if beside.is_file() else Path(scripts.path)
