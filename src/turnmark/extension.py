"""What a suite of your own is made of; it joins by an entry point of the group ``turnmark.suites``.

A suite is a `SuiteDefinition`. Marks: `Suite`, which gathers them in a `MarkedDialog`, or, turn by turn, `TurnSuite`,
of a `Metric` and its outcomes (`Ratio`, `Value`, `NotApplicable`, `Failed`; these two with a plain text why), with
`Evidence`. Files of its own: `FileKind`. Labels: `Labels`, `Cell`, `read_labels`, `by_cells`. Planted errors: `Plants`,
`Perturbation`, `on_reply`, `down`, `up`, `add_sentence`, `CONTROLS`. All names load on first use: a definition needs
none of what marks or labels need.

>>> from turnmark.extension import Measure, Metric
>>> Metric("tone", "TONE", "1.0.0", "mail", "Tone", "turn", "a reply", (Measure("courteous"),), {}).measures[0].high
1.0
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turnmark.metrics.definition import Measure, Metric
    from turnmark.schemas.evidence import Evidence
    from turnmark.schemas.jsonl import Line, Reader, read_lines
    from turnmark.schemas.problems import Problem
    from turnmark.schemas.trace import TRACE_VERSION, DialogTrace, TurnTrace
    from turnmark.stats.tally import Failed, NotApplicable, Ratio, Value
    from turnmark.suites.checking import once, records
    from turnmark.suites.labelling.agreement import Agreement, AgreeRequest, Cell, Labels
    from turnmark.suites.labelling.figures import by_cells
    from turnmark.suites.labelling.figures import read_all as read_labels
    from turnmark.suites.planting.edits import add as add_sentence
    from turnmark.suites.planting.general import CONTROLS
    from turnmark.suites.planting.material import Changed, Material, Perturbation, down, on_reply, up
    from turnmark.suites.protocol import Evaluated, FileKind, Plants, Suite, SuiteDefinition, SuiteSettings
    from turnmark.suites.traces import holds_dialogues
    from turnmark.suites.turns import MarkedDialog, TurnMarks, TurnSuite

__all__ = [
    "CONTROLS", "TRACE_VERSION", "AgreeRequest", "Agreement", "Cell", "Changed", "DialogTrace", "Evaluated", "Evidence",
    "Failed", "FileKind", "Labels", "Line", "MarkedDialog", "Material", "Measure", "Metric", "NotApplicable",
    "Perturbation", "Plants", "Problem", "Ratio", "Reader", "Suite", "SuiteDefinition", "SuiteSettings", "TurnMarks",
    "TurnSuite", "TurnTrace", "Value", "add_sentence", "by_cells", "down", "holds_dialogues", "on_reply", "once",
    "read_labels", "read_lines", "records", "up",
]  # fmt: skip

_HOMES = {
    "metrics.definition": ("Measure", "Metric"),
    "schemas.evidence": ("Evidence",),
    "schemas.jsonl": ("Line", "Reader", "read_lines"),
    "schemas.problems": ("Problem",),
    "schemas.trace": ("TRACE_VERSION", "DialogTrace", "TurnTrace"),
    "stats.tally": ("Failed", "NotApplicable", "Ratio", "Value"),
    "suites.checking": ("once", "records"),
    "suites.labelling.agreement": ("Agreement", "AgreeRequest", "Cell", "Labels"),
    "suites.labelling.figures": ("by_cells", "read_all"),
    "suites.planting.edits": ("add",),
    "suites.planting.general": ("CONTROLS",),
    "suites.planting.material": ("Changed", "Material", "Perturbation", "down", "on_reply", "up"),
    "suites.protocol": ("Evaluated", "FileKind", "Plants", "Suite", "SuiteDefinition", "SuiteSettings"),
    "suites.traces": ("holds_dialogues",),
    "suites.turns": ("MarkedDialog", "TurnMarks", "TurnSuite"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
_INSIDE = {"read_labels": "read_all", "add_sentence": "add"}
"""Names that say more outside than at home."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        message = f"module 'turnmark.extension' has no attribute {name!r}"
        raise AttributeError(message)
    own = _INSIDE.get(name, name)
    return getattr(import_module(f"turnmark.{_HOME[own]}"), own)


def __dir__() -> list[str]:
    return list(__all__)
