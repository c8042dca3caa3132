"""Fit src/turnmark/packs/finance/possible.json, and say how right it is on authors that it has not seen.

Usage: benchmarks/fit_possible.py LABELS [--out FILE]. LABELS is the folder of the fresh finance labels
(fresh_zh.jsonl, fresh_ko_en.jsonl); the labelled replies that ship are the third author. Replies that the rules were
written on say nothing here: the rules miss nothing of them.

One logistic model a judgement tells, of a class that no rule asserts of a reply, whether it is there, by how nearly the
rules of the class match (`turnmark.detectors.finance.possible.near`). Each author is scored by a model of the others.
From those scores comes the threshold of a judgement. It is tried on each author with the scores of the others only: a
class and language is offered where the authors taken together hold then. A fifth of the fresh replies (by the hash of
their ids) and one author of the shipped set fit nothing and choose nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from turnmark.detectors.finance.possible.choice import Scored, Tally, chosen_threshold, tally
from turnmark.detectors.finance.possible.model import (
    FILE,
    LANGUAGES,
    PossibleClass,
    PossibleModel,
    encoded,
    measured_as,
)
from turnmark.detectors.finance.possible.near import FEATURES, Key, near_rules
from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors
from turnmark.schemas.labels.finance import FORBIDDEN_CATEGORIES, RISK_TAGS, RUBRIC_ELEMENTS, FinanceLabels, read_labels
from turnmark.suites.finance.possible import asserted

CLASSES: Mapping[str, Sequence[str]] = {
    "risk_disclosed": RISK_TAGS,
    "forbidden": FORBIDDEN_CATEGORIES[:-1],
    "rubric": RUBRIC_ELEMENTS,
}
"""All but the category that something is absent: that is in no sentence."""
AUTHORS = {"fresh_zh": "fresh-zh", "fresh_ko_en": "fresh-ko-en"}
UNFITTED = "Z"
"""An author of the shipped set whose replies fit nothing."""
SHIPPED = Path("src/turnmark/examples/labelled/finance.jsonl")
STRENGTH = 0.01
"""Inverse of the penalty on weights: a strong one, since authors are few."""


class Case(NamedTuple):
    """A class that no rule asserts of a reply: its nearness, whether readers see it there, who wrote the reply."""

    author: str
    language: str
    held: bool
    key: Key
    features: tuple[float, ...]
    gold: bool


class Recall(NamedTuple):
    """Of a judgement and author: labels, and those that rules assert."""

    gold: int = 0
    told: int = 0


Thresholds = dict[str, float | None]
"""By judgement."""
Tallies = Mapping[tuple[Key, str], Tally]
"""By class and language."""
Group = tuple[str, bool, str, str]
"""Author, whether of the replies that fit nothing, language, judgement."""


def held(label_id: str) -> bool:
    """Whether a fresh reply is of the fifth that fits nothing."""
    return int(hashlib.sha256(label_id.encode()).hexdigest(), 16) % 5 == 0


def cases_of(path: Path, recall: dict[Group, Recall], replies: Counter[str]) -> Iterable[Case]:
    """What no rule asserts of the labelled replies of a file; ambiguous ones and constraint pairs are left out."""
    detectors = finance_detectors()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        raw: dict[str, Any] = json.loads(line)
        label = read_labels(raw, str(path), number)
        if raw.get("ambiguous") or not isinstance(label, FinanceLabels) or not label.risk_disclosed:
            continue
        author = AUTHORS.get(path.stem) or str(raw["author"])
        unfitted = held(label.id) if path.stem in AUTHORS else author == UNFITTED
        if not unfitted:
            replies[author] += 1
        reading = Reading(label.reply, label.user_text, label.profile)
        language = reading.analysis.language
        told = asserted(reading, detectors)
        keys = [(judgement, name) for judgement, names in CLASSES.items() for name in names]
        near = near_rules(language).read(reading.analysis, keys)
        for judgement, name in keys:
            gold = bool(getattr(label, judgement).get(name))
            there = name in told[judgement]
            group = author, unfitted, language, judgement
            before = recall.get(group, Recall())
            recall[group] = Recall(before.gold + gold, before.told + (gold and there))
            if not there:
                yield Case(author, language, unfitted, (judgement, name), near[judgement, name].features, gold)


def fitted(cases: Sequence[Case], version: str, replies: Mapping[str, int]) -> PossibleModel:
    """A model of some cases that offers nothing yet."""
    weights, classes = {}, []
    for judgement, names in CLASSES.items():
        mine = [case for case in cases if case.key[0] == judgement]
        table = np.array([[*case.features, *(case.key[1] == name for name in names)] for case in mine], dtype=float)
        steps = make_pipeline(StandardScaler(), LogisticRegression(C=STRENGTH, max_iter=2000))
        steps.fit(table, [case.gold for case in mine])
        scaler, logistic = steps[0], steps[1]
        slopes = logistic.coef_[0] / scaler.scale_
        bias = float(logistic.intercept_[0] - slopes @ scaler.mean_)
        weights[judgement] = {name: round(float(slope), 4) for name, slope in zip(FEATURES, slopes, strict=False)}
        for name, own in zip(names, slopes[len(FEATURES) :], strict=True):
            classes.append(PossibleClass(judgement, name, round(bias + float(own), 4)))
    return PossibleModel(name="near", version=version, trained_on=dict(replies), weights=weights, classes=classes)


def scores(model: PossibleModel, cases: Sequence[Case]) -> list[Scored]:
    """The score of each case."""
    classes = {item.key: item for item in model.classes}
    return [Scored(model.score(classes[case.key], case.features), case.gold) for case in cases]


def thresholds(cases: Sequence[Case], found: Sequence[Scored], without: str = "") -> Thresholds:
    """The threshold of each judgement by the scores of all authors but one."""
    return {
        judgement: chosen_threshold(
            [score for case, score in zip(cases, found, strict=True)
             if case.key[0] == judgement and case.author != without]
        )
        for judgement in CLASSES
    }  # fmt: skip


def shown(cases: Sequence[Case], found: Sequence[Scored], chosen: Thresholds) -> Tallies:
    """By class and language what is shown at the thresholds, and how much is right."""
    results: dict[tuple[Key, str], Tally] = {}
    for case, score in zip(cases, found, strict=True):
        place = case.key, case.language
        results[place] = results.get(place, Tally()).with_more(tally([score], chosen[case.key[0]]))
    return results


def apart(cases: Sequence[Case]) -> tuple[list[Scored], dict[str, Tallies]]:
    """Scores of each author by a model of the others, and what each is shown at thresholds of the others."""
    authors = sorted({case.author for case in cases})
    found: dict[Case, Scored] = {}
    for author in authors:
        model = fitted([case for case in cases if case.author != author], "", {})
        mine = [case for case in cases if case.author == author]
        found.update(zip(mine, scores(model, mine), strict=True))
    given = [found[case] for case in cases]
    tallies: dict[str, Tallies] = {}
    for author in authors:
        mine = [case for case in cases if case.author == author]
        tallies[author] = shown(mine, [found[case] for case in mine], thresholds(cases, given, author))
    return given, tallies


def offering(model: PossibleModel, chosen: Thresholds, crossed: Tallies) -> PossibleModel:
    """The model with thresholds for what holds on authors apart."""
    measured, classes = {}, []
    for item in model.classes:
        threshold, offered = chosen[item.judgement], {}
        for language in LANGUAGES:
            found = crossed.get((item.key, language), Tally())
            if threshold is not None and found.holds:
                offered[language] = threshold
                measured[measured_as(item, language)] = (found.shown, found.right)
        classes.append(PossibleClass(item.judgement, item.label, item.bias, offered))
    return PossibleModel(
        name=model.name, version=model.version, trained_on=model.trained_on, weights=model.weights, classes=classes,
        measured=measured,
    )  # fmt: skip


def summed(tallies: Iterable[Tally]) -> Tally:
    """Several tallies as one."""
    result = Tally()
    for item in tallies:
        result = result.with_more(item)
    return result


def print_figures(
    model: PossibleModel,
    apart_of: Mapping[str, Tallies],
    unfitted: Mapping[str, Tallies],
    recall: Mapping[Group, Recall],
) -> None:
    """What is offered by class, and recall of marks alone and with what is possible by author."""
    offered = {(item.key, language) for item in model.classes for language in item.offered}
    print("| class | language | authors apart: right of shown | replies that fitted nothing |\n|---|---|---|---|")
    for key, language in sorted(offered, key=lambda place: (LANGUAGES.index(place[1]), place[0])):
        columns = [summed(each.get((key, language), Tally()) for each in by.values()) for by in (apart_of, unfitted)]
        print(f"| {key[1]} | {language} |", " | ".join(f"{item.right} of {item.shown}" for item in columns), "|")
    for name, by in (("authors apart", apart_of), ("fitted nothing", unfitted)):
        total = summed(each.get(place, Tally()) for each in by.values() for place in offered)
        print(f"{name}: {total.right} of {total.shown}")
        everything = summed(item for each in by.values() for item in each.values())
        print(f"{name}, before classes are left out: {everything.right} of {everything.shown}")
    print("\n| author | judgement | labels | recall of rules | with possible |\n|---|---|---|---|---|")
    for group, (gold, told) in sorted(recall.items()):
        author, is_held, language, judgement = group
        mine = (unfitted if is_held else apart_of).get(author, {})
        right = sum(mine.get(place, Tally()).right for place in offered if place[0][0] == judgement
                    and place[1] == language)  # fmt: skip
        if gold:
            name = f"{author} {language}" + (" unfitted" if is_held else "")
            print(f"| {name} | {judgement} | {gold} | {told / gold:.2f} | {(told + right) / gold:.2f} |")


def print_order(cases: Sequence[Case], found: Sequence[Scored]) -> None:
    """How well scores put right cases first: average precision by judgement and author, and the share right at all."""
    print("\n| author | judgement | right without a model | average precision |\n|---|---|---|---|")
    for author in sorted({case.author for case in cases}):
        for judgement in CLASSES:
            mine = [score for case, score in zip(cases, found, strict=True)
                    if case.author == author and case.key[0] == judgement]  # fmt: skip
            gold = [item.gold for item in mine]
            value = average_precision_score(gold, [item.score for item in mine])
            print(f"| {author} | {judgement} | {sum(gold) / len(gold):.2f} | {value:.2f} |")


def main() -> None:
    """Fit, print the figures, write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--out", type=Path, default=Path("src/turnmark/packs") / FILE)
    asked = parser.parse_args()
    recall: dict[Group, Recall] = {}
    replies: Counter[str] = Counter()
    files = [*(asked.labels / f"{name}.jsonl" for name in AUTHORS), SHIPPED]
    everything = [case for path in files for case in cases_of(path, recall, replies)]
    cases = [case for case in everything if not case.held]
    found, apart_of = apart(cases)
    crossed = {place: summed(by.get(place, Tally()) for by in apart_of.values())
               for by in apart_of.values() for place in by}  # fmt: skip
    chosen = thresholds(cases, found)
    model = offering(fitted(cases, "1", replies), chosen, crossed)
    asked.out.write_bytes(encoded(model))
    unfitted: dict[str, Tallies] = {}
    for author in sorted({case.author for case in everything}):
        mine = [case for case in everything if case.held and case.author == author]
        unfitted[author] = shown(mine, scores(model, mine), chosen)
    print_figures(model, apart_of, unfitted, recall)
    print_order(cases, found)
    print(f"\n{asked.out}: {asked.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
