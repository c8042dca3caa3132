"""``turnmark calibrate``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from turnmark.cli.output import say, say_json
from turnmark.errors import UsageError
from turnmark.pipeline.labelling.calibrate import Calibration, calibrate, encoded
from turnmark.schemas.labels.rag import RELATIONS

NO_HELP = 1


@click.command("calibrate")
@click.argument("labels", type=click.Path(path_type=Path))
@click.option("--metric", required=True, type=click.Choice(list(RELATIONS)), help="What the labels are about.")
@click.option("--judge", default="rules", show_default=True, help="rules, embedding or embedding:FOLDER.")
@click.option("--weights", type=click.Path(path_type=Path), help="Weights to start from; the shipped ones if left out.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Where the weights are written.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def calibrate_command(labels: Path, metric: str, judge: str, weights: Path | None, out: Path, form: str) -> int:
    """Refit the judge's weights on your own labels (a few hundred rows, as for `turnmark agree --suite rag`).

    Nested cross-validation by document tells whether own weights would decide better on rows they have not seen. If
    so they are written to --out, for `--weights`; if not, nothing is written and the exit code is 1.
    """
    if out.is_dir():
        message = f"--out: expected a file, found the folder {out}"
        raise UsageError(message)
    result = calibrate(labels, metric, weights, judge)
    if result.weights is not None:
        out.write_bytes(encoded(result.weights))
    if form == "json":
        say_json({**result.figures, "problems": result.problems})
    else:
        _print(result, out)
    return 0 if result.weights is not None else NO_HELP


def _print(found: Calibration, out: Path) -> None:
    for problem in found.problems[:20]:
        say(str(problem), err=True)
    figures = found.figures
    say(f"{found.metric}: {figures['n']} labelled rows from {figures['documents']} documents")
    for name in ("shipped", "own"):
        say(f"{name:<8} {_line(figures[name])}")
    if found.weights is None:
        say("Own weights do not decide better on rows they have not seen: nothing was written.")
    else:
        say(f"Own weights decide better on rows they have not seen: written to {out}")


def _line(figures: dict[str, Any]) -> str:
    return "  ".join(f"{name} {'n/a' if value is None else format(value, '.3f')}" for name, value in figures.items())
