"""Reads the labelled answers in ``data`` and scores detectors against labels, the way the clinical agreement does.

A line of ``facts_ko.tsv`` is an id, a record of ``records.json``, a question and an answer. Facts are marked in the
answer as ``{words}m+!``: the letter is the type (medication, condition, lab, vital, demographic), ``+`` or ``-`` says
whether it is claimed of the patient, ``!`` that the record denies it. A backslash and n stand for a line break.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parent / "data"
TYPES = {"m": "medication", "c": "condition", "l": "lab", "v": "vital", "d": "demographic"}
WEIGHTS = {"medication": 2.0, "lab": 2.0, "vital": 2.0, "condition": 1.0, "demographic": 1.0}
_MARK = re.compile(r"\{([^{}]+)\}([mclvd])([+-])(!?)")


class Label(NamedTuple):
    type: str
    start: int
    end: int
    patient_claim: bool
    hallucinated: bool


class Case(NamedTuple):
    id: str
    language: str
    record: dict
    question: str
    answer: str
    labels: list[Label]


def records():
    return json.loads((DATA / "records.json").read_text(encoding="utf-8"))


def parse(marked):
    """The plain answer and its labels."""
    labels, text, position = [], "", 0
    for match in _MARK.finditer(marked):
        text += marked[position : match.start()]
        start = len(text)
        text += match[1]
        labels.append(Label(TYPES[match[2]], start, len(text), match[3] == "+", match[4] == "!"))
        position = match.end()
    return text + marked[position:], labels


def read(prefix):
    known = records()
    found = []
    for language in ("ko", "en", "zh"):
        for line in (DATA / f"{prefix}_{language}.tsv").read_text(encoding="utf-8").splitlines():
            name, record, question, marked = line.split("\t")
            answer, labels = parse(marked.replace("\\n", "\n"))
            found.append(Case(name, language, known[record], question, answer, labels))
    return found


def gold(path, half):
    """The items of a labelled challenge file; pairs of neighbours stay in one half."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        if (int(re.sub(r"\D", "", item["id"])) - 1) // 2 % 2 != half:
            continue
        taken, labels = set(), []
        for fact in item["facts"]:
            start = item["answer"].find(fact["quote"])
            while (start, fact["type"]) in taken:
                start = item["answer"].find(fact["quote"], start + 1)
            taken.add((start, fact["type"]))
            end = start + len(fact["quote"])
            labels.append(Label(fact["type"], start, end, fact["patient_claim"], fact["hallucinated"]))
        found.append(Case(item["id"], item["lang"], item["slots_truth"], item["question"], item["answer"], labels))
    return found


def matched(labels, facts):
    """Pairs of label and fact of one type that overlap, one to one, the longest overlap first."""
    overlaps = sorted(
        (-(min(label.end, fact.end) - max(label.start, fact.start)), i, j)
        for i, label in enumerate(labels)
        for j, fact in enumerate(facts)
        if label.type == fact.type and min(label.end, fact.end) > max(label.start, fact.start)
    )
    pairs, left, right = [], set(), set()
    for _, i, j in overlaps:
        if i not in left and j not in right:
            left.add(i)
            right.add(j)
            pairs.append((labels[i], facts[j]))
    return pairs


def factuality(facts):
    """SFS: one minus the weight of what is hallucinated over the weight of what is claimed."""
    claimed = sum(WEIGHTS[fact.type] for fact in facts if fact.patient_claim)
    return 1 - sum(WEIGHTS[fact.type] for fact in facts if fact.hallucinated) / claimed if claimed else 1.0


def f1(hits, expected, found):
    return 2 * hits / max(1, expected + found)


def agreement(cases, extract):
    """Figures of a detector over labelled cases."""
    counts, errors = Counter(), []
    for case in cases:
        facts = [fact for fact in extract(case.answer, case.record, case.question) if fact.type in WEIGHTS]
        pairs = matched(case.labels, facts)
        counts["labels"] += len(case.labels)
        counts["facts"] += len(facts)
        counts["pairs"] += len(pairs)
        counts["claims"] += sum(label.patient_claim == fact.patient_claim for label, fact in pairs)
        counts["wrong"] += sum(label.hallucinated for label in case.labels)
        counts["found wrong"] += sum(fact.hallucinated for fact in facts)
        counts["both wrong"] += sum(label.hallucinated and fact.hallucinated for label, fact in pairs)
        item, found = any(one.hallucinated for one in case.labels), any(one.hallucinated for one in facts)
        counts["items"] += item
        counts["found items"] += found
        counts["both items"] += item and found
        errors.append(abs(factuality(case.labels) - factuality(facts)))
    return {
        "extraction": f1(counts["pairs"], counts["labels"], counts["facts"]),
        "patient_claim": counts["claims"] / counts["pairs"],
        "hallucinated": f1(counts["both wrong"], counts["wrong"], counts["found wrong"]),
        "items": f1(counts["both items"], counts["items"], counts["found items"]),
        "sfs_mae": sum(errors) / len(errors),
    }
