"""Perturbations of recorded turns by suite: planted errors that a measure must notice, and controls that it must not.

A perturbation changes a dialogue that ends with the turn under test, by rules, and says which measures of that turn
must move which way. A suite that comes later gets its self-test by one more entry in `PERTURBATIONS`; what it does not
test is in `UNTESTED`, with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping

from turnmark.pipeline.selftest.changes_clinical import CLINICAL, CLINICAL_CONTROLS
from turnmark.pipeline.selftest.changes_finance import FINANCE, FINANCE_CONTROLS, FINANCE_UNTESTED
from turnmark.pipeline.selftest.changes_general import CONTROLS
from turnmark.pipeline.selftest.changes_rag import RAG, RAG_CONTROLS
from turnmark.pipeline.selftest.material import Perturbation

PERTURBATIONS: Mapping[str, tuple[Perturbation, ...]] = {
    "finance": (*FINANCE, *FINANCE_CONTROLS, *CONTROLS),
    "clinical": (*CLINICAL, *CLINICAL_CONTROLS, *CONTROLS),
    "rag": (*RAG, *RAG_CONTROLS, *CONTROLS),
}
"""The perturbations of each suite, in the order of reports."""

_AT_HOME_IN_RAG = "its errors are planted where it is at home: the self-test of suite rag"

UNTESTED: Mapping[str, Mapping[str, str]] = {
    "finance": FINANCE_UNTESTED,
    "clinical": {
        expected.measure: _AT_HOME_IN_RAG
        for one in RAG
        for expected in one.expects
        if not expected.measure.startswith(("RTV.", "ABS."))
    },
    "rag": {},
}
"""Of each suite the measures for which no error is planted, and why."""
