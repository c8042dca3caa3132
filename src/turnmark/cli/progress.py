"""Progress on stderr; quiet when nobody looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn


@contextmanager
def line_progress(title: str, *, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Shows dialogues and turns done so far; yields the function to tell, or None when quiet."""
    if quiet:
        yield None
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)

        def tell(lines: int, turns: int) -> None:
            bar.update(task, completed=lines, description=f"{title}: {turns} turns, dialogues")

        yield tell
