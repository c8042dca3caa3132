"""Options of the commands that ask a language model, and the configuration that they make."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from turnmark.cli.named_values import named_values
from turnmark.errors import UsageError

if TYPE_CHECKING:
    from turnmark.judges.llm.config import JudgeConfig
    from turnmark.pipeline.scoring.judge_first import JudgeFirst


def _bare_folder(_context: click.Context, _parameter: click.Parameter, folder: Path | None) -> Path | None:
    """The folder of a model, also where it is called ``nli:FOLDER`` as elsewhere."""
    return None if folder is None else Path(str(folder).removeprefix("nli:"))


_OPTIONS = (
    click.option("--model", help="Name of the model; here or in --config."),
    click.option("--base-url", help="What stands before /chat/completions; OPENAI_BASE_URL when left out."),
    click.option("--concurrency", type=int, help="Calls at once; 16 when left out."),
    click.option("--cache", help="File for answers; OUT.cache when left out."),
    click.option("--max-calls", type=int, help="Hard limit for calls."),
    click.option("--max-tokens", "max_tokens_total", type=int, help="Hard limit for tokens, in and out."),
    click.option("--max-cost", type=float, help="Hard limit for money; needs prices."),
)


_CASCADE = (
    click.option(
        "--only-undecided", is_flag=True,
        help="Ask the model just what the suite's own rules leave undecided, several cases in one request.",
    ),
    click.option(
        "--audit", type=float, default=0.0, metavar="SHARE",
        help="With --only-undecided: ask the model about this share of the decided verdicts too, and report where it "
        "contradicts.",
    ),
    click.option(
        "--entailment", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER", callback=_bare_folder,
        help="With --only-undecided: an inference model of yours (ONNX), asked between rules and model.",
    ),
    click.option(
        "--limits", type=click.Path(path_type=Path),
        help="What turnmark calibrate --judge nli:FOLDER wrote for the model of --entailment.",
    ),
    click.option(
        "--weights", type=click.Path(path_type=Path),
        help="With --only-undecided: weights of the rules that turnmark calibrate wrote.",
    ),
)  # fmt: skip


def cascade_options(command: Callable[..., int]) -> Callable[..., int]:
    """Adds the options of judging in turn to a command."""
    for option in reversed(_CASCADE):
        command = option(command)
    return command


_FIRST = (
    click.option(
        "--judge", metavar="FILE|nli:FOLDER",
        help="Ask a model first and count what it says: its YAML configuration, as for turnmark judge --config; with "
        "--only-undecided also an inference model of yours.",
    ),
    click.option(
        "--judge-option", "judge_settings", multiple=True, metavar="NAME=VALUE", callback=named_values,
        help="A setting of the model over its configuration (model=NAME, base_url=URL); may come many times.",
    ),
)  # fmt: skip
_CASCADE_FIELDS = ("only_undecided", "audit", "entailment", "limits", "weights")


def judge_first_options(command: Callable[..., int]) -> Callable[..., int]:
    """Adds the options of judging within another command; `judge_first` makes of them what is asked."""
    for option in reversed(_FIRST):
        command = option(cascade_options(command) if option is _FIRST[-1] else command)
    return command


def judge_first(settings: dict[str, Any]) -> JudgeFirst | None:
    """Takes the options of `judge_first_options` out of the settings; None where no judge is asked.

    Raises: UsageError.
    """
    judge, given = settings.pop("judge"), settings.pop("judge_settings")
    in_turn = {name: settings.pop(name) for name in _CASCADE_FIELDS}
    if judge is not None and judge.startswith("nli:"):
        if in_turn["entailment"] is not None:
            message = f"--judge {judge}: expected no --entailment beside it, found {in_turn['entailment']}"
            raise UsageError(message)
        in_turn["entailment"], judge = Path(judge.removeprefix("nli:")), None
    elif judge is None and not given and not any(in_turn.values()):
        return None
    from turnmark.pipeline.scoring.judge_first import JudgeFirst  # noqa: PLC0415 - only where a model is asked

    path = None if judge is None else Path(judge)
    return JudgeFirst(endpoint_config(path, given, "--judge-option"), None, **in_turn)


def endpoint_options(command: Callable[..., int]) -> Callable[..., int]:
    """Adds the options of an endpoint and its limits to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def endpoint_config(path: Path | None, given: dict[str, Any], option: str) -> JudgeConfig:
    """The configuration of a file with what was given on the command line; ``option`` is named in messages.

    Raises: UsageError.
    """
    from turnmark.judges.llm.config import JudgeConfig  # noqa: PLC0415 - only where a model is asked
    from turnmark.packs.loading import parse  # noqa: PLC0415 - as above

    settings: dict[str, Any] = {}
    if path is not None:
        try:
            raw = path.read_bytes()
        except OSError as error:
            message = f"{path}: cannot be read: {error.strerror or error}"
            raise UsageError(message) from error
        settings = msgspec.to_builtins(parse(raw, str(path), JudgeConfig))
    unknown = sorted(set(given) - set(JudgeConfig.__struct_fields__))
    if unknown:
        message = f"{option}: unknown settings {', '.join(unknown)}; expected some of "
        raise UsageError(message + ", ".join(sorted(JudgeConfig.__struct_fields__)))
    try:
        return msgspec.convert({**settings, **given}, JudgeConfig)
    except msgspec.ValidationError as error:
        message = f"the configuration of the model is wrong: {error}"
        raise UsageError(message) from error
