"""A run as trackers of experiments have it: figures by name and what shaped them.

MLflow and Weights & Biases show numbers with the same beginning before a ``/`` together: figures stand under their metric,
the ends of their intervals and what they count apart from them, so that a table of two runs begins with the figures.
"""

from __future__ import annotations

from collections.abc import Iterator

from turnmark.pipeline.publishing.writers.protocol import Run
from turnmark.schemas.results.summary import EvalSummary


def figures(run: Run) -> Iterator[tuple[str, float]]:
    """Figures as ``METRIC/MEASURE``, then the ends of their intervals, their denominators and counts.

    Those that nothing counted for are left out: trackers have no "n/a", and 0 would be one.
    """
    known = [(figure, f"{figure.metric}.{figure.measure}") for figure in run.figures() if figure.value is not None]
    for figure, _ in known:
        yield f"{figure.metric}/{figure.measure}", figure.value or 0.0
    for figure, name in known:
        ends = {f"intervals/{name}.low": figure.low, f"intervals/{name}.high": figure.high}
        yield from ((end, number) for end, number in ends.items() if number is not None)
    yield from ((f"totals/{name}", figure.total) for figure, name in known if figure.total is not None)
    for metric, result in run.summary.metrics.items():
        yield from ((f"counts/{metric}.{name}", count) for name, count in result.counts.items())
    yield from ((f"counters/{name}", count) for name, count in run.summary.counters.items())
    yield from ((f"replies/{state}", count) for state, count in run.summary.reply_states.items())


def parameters(summary: EvalSummary) -> Iterator[tuple[str, str]]:
    """Everything that shaped the figures, by name; the same name in every run, versions are values."""
    yield "model_name", summary.model_name or "unknown"
    yield "dataset_path", summary.dataset_path
    signature = summary.signature
    if signature is None:
        return
    for name in ("suite", "detect", "seed", "data_sha256"):
        yield name, str(getattr(signature, name))
    for kind in ("metrics", "detectors", "language_tools", "settings"):
        for name, value in getattr(signature, kind).items():
            yield f"{kind}.{_named(name)}", value
    for name, digest in signature.packs.items():
        pack, _, version = name.partition("@")
        yield f"packs.{_named(pack)}", f"{version} {digest}".strip()


def _named(name: str) -> str:
    """A name as trackers take it: letters, digits and ``_ - . : /`` and spaces."""
    return "".join(each if each.isalnum() or each in "_-. :/" else "_" for each in name)
