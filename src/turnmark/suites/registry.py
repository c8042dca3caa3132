"""Which suites there are: those shipped, and those of other packages (entry points of the group ``turnmark.suites``).

An entry point names a `SuiteDefinition` under the suite's name. Definitions load one by one, when they are asked for.
"""

from __future__ import annotations

import functools
import importlib
import threading
from collections.abc import Mapping
from importlib.metadata import EntryPoint

from turnmark.errors import UsageError
from turnmark.locale.texts import add_catalogues
from turnmark.metrics import catalog
from turnmark.plugins import points_of
from turnmark.schemas.results.summary import DEFAULT_SUITE
from turnmark.suites.protocol import Suite, SuiteDefinition, SuiteSettings

GROUP = "turnmark.suites"
SHIPPED = ("finance", "clinical", "rag")
"""Each is a folder here that holds ``definition.py``."""
_LOADING = threading.RLock()
"""Rules are decoded into types that are made at their first use, which two threads at once may not do."""


@functools.cache
def _of_packages() -> Mapping[str, EntryPoint]:
    """Suites of other packages by name. No name of a shipped suite is taken by another."""
    return points_of(GROUP, SHIPPED)


def suite_names() -> tuple[str, ...]:
    """The suites that can be named, those shipped first."""
    return (*SHIPPED, *_of_packages())


def suite_definition(name: str | None) -> SuiteDefinition:
    """A suite by name; None is the default.

    Raises: UsageError naming the suites that exist, or saying why one of another package cannot be loaded.
    """
    name = name or DEFAULT_SUITE
    if name not in suite_names():
        message = f"--suite: expected one of {sorted(suite_names())}, found {name!r}"
        raise UsageError(message)
    return _loaded(name)


def suite_definitions() -> tuple[SuiteDefinition, ...]:
    """Every suite that can be loaded; one that cannot is named when it is asked for by name, see `broken_suites`."""
    results = []
    for name in suite_names():
        try:
            results.append(_loaded(name))
        except UsageError:
            continue
    return tuple(results)


def broken_suites() -> tuple[str, ...]:
    """Of each suite that cannot be loaded a line that says why."""
    lines = []
    for name in _of_packages():
        try:
            _loaded(name)
        except UsageError as error:
            lines.append(str(error))
    return tuple(lines)


def make_suite(name: str, settings: SuiteSettings) -> Suite:
    """A suite with its detectors and the user's packs.

    Raises: UsageError for a suite or a detector set that there is not; PackError when a pack is wrong.
    """
    definition = suite_definition(name)
    if settings.earlier_turns and not definition.earlier_turns:
        able = ", ".join(sorted(other.name for other in suite_definitions() if other.earlier_turns))
        message = f"--earlier-turns: says nothing about suite {name}, only about {able}; leave it out"
        raise UsageError(message)
    with _LOADING:
        return definition.make(settings)


@functools.cache
def _loaded(name: str) -> SuiteDefinition:
    if name in SHIPPED:
        definition: SuiteDefinition = importlib.import_module(f"turnmark.suites.{name}.definition").SUITE
        return definition
    definition = _of_package(name, _of_packages()[name])
    # The floors below know no suite: what they show of this one is told them here.
    catalog.join(definition.metrics)
    if definition.locale is not None:
        add_catalogues(name, definition.locale)
    return definition


def _of_package(name: str, point: EntryPoint) -> SuiteDefinition:
    package = point.dist.name if point.dist is not None else "an unknown package"
    where = f"--suite {name}: {point.value!r} of package {package}"
    try:
        result = point.load()
    except Exception as error:
        message = f"{where} cannot be loaded: {type(error).__name__}: {error}; repair or uninstall the package"
        raise UsageError(message) from error
    if not isinstance(result, SuiteDefinition) or result.name != name:
        named = f"one of name {result.name!r}" if isinstance(result, SuiteDefinition) else type(result).__name__
        message = f"{where}: expected a SuiteDefinition of name {name!r}, found {named}"
        raise UsageError(message)
    return result
