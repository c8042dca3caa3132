"""Files that only the suite ``clinical`` has: events (answers to patients), and scripts of questions to them."""

from __future__ import annotations

from turnmark.suites.clinical.checking import check_events, check_scripts
from turnmark.suites.protocol import FileKind

KINDS = (
    FileKind(
        "events", (frozenset({"patient_id", "question", "mode"}),), check_events,
        "answers to patients: {verb} them with --suite clinical", scored=True,
    ),
    FileKind(
        "scripts", (frozenset({"patient_id", "turns"}),), check_scripts,
        "scripts of questions to patients: play them with turnmark run --suite clinical --agent AGENT",
    ),
)  # fmt: skip
