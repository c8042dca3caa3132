"""The command line: one file a verb, only glue."""

from __future__ import annotations

import os

# Resampling multiplies small matrices; more than one thread of the linear algebra library only burns processor time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main() -> None:
    """Run a command. Exit codes: 0 fine, 1 findings, 2 misuse, 3 finished but something failed, 130 interrupted."""
    from turnmark.cli.root import run  # noqa: PLC0415 - after the environment is set

    run()
