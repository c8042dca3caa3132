"""Write which classes of finance rules have words in which language into docs/literal-and-contextual.md.

Usage: tools/classes.py [LABELS] [--check]. Of each class (risk tag, forbidden category, element of explanation) the
number of patterns in the shipped packs by language, and its recall as ``tools/classes.tsv`` records it. LABELS is a
folder with ``gold/finance``: recall is measured again on the part of its fresh sets that was fitted (four fifths, by
the digest of the id; ambiguous items left out) and recorded. ``--check`` only compares the page.
"""

from __future__ import annotations

import csv
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from turnmark.detectors.finance.sets import finance_detectors
from turnmark.packs.rule_packs import shipped_packs
from turnmark.report.pages.markdown import table
from turnmark.schemas.labels.finance import FORBIDDEN_CATEGORIES, RISK_TAGS, RUBRIC_ELEMENTS, read_labels
from turnmark.schemas.problems import Problem
from turnmark.suites.finance.cells import reply_cells
from turnmark.suites.labelling.figures import read_all

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/literal-and-contextual.md"
RECORD = ROOT / "tools/classes.tsv"
BEGIN, END = "<!-- classes: written by tools/classes.py -->\n", "<!-- /classes -->\n"
LANGUAGES = ("zh", "ko", "en")
SETS = ("fresh_zh", "fresh_ko_en")
FIELDS = {"risk_disclosed": RISK_TAGS, "forbidden": FORBIDDEN_CATEGORIES, "rubric": RUBRIC_ELEMENTS}
DETECTORS = {"risk_disclosed": "finance.risk", "forbidden": "finance.compliance", "rubric": "finance.rubric"}
FIFTH = 5
Recall = dict[tuple[str, str, str], tuple[int, int]]


def patterns() -> dict[tuple[str, str, str], int]:
    """How many patterns the shipped packs have, by field, class and language."""
    found: dict[tuple[str, str, str], int] = {}
    for field, detector in DETECTORS.items():
        for pack, _ in shipped_packs(detector):
            for rule in pack.rules:
                if rule.polarity == "denied":  # what it finds counts for no class
                    continue
                key = (field, rule.label, pack.language)
                found[key] = found.get(key, 0) + len(rule.any)
    return found


def measured(folder: Path) -> Recall:
    """Units of each class that were found, of those that readers marked, in the fitted part of the fresh sets."""
    found: Recall = {}
    for name in SETS:
        path = folder / "gold/finance" / f"{name}.jsonl"
        rows = {row["id"]: row for row in map(json.loads, path.read_text("utf-8").splitlines())}
        problems: list[Problem] = []
        labels = read_all(path, read_labels, problems, "labels")
        for cell in [cell for label in labels for cell in reply_cells(label, finance_detectors())]:
            row = rows[cell.id]
            held = int(hashlib.sha256(cell.id.encode()).hexdigest(), 16) % FIFTH == 0
            if cell.field not in FIELDS or held or row.get("ambiguous") or cell.gold is not True:
                continue
            key = (cell.field, cell.label, row.get("lang", "zh"))
            hits, total = found.get(key, (0, 0))
            found[key] = (hits + (cell.predicted is True), total + 1)
    return found


def recorded() -> Recall:
    """The recall that was recorded last."""
    with RECORD.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return {(row["field"], row["class"], row["language"]): (int(row["found"]), int(row["marked"])) for row in rows}


def record(recall: Recall) -> None:
    """Write the recall by class and language."""
    lines = ["field\tclass\tlanguage\tfound\tmarked"]
    lines += ["\t".join(map(str, (*key, *counts))) for key, counts in sorted(recall.items())]
    RECORD.write_text("\n".join(lines) + "\n", "utf-8")


def section(recall: Recall) -> str:
    """The table, between its marks."""
    counts = patterns()
    classes = {field: [*names, *_others(field, names, counts)] for field, names in FIELDS.items()}
    rows = [
        [f"`{field}`", name, *(_cell((field, name, language), counts, recall) for language in LANGUAGES)]
        for field, names in classes.items()
        for name in names
    ]
    head = ["label", "class", *LANGUAGES]
    lines = "\n".join(table(head, rows, numbers_from=2))
    return f"{BEGIN}\n{lines}\n\n{END}"


def _others(field: str, names: Sequence[str], counts: dict[tuple[str, str, str], int]) -> list[str]:
    """Classes that rules conclude and labels do not name, in the order of the packs."""
    return list(dict.fromkeys(name for of, name, _ in counts if of == field and name not in names))


def _cell(key: tuple[str, str, str], counts: dict[tuple[str, str, str], int], recall: Recall) -> str:
    found, marked = recall.get(key, (0, 0))
    words = str(counts.get(key) or "none")
    return f"{words} ({found} of {marked})" if marked else words


def main() -> None:
    """Measure where labels are given, write the page or compare it."""
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if arguments:
        record(measured(Path(arguments[0])))
    text = PAGE.read_text("utf-8")
    first, last = text.index(BEGIN), text.index(END) + len(END)
    written = text[:first] + section(recorded()) + text[last:]
    if "--check" in sys.argv and written != text:
        sys.exit(f"{PAGE}: stale; run tools/classes.py")
    PAGE.write_text(written, "utf-8")


if __name__ == "__main__":
    main()
