"""A run of Weights & Biases as it is kept offline: nothing is sent; ``wandb sync FOLDER/offline-run-…`` does that later."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from turnmark.errors import MissingExtraError
from turnmark.pipeline.publishing.tracking import figures, parameters
from turnmark.pipeline.publishing.writers.protocol import Run
from turnmark.runs.folder import SUMMARY, artifact_of

PROJECT = "turnmark"
_ID_LENGTH = 16


class _Wandb:
    version = "offline run of wandb 0.31"

    def write(self, run: Run, folder: Path) -> None:
        """``offline-run-…``: figures as one step, what shaped them as config. Its id follows from the figures.

        Logs of wandb, which tell of the machine, are not kept. Raises: MissingExtraError without wandb.
        """
        wandb = _library()
        digest = artifact_of(run.folder / SUMMARY).sha256
        with tempfile.TemporaryDirectory() as working:
            started = wandb.init(
                project=PROJECT, name=run.summary.run_id, id=digest[:_ID_LENGTH], dir=working, reinit="create_new",
                config=dict(parameters(run.summary)), settings=_settings(wandb),
            )  # fmt: skip
            try:
                started.log(dict(figures(run)))
            finally:
                started.finish()
            for made in Path(working).glob("wandb/offline-run-*"):
                target = folder / made.name
                target.mkdir()
                shutil.move(made / "files", target / "files")
                for record in made.glob("*.wandb"):
                    shutil.move(record, target / record.name)


def _settings(wandb: Any) -> Any:
    """Offline, and nothing of the machine, the code or the packages beside it."""
    return wandb.Settings(
        mode="offline", console="off", silent=True, disable_git=True, disable_code=True, x_disable_meta=True,
        x_disable_stats=True, x_disable_machine_info=True, x_save_requirements=False, host="-",
    )  # fmt: skip


def _library() -> Any:
    os.environ.setdefault("WANDB_ERROR_REPORTING", "false")  # nothing is sent that nobody asked for
    try:
        import wandb  # noqa: PLC0415 - an extra
    except ImportError as error:
        message = "export --to wandb needs Weights & Biases: pip install 'turnmark[wandb]'"
        raise MissingExtraError(message) from error
    return wandb


WANDB = _Wandb()
