"""Agreement with readers: what a suite says of labelled answers, beside what they said."""

from __future__ import annotations

from pathlib import Path

from turnmark.errors import UsageError
from turnmark.suites.labelling.agreement import Agreement, AgreeRequest
from turnmark.suites.registry import suite_definition

OPTIONS = {
    "detect": "--detect", "packs": "--pack", "config": "--config", "metric": "--metric", "judge": "--judge",
    "weights": "--weights",
}  # fmt: skip
"""What is asked beside labels and suite, and the option that asks it."""


def agree(path: Path, suite: str, request: AgreeRequest) -> Agreement:
    """Compare a suite with a file of labels.

    Raises: UsageError for a suite that there is not or that reads no labels, and for a request that says nothing about
    it; DataError when the file holds no label.
    """
    labels = suite_definition(suite).labelled()
    foreign = [option for name, option in OPTIONS.items() if getattr(request, name) and name not in labels.options]
    if foreign:
        message = f"{', '.join(foreign)}: says nothing about suite {suite}; leave it out, or choose another --suite"
        raise UsageError(message)
    return labels.agree(path, request)
