"""Progress on stderr; quiet when nobody looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.progress import Progress


@contextmanager
def line_progress(title: str, *, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Shows dialogues and turns done so far; yields the function to tell, or None when quiet."""
    if quiet:
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - nothing is drawn when nobody looks
    from rich.progress import (  # noqa: PLC0415
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (SpinnerColumn(), TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(title, total=None)

    def tell(lines: int, turns: int) -> None:
        bar.start()  # not before: the bar has a thread, and workers are forked while there is none
        bar.update(task, completed=lines, description=f"{title}: {turns} turns, dialogues")

    try:
        yield tell
    finally:
        bar.stop()


@contextmanager
def replay_progress(*, quiet: bool) -> Iterator[Callable[[str, dict[str, Any]], None] | None]:
    """Shows dialogues done, turns a second, failures, cost and time left; yields what to tell events, or None."""
    if quiet:
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - nothing is drawn when nobody looks
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        SpinnerColumn(), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeElapsedColumn(),
        TextColumn("left"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield _ReplayBar(bar)


class _ReplayBar:
    """Counts events of a replay into a progress bar."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task = bar.add_task("dialogues", total=None)
        self._turns = self._failed = self._retried = 0
        self._cost = 0.0

    def __call__(self, event: str, fields: dict[str, Any]) -> None:
        if event == "run_started":
            done = fields["dialogs"] - fields["pending"]
            self._bar.update(self._task, total=fields["dialogs"], completed=done)
        elif event == "dialog_done":
            self._bar.advance(self._task)
        elif event == "turn_retried":
            self._retried += 1
        elif event == "turn_done":
            self._turns += 1
            self._failed += fields["turn_status"] != "ok"
            self._cost += fields.get("cost") or 0.0
            self._bar.update(self._task, description=self._described())

    def _described(self) -> str:
        seconds = self._bar.tasks[self._task].elapsed or 0.0
        rate = f", {self._turns / seconds:.1f}/s" if seconds else ""
        cost = f", cost {self._cost:.4f}" if self._cost else ""
        return f"dialogues: {self._turns} turns{rate}, {self._failed} failed, {self._retried} retried{cost}"
