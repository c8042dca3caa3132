"""Files that only the suite ``finance`` has: labels of readers, and its packs."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from turnmark.detectors.finance.sets import finance_detectors
from turnmark.packs import loading
from turnmark.packs.profile import ProfilePack
from turnmark.packs.risk_tags import RiskTags
from turnmark.schemas.labels.finance import read_labels
from turnmark.schemas.problems import Problem
from turnmark.suites.checking import check_dialogues, once, records
from turnmark.suites.protocol import FileKind

_PACKS_BY_FIELD: tuple[tuple[str, type[Any]], ...] = (("families", ProfilePack), ("aliases", RiskTags))


def check_labels(path: Path, problems: list[Problem]) -> int:
    """Count the labels of a file; each id may come once."""
    count = 0
    seen: dict[Any, int] = {}
    for record in records(dict, path, problems):
        label = read_labels(record.value, record.line.file, record.line.number)
        if isinstance(label, Problem):
            problems.append(label)
            continue
        count += 1
        once(problems, record.line, seen, label.id, "$.id")
    return count


def unread_constraint(packs: tuple[Path, ...], constraint: str) -> str | None:
    """What is understood of a constraint that no rule holds replies to; None for one that replies are held to."""
    return finance_detectors(packs=packs).unread(constraint)


def check_pack(path: Path, raw: bytes, keys: set[str]) -> list[Problem] | None:
    """What is wrong with a pack whose fields only this suite has; None for any other."""
    form = next((form for field, form in _PACKS_BY_FIELD if field in keys), None)
    return None if form is None or "detector" in keys else loading.problems(raw, str(path), form)


KINDS = (
    FileKind(
        "labels", (frozenset({"id", "reply"}), frozenset({"id", "target"})), check_labels,
        "labels of readers: compare with them by turnmark agree",
    ),
    FileKind(
        "advice", check=functools.partial(check_dialogues, name="advice"),
        advice="replies beside limits of the user: {verb} them with --suite finance", scored=True,
    ),
)  # fmt: skip
