"""Finding a metric by name: those that ship (`METRICS` of each package here), and those of suites that joined.

Which metrics a suite reports is said by its registration alone (`turnmark.suites.protocol.SuiteDefinition`).
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Iterable, Mapping

from turnmark import metrics
from turnmark.errors import UsageError
from turnmark.metrics.definition import Metric

_joined: list[Metric] = []


def join(of_package: Iterable[Metric]) -> None:
    """Let the metrics of another package's suite be found. One that is known already stays as it is."""
    _joined.extend(of_package)
    _by_name.cache_clear()


def known(name: str) -> Metric | None:
    """A metric by name, code or former name (``m3_risk_coverage``, ``M3``, ``risk_coverage``); None for others."""
    return _by_name().get(name)


def metric(name: str) -> Metric:
    """As `known`. Raises: UsageError when there is none."""
    result = known(name)
    if result is None:
        message = f"expected a metric's name or code, found {name!r}"
        raise UsageError(message)
    return result


def current_name(name: str) -> str:
    """The name of a metric in files of today; that of anything else (``reply_state``) is its own."""
    result = known(name)
    return name if result is None else result.name


@functools.cache
def _by_name() -> Mapping[str, Metric]:
    """Every metric under each of its names."""
    folders = (folder for folder in pkgutil.iter_modules(metrics.__path__, "turnmark.metrics.") if folder.ispkg)
    shipped = [each for folder in folders for each in importlib.import_module(folder.name).METRICS]
    results: dict[str, Metric] = {}
    for each in (*shipped, *_joined):
        for name in (each.name, each.code, *each.formerly):
            results.setdefault(name, each)
    return results
