"""What help pages say of suites: asked of the registry, so that a suite of another package stands there too."""

from __future__ import annotations

from collections.abc import Callable

from turnmark.suites.protocol import SuiteDefinition
from turnmark.suites.registry import suite_definitions


def of_suites(about: str) -> str:
    """What each suite says of a verb, or of one of its options (``score --pack``): "finance: …; rag: …"."""
    said = {suite.name: suite.help[about] for suite in suite_definitions() if about in suite.help}
    return "; ".join(f"{name}: {text}" for name, text in said.items())


def suites_with(has: Callable[[SuiteDefinition], object]) -> str:
    """The names of the suites that have something."""
    return ", ".join(suite.name for suite in suite_definitions() if has(suite))


EARLIER_TURNS = suites_with(lambda suite: suite.earlier_turns)
"""The suites whose answers earlier turns may support."""

DETECTORS = "; ".join(f"{suite.name}: {', '.join(suite.detect)}" for suite in suite_definitions())
"""The detector sets of every suite."""
