"""``turnmark calibrate``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from turnmark.cli.output import say, say_json
from turnmark.errors import UsageError
from turnmark.pipeline.labelling.calibrate import Calibration, calibrate, encoded
from turnmark.schemas.labels.rag import RELATIONS

NO_HELP = 1


@click.command("calibrate")
@click.argument("labels", type=click.Path(path_type=Path))
@click.option("--metric", required=True, type=click.Choice(list(RELATIONS)), help="What the labels are about.")
@click.option("--judge", default="rules", show_default=True, help="rules, embedding, embedding:FOLDER or nli:FOLDER.")
@click.option("--weights", type=click.Path(path_type=Path), help="Weights to start from; the shipped ones if left out.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Where the weights are written.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def calibrate_command(labels: Path, metric: str, judge: str, weights: Path | None, out: Path, form: str) -> int:
    """Refit the judge's weights on your own labels (a few hundred rows, as for `turnmark agree --suite rag`).

    Nested cross-validation by document tells whether own weights would decide better on rows they have not seen. If
    so they are written to --out, for `--weights`; if not, nothing is written and the exit code is 1. Of an inference
    model of yours (nli:FOLDER) it chooses from which probabilities on it decides and where it leaves a claim open, for
    `turnmark judge --limits`.
    """
    if out.is_dir():
        message = f"--out: expected a file, found the folder {out}"
        raise UsageError(message)
    if judge.startswith("nli:"):
        return _calibrate_inference(labels, metric, Path(judge.removeprefix("nli:")), weights, out, form)
    result = calibrate(labels, metric, weights, judge)
    if result.weights is not None:
        out.write_bytes(encoded(result.weights))
    if form == "json":
        say_json({**result.figures, "problems": result.problems})
    else:
        _print(result, out)
    return 0 if result.weights is not None else NO_HELP


def _calibrate_inference(labels: Path, metric: str, folder: Path, weights: Path | None, out: Path, form: str) -> int:
    from turnmark.pipeline.labelling.calibrate_inference import RIGHT, calibrate_inference  # noqa: PLC0415 - an extra

    if weights is not None:
        message = f"--weights: expected none for {folder}, since its model decides; found {weights}"
        raise UsageError(message)
    result = calibrate_inference(labels, metric, folder, out if out.is_file() else None)
    if result.limits is not None:
        out.write_bytes(msgspec.json.format(msgspec.json.encode(result.limits), indent=1) + b"\n")
    figures = result.figures
    if form == "json":
        say_json({**figures, "problems": result.problems})
        return 0 if result.limits is not None else NO_HELP
    for problem in result.problems[:20]:
        say(str(problem), err=True)
    say(f"{metric}: {figures['n']} labelled rows from {figures['documents']} documents")
    if figures["right"] is not None:
        bounds = figures["right_interval"]
        span = f" (95 % interval {bounds[0]:.2f} to {bounds[1]:.2f})" if bounds else ""
        say(
            f"on documents that they were not chosen on, limits decide {figures['decided_share']:.0%} of the rows, "
            f"{figures['right']:.2f} of these right{span}"
        )
    limits = ", ".join(f"{name} {'never' if value is None else value}" for name, value in figures["limits"].items())
    say(f"limits: {limits}")
    if result.limits is None:
        say(f"No limits would be right in about {RIGHT:.0%} of what they decide: nothing was written.")
    else:
        say(f"written to {out}, for turnmark judge --limits")
    return 0 if result.limits is not None else NO_HELP


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
