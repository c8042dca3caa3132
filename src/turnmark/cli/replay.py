"""``turnmark replay``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

import click
import msgspec

from turnmark.cli.columns import columns_option
from turnmark.cli.exit_codes import SOME_FAILED
from turnmark.cli.language import language_option, texts_for
from turnmark.cli.named_values import named_values
from turnmark.cli.output import say, say_json
from turnmark.cli.progress import replay_progress
from turnmark.locale.texts import Texts, filled
from turnmark.pipeline.playing.configured import configured_dataset
from turnmark.pipeline.playing.replay import ReplayResult, replay
from turnmark.pipeline.playing.request import ReplayRequest
from turnmark.runs.folder import PROBLEMS


def _dataset(_context: click.Context, _parameter: click.Parameter, path: Path) -> Path:
    return configured_dataset(path)


_OPTIONS = (
    click.argument("dataset", type=click.Path(path_type=Path), callback=_dataset),
    columns_option,
    click.option(
        "--agent",
        help="demo, demo-plain, trace:PATH, exec:COMMAND, openai:MODEL, http:CONFIG.yaml, langchain:MODULE:NAME, "
        "memory:MODULE:NAME or MODULE:FACTORY.",
    ),
    click.option(
        "--agent-option", "options", multiple=True, metavar="NAME=VALUE", callback=named_values,
        help="A setting of the agent; may come many times.",
    ),
    click.option("--out", type=click.Path(path_type=Path), help="Run folder; runs/RUN_ID when left out."),
    click.option("--run-id", help="Name of the run; made from agent, dataset and settings when left out."),
    click.option("--workers", default=4, show_default=True, type=int, help="Dialogues played at once."),
    click.option(
        "--judge-workers", type=int,
        help="Judge calls at once: of run --judge; those of its configuration, else 1, when left out.",
    ),
    click.option(
        "--timeout", "timeout_sec", default=120.0, show_default=True, type=float, help="Seconds for one reply."
    ),
    click.option(
        "--retries", default=3, show_default=True, type=int, help="Further attempts at a turn that may be tried again."
    ),
    click.option("--requests-per-minute", type=float, help="Calls of the agent a minute, all dialogues together."),
    click.option("--tokens-per-minute", type=float, help="Tokens a minute, for agents that count them."),
    click.option(
        "--heartbeat", "heartbeat_sec", default=20.0, show_default=True, type=float,
        help="Seconds between heartbeats in the progress log.",
    ),
    click.option("--seed", default=0, show_default=True, type=int, help="For the agent and for waits."),
    click.option("--resume", is_flag=True, help="Go on with the run in the folder."),
    click.option("--retry-failed", is_flag=True, help="Play dialogues with failed turns again; implies --resume."),
    click.option("--overwrite", is_flag=True, help="Start anew in a folder that holds a run."),
)  # fmt: skip


def replay_options(command: Callable[..., int]) -> Callable[..., int]:
    """The argument and options of a replay, for every command that begins with one."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command("replay")
@replay_options
@language_option
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def replay_command(language: str | None, form: str, **settings: Any) -> int:
    """Play a dataset with an agent and write what it said, as a trace.

    DATASET holds one JSON object a line: dialogues with ground truth, questions of a RAG set (the answers are filled
    in) or scripts; or it is a YAML file whose multiturn_scripts (enabled, path) names such a file. A run that was
    stopped or killed goes on with --resume. Exits with 3 when turns failed or lines could not be read.
    """
    if settings["judge_workers"] is None:
        settings["judge_workers"] = 1
    if settings["agent"] is None:
        message = "Missing option '--agent'."
        raise click.UsageError(message)
    with resumable(), replay_progress(quiet=not sys.stderr.isatty()) as listener:
        result = replay(ReplayRequest(**settings), listener)
    if form == "json":
        shown = {"folder": str(result.folder), "artifact": str(result.artifact), "counters": result.counters}
        shown["noted"] = msgspec.to_builtins(result.noted)
        say_json(shown)
    else:
        print_result(result, texts_for(language, settings["dataset"]))
    return SOME_FAILED if some_failed(result) else 0


@contextmanager
def resumable() -> Iterator[None]:
    """Says how to go on when interrupted. What agents print meanwhile goes to stderr: stdout is the result's."""
    try:
        with redirect_stdout(sys.stderr):
            yield
    except KeyboardInterrupt:
        say("turnmark: what was played is kept; go on with the same command and --resume", err=True)
        raise


def print_result(result: ReplayResult, texts: Texts) -> None:
    """What came of a replay, for people."""
    count, noted = result.counters, result.noted
    say(
        filled(
            texts, "replay_played", played=count["valid_dialogs"], skipped=count["skipped_dialogs"],
            turns=count["total_turn_pairs"], ok=count["ok_turns"], timeout=count["timeout_turns"],
            error=count["error_turns"],
        )
    )  # fmt: skip
    for reason, times in noted.skipped.items():
        why = texts.get(f"replay_{reason}") or reason
        say("  " + filled(texts, "replay_skipped", count=times, reason=why))
    for cause, times in noted.causes.items():
        say("  " + filled(texts, "replay_turns", count=times, cause=cause))
    if noted.warnings:
        say(filled(texts, "replay_warnings", count=noted.warnings, first=noted.first_warning))
    if result.rejected_lines:
        say(filled(texts, "cli_rejected", count=result.rejected_lines, path=result.folder / PROBLEMS))
    if noted.stopped:
        say(filled(texts, "replay_stopped", why=noted.stopped, count=noted.unplayed, path=result.folder))
    elif count["timeout_turns"] + count["error_turns"]:
        say(filled(texts, "replay_again", path=result.folder))
    say(f"{result.kind}: {result.artifact}")


def some_failed(result: ReplayResult) -> bool:
    """Whether turns failed, lines could not be read, dialogues were left, or nothing was played at all."""
    counts = result.counters
    missing = counts["timeout_turns"] + counts["error_turns"] + result.rejected_lines + result.noted.unplayed
    return bool(missing) or not counts["valid_dialogs"]
