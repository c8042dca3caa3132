"""What to play, with whom and how, and whether that makes sense."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from turnmark.errors import UsageError
from turnmark.replay.protocol import AgentSource


class ReplayRequest(NamedTuple):
    """What to play, with whom, where to write it, and how. Times are seconds.

    ``agent`` is what ``--agent`` takes, or a source of agents. ``out`` None: ``runs/RUN_ID``. ``run_id`` None: made
    from the agent, the dataset and all settings that shape replies. ``listeners``: see
    `turnmark.replay.run.scheduler.Scheduler`. ``system`` is the name under which the agent stands in what is written,
    where several are compared. ``columns`` are fields with what a table of questions calls them.
    """

    dataset: Path
    agent: str | AgentSource
    out: Path | None = None
    options: Mapping[str, Any] = {}
    run_id: str | None = None
    workers: int = 4
    judge_workers: int = 1
    timeout_sec: float = 120.0
    retries: int = 3
    heartbeat_sec: float = 20.0
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    seed: int = 0
    resume: bool = False
    retry_failed: bool = False
    overwrite: bool = False
    listeners: Any = None
    system: str | None = None
    columns: Sequence[tuple[str, str]] = ()


def check_request(request: ReplayRequest) -> None:
    """Whether it can be played as it is. Raises: UsageError with everything that is wrong."""
    wrong = []
    if not request.dataset.is_file():
        wrong.append(f"{request.dataset}: expected a dataset file, found none")
    counts = {"workers": 1, "judge-workers": 1, "retries": 0, "seed": 0}
    given = {name: getattr(request, name.replace("-", "_")) for name in counts}
    wrong += [
        f"--{name}: expected {least} or more, found {given[name]}"
        for name, least in counts.items()
        if given[name] < least
    ]
    amounts = {
        "timeout": request.timeout_sec,
        "heartbeat": request.heartbeat_sec,
        "requests-per-minute": request.requests_per_minute,
        "tokens-per-minute": request.tokens_per_minute,
    }
    wrong += [
        f"--{name}: expected a number above 0, found {value:g}"
        for name, value in amounts.items()
        if value is not None and not value > 0
    ]
    if request.overwrite and (request.resume or request.retry_failed):
        wrong.append("--overwrite: expected without --resume and --retry-failed, since it starts anew")
    if request.run_id is not None and not _is_name(request.run_id):
        wrong.append(f"--run-id: expected a name that a file can have, found {request.run_id!r}")
    if wrong:
        raise UsageError("\n".join(wrong))


def _is_name(name: str) -> bool:
    return bool(name.strip(". ")) and name.isprintable() and not set(name) & set("/\\:")
