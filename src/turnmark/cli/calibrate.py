"""``turnmark calibrate``."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from turnmark.cli.language import language_option, say_problems, texts_for
from turnmark.cli.output import say, say_json
from turnmark.errors import UsageError
from turnmark.locale.texts import Texts, filled, named
from turnmark.pipeline.labelling.calibrate import SUITE as JUDGED
from turnmark.pipeline.labelling.calibrate import Calibration, calibrate, encoded
from turnmark.pipeline.labelling.calibrate_possible import SUITE as SHOWN
from turnmark.pipeline.labelling.calibrate_possible import calibrate_possible
from turnmark.report.view.names import worded_name
from turnmark.report.view.number_format import number
from turnmark.schemas.labels.rag import RELATIONS

NO_HELP = 1
_MOST_SHOWN = 20


@click.command("calibrate")
@click.argument("labels", type=click.Path(path_type=Path))
@click.option(
    "--suite", default=JUDGED, show_default=True, type=click.Choice([JUDGED, SHOWN]), help="What the labels are of."
)
@click.option("--metric", type=click.Choice(list(RELATIONS)), help=f"{JUDGED}: what the labels are about.")
@click.option("--judge", help=f"{JUDGED}: rules, embedding, embedding:FOLDER or nli:FOLDER.  [default: rules]")
@click.option("--weights", type=click.Path(path_type=Path), help="Weights to start from; the shipped ones if left out.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Where the weights are written.")
@language_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def calibrate_command(  # noqa: PLR0913, PLR0917 - one parameter an option
    labels: Path,
    suite: str,
    metric: str | None,
    judge: str | None,
    weights: Path | None,
    out: Path,
    language: str | None,
    form: str,
) -> int:
    """Refit the judge's weights on your own labels (a few hundred rows, as for `turnmark agree --suite rag`).

    Nested cross-validation by document tells whether own weights would decide better on rows they have not seen. If
    so they are written to --out, for `--weights`; if not, nothing is written and the exit code is 1. Of an inference
    model of yours (nli:FOLDER) it chooses from which probabilities on it decides and where it leaves a claim open, for
    `turnmark judge --limits`.

    With --suite finance LABELS is a file as for `turnmark agree`, or a run folder with what reviewers wrote in the
    viewer (overrides.jsonl). Chosen is from which score on a class is shown as possible, for `turnmark score
    --possible`; how right that is on dialogues that did not choose is printed.
    """
    if out.is_dir():
        message = f"--out: expected a file, found the folder {out}"
        raise UsageError(message)
    if suite == SHOWN:
        if metric is not None or judge is not None:
            message = f"--metric, --judge: say nothing about suite {suite}; leave them out"
            raise UsageError(message)
        return _calibrate_possible(labels, weights, out, language, form)
    if metric is None:
        message = f"--metric: expected one of {', '.join(RELATIONS)}, found none"
        raise UsageError(message)
    judge = judge or "rules"
    if judge.startswith("nli:"):
        folder = Path(judge.removeprefix("nli:"))
        return _calibrate_inference(labels, metric, folder, weights, out, language, form)
    result = calibrate(labels, metric, weights, judge)
    if result.weights is not None:
        out.write_bytes(encoded(result.weights))
    if form == "json":
        say_json({**result.figures, "problems": result.problems})
    else:
        _print(result, out, texts_for(language, labels))
    return 0 if result.weights is not None else NO_HELP


def _calibrate_possible(labels: Path, weights: Path | None, out: Path, language: str | None, form: str) -> int:
    result = calibrate_possible(labels, weights)
    out.write_bytes(result.model)
    if form == "json":
        say_json({**result.figures, "problems": result.problems})
        return 0
    texts = texts_for(language, labels, SHOWN)
    say_problems(result.problems, texts, _MOST_SHOWN, err=True)
    figures = result.figures
    say(filled(texts, "calibrate_possible_labels", count=figures["labels"], dialogues=figures["dialogues"]))
    for item in result.classes:
        if item.shown is not None:
            came = texts["calibrate_possible_offered" if item.offered else "calibrate_possible_left"]
            say(
                filled(
                    texts, "calibrate_possible_class", label=worded_name(item.label, texts), language=item.language,
                    count=item.labels, there=item.there, shown=item.shown, right=item.right, came=came,
                )
            )  # fmt: skip
    few = sum(item.shown is None for item in result.classes)
    if few:
        say(filled(texts, "calibrate_possible_few", count=few))
    say(filled(texts, "calibrate_possible_written", path=out))
    return 0


def _calibrate_inference(
    labels: Path, metric: str, folder: Path, weights: Path | None, out: Path, language: str | None, form: str
) -> int:
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
    texts = texts_for(language, labels)
    say_problems(result.problems, texts, _MOST_SHOWN, err=True)
    say(filled(texts, "calibrate_rows", metric=metric, count=figures["n"], documents=figures["documents"]))
    if figures["right"] is not None:
        bounds = figures["right_interval"]
        span = f" ({texts['interval']} {bounds[0]:.2f} – {bounds[1]:.2f})" if bounds else ""
        share, right = f"{figures['decided_share']:.0%}", f"{figures['right']:.2f}"
        say(filled(texts, "calibrate_decide", share=share, right=right, span=span))
    limits = [f"{name} {texts['calibrate_never'] if value is None else value}"
              for name, value in figures["limits"].items()]  # fmt: skip
    say(filled(texts, "calibrate_limits", limits=", ".join(limits)))
    if result.limits is None:
        say(filled(texts, "calibrate_no_limits", share=f"{RIGHT:.0%}"))
    else:
        say(filled(texts, "calibrate_limits_written", path=out))
    return 0 if result.limits is not None else NO_HELP


def _print(found: Calibration, out: Path, texts: Texts) -> None:
    say_problems(found.problems, texts, _MOST_SHOWN, err=True)
    figures = found.figures
    say(filled(texts, "calibrate_rows", metric=found.metric, count=figures["n"], documents=figures["documents"]))
    for name in ("shipped", "own"):
        values = [f"{key} {number(value, na=texts['na'])}" for key, value in figures[name].items()]
        say("  ".join([f"{named(texts, 'calibrate', name):<8}", *values]))
    if found.weights is None:
        say(texts["calibrate_nothing"])
    else:
        say(filled(texts, "calibrate_written", path=out))
