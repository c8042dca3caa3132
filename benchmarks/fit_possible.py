"""Fit src/turnmark/packs/finance/possible.json, and say how right it is on authors that it has not seen.

Usage: benchmarks/fit_possible.py LABELS OWN... [--out FILE] [--curve]. LABELS is the folder of the finance labels
(challenge, replies, fresh_zh, fresh_ko_en), OWN further files of labelled replies, each another author.

One logistic model a class over hashed n-grams of sentences, by multiple instances: a reply that is labelled shows it
in its best sentence, one that is not in none. A fifth of the fresh replies (by the hash of their ids) and one author
of the shipped set fit nothing. Scores of fresh replies come from a model of all others, and the other way round; from
them the threshold of a class and language is chosen for a precision of `AIM` among what no rule asserts. What
thresholds that were chosen on the other authors of the language give on an author are the figures printed. A class
that does not reach `LEAST` in that way is not offered.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression

from turnmark.detectors.finance.possible.choice import FEWEST, LEAST, Scored, chosen_threshold, tally
from turnmark.detectors.finance.possible.features import BUCKETS, features
from turnmark.detectors.finance.possible.model import FILE, PossibleModel, Thresholds, encoded
from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors
from turnmark.schemas.labels.finance import FORBIDDEN_CATEGORIES, RISK_TAGS, RUBRIC_ELEMENTS, FinanceLabels, read_labels

SEED = 20260601
CLASSES = (
    *(("risk_disclosed", tag) for tag in RISK_TAGS),
    *(("forbidden", category) for category in FORBIDDEN_CATEGORIES[:-1]),
    *(("rubric", element) for element in RUBRIC_ELEMENTS),
)
"""All but the category that something is absent: that is in no sentence."""
ROUNDS = 2
UNFITTED = "Z"
"""An author of the shipped set whose replies fit nothing."""
STRENGTH = 10.0


Models = dict[tuple[str, str], tuple["np.ndarray[Any, Any]", float]]


class Text(NamedTuple):
    """A labelled reply: author, language, whether it is of the unfitted fifth, labels, rule marks, sentences."""

    author: str
    language: str
    held: bool
    gold: dict[tuple[str, str], bool]
    asserted: frozenset[tuple[str, str]]
    rows: sp.csr_matrix


def held(label_id: str) -> bool:
    """Whether a fresh reply is of the fifth that fits nothing."""
    return int(hashlib.sha256(label_id.encode()).hexdigest(), 16) % 5 == 0


def texts_of(path: Path, author: str | None = None) -> list[Text]:
    """The labelled replies of a file with what the rules say of each; ambiguous ones and pairs are left out."""
    detectors = finance_detectors("contextual")
    results = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        raw: dict[str, Any] = json.loads(line)
        label = read_labels(raw, str(path), number)
        if raw.get("ambiguous") or not isinstance(label, FinanceLabels) or not label.risk_disclosed:
            continue
        reading = Reading(label.reply, label.user_text, label.profile)
        risk = detectors.risk(reading)
        found = {
            "risk_disclosed": risk,
            "forbidden": detectors.compliance(reading, FORBIDDEN_CATEGORIES, None, risk),
            "rubric": detectors.rubric(reading, list(RUBRIC_ELEMENTS)),
        }
        gold = {"risk_disclosed": label.risk_disclosed, "forbidden": label.forbidden, "rubric": label.rubric}
        language = raw.get("lang") or "zh"
        unfitted = (path.stem.startswith("fresh") and held(label.id)) or raw.get("author") == UNFITTED
        results.append(
            Text(
                f"{author or path.stem}-{language}", language, unfitted,
                {key: bool(gold[key[0]].get(key[1])) for key in CLASSES},
                frozenset((name, piece.label) for name, pieces in found.items() for piece in pieces),
                _matrix([features(sentence) for sentence in reading.analysis.sentence_texts]),
            )
        )  # fmt: skip
    return results


def _matrix(sentences: list[list[int]]) -> sp.csr_matrix:
    sentences = [found for found in sentences if found] or [[0]]
    values = np.concatenate([np.full(len(found), 1 / math.sqrt(len(found))) for found in sentences])
    ends = np.cumsum([0, *map(len, sentences)])
    return sp.csr_matrix((values, np.concatenate(sentences), ends), shape=(len(sentences), BUCKETS))


def fitted(texts: list[Text], key: tuple[str, str]) -> tuple[np.ndarray[Any, Any], float] | None:
    """Weights and bias of a class; None where fewer than five replies are labelled with it."""
    right = [text for text in texts if text.gold[key]]
    if len(right) < 5:
        return None
    wrong = sp.vstack([text.rows for text in texts if not text.gold[key]])
    model = None
    for _ in range(ROUNDS):
        shown = [
            text.rows if model is None else text.rows[int(np.argmax(model.decision_function(text.rows)))]
            for text in right
        ]
        mine = sp.vstack(shown)
        labels = np.array([1] * mine.shape[0] + [0] * wrong.shape[0])
        balance: Any = "balanced" if model is None else {0: 1, 1: 3}
        model = LogisticRegression(C=STRENGTH, class_weight=balance, solver="liblinear", max_iter=40, tol=0.01,
                                   random_state=SEED)  # fmt: skip
        model.fit(sp.vstack([mine, wrong]), labels)
    return model.coef_[0], float(model.intercept_[0])


def models(train: list[Text], keys: Sequence[tuple[str, str]] = CLASSES) -> Models:
    """Weights and bias of every class that has enough labels."""
    found = {key: fitted(train, key) for key in keys}
    return {key: model for key, model in found.items() if model is not None}


def scored(fitted_models: Models, test: list[Text]) -> dict[tuple[str, str], list[Scored]]:
    """What models give for texts, class by class, where no rule asserts the class."""
    results: dict[tuple[str, str], list[Scored]] = {}
    for key, (weights, bias) in fitted_models.items():
        results[key] = [
            Scored(float((text.rows @ weights).max() + bias), text.gold[key])
            for text in test
            if key not in text.asserted
        ]
    return results


def by_authors(texts: list[Text]) -> dict[str, dict[tuple[str, str], list[Scored]]]:
    """The scores of each author by a model that never saw it: of fresh replies by one of the others, and back."""
    fit = [text for text in texts if not text.held]
    fresh = [text for text in fit if text.author.startswith("fresh")]
    rest = [text for text in fit if not text.author.startswith("fresh")]
    results = {}
    for train, test in ((rest, fresh), (fresh, rest)):
        fitted_models = models(train)
        for author in dict.fromkeys(text.author for text in test):
            results[author] = scored(fitted_models, [text for text in test if text.author == author])
    return results


def thresholds(apart: dict[str, Any], authors: list[str], key: tuple[str, str]) -> float | None:
    """The threshold of a class by the scores of some authors."""
    return chosen_threshold([item for author in authors for item in apart.get(author, {}).get(key, [])])


def holds_apart(apart: dict[str, Any], authors: list[str], key: tuple[str, str]) -> bool:
    """Whether thresholds that were chosen on the other authors are right often enough on each, taken together."""
    shown = right = 0
    for author in authors:
        threshold = thresholds(apart, [name for name in authors if name != author], key)
        found = tally(apart.get(author, {}).get(key, []), threshold)
        shown, right = shown + found[0], right + found[1]
    return shown >= FEWEST and right >= LEAST * shown


def figures(texts: list[Text], apart: dict[str, Any], held_scores: dict[str, Any]) -> list[tuple[Any, ...]]:
    """By language, author and judgement: rules' recall, recall with what is possible, how much is shown, how right."""
    authors = {text.author: text.language for text in texts}
    rows = []
    for author, language in authors.items():
        others = [name for name, spoken in authors.items() if spoken == language and name != author]
        parts: list[tuple[str, dict[Any, Any], list[str], bool]] = []
        if author in apart:
            parts.append((author, apart[author], others, False))
        if any(text.held for text in texts if text.author == author):
            parts.append((author + " unfitted", held_scores[author], [*others, author], True))
        for name, given, choosing, is_held in parts:
            for judgement in ("risk_disclosed", "forbidden", "rubric"):
                mine = [text for text in texts if text.author == author and text.held == is_held]
                keys = [key for key in CLASSES if key[0] == judgement]
                gold = sum(text.gold[key] for text in mine for key in keys)
                told = sum(text.gold[key] and key in text.asserted for text in mine for key in keys)
                shown = right = 0
                for key in keys:
                    threshold = thresholds(apart, choosing, key)
                    shown_here, right_here = tally(given.get(key, []), threshold)
                    shown, right = shown + shown_here, right + right_here
                rows.append((name, language, judgement, len(mine), gold, told, shown, right))
    return rows


def model_of(texts: list[Text], apart: dict[str, Any], fitted_models: Models) -> PossibleModel:
    """The model of all texts but the unfitted fifth, whole numbers as weights."""
    fit = [text for text in texts if not text.held]
    authors = {text.author: text.language for text in texts}
    columns, classes = [], []
    for key, (weights, bias) in fitted_models.items():
        offered = {}
        for language in ("zh", "ko", "en"):
            names = [name for name, spoken in authors.items() if spoken == language]
            value = thresholds(apart, names, key)
            if value is not None and holds_apart(apart, names, key):
                offered[language] = round(value, 3)
        if not offered:
            continue
        scale = float(np.abs(weights).max()) / 127
        columns.append(np.rint(weights / scale).astype(np.int8))
        classes.append(Thresholds(*key, scale=float(f"{scale:.6g}"), bias=float(f"{bias:.6g}"), offered=offered))
    counts: dict[str, int] = defaultdict(int)
    for text in fit:
        counts[text.author] += 1
    return PossibleModel(
        name="ngrams", version="1", seed=SEED, buckets=BUCKETS, trained_on=dict(sorted(counts.items())),
        classes=classes, weights=np.stack(columns, axis=1).tobytes(),
    )  # fmt: skip


def offered_only(
    texts: list[Text], apart: dict[str, Any], held_scores: dict[str, Any], offered: dict[Any, dict[str, float]]
) -> tuple[int, int]:
    """What the offered classes show of replies that fitted nothing, and how much is right; authors apart beside."""
    authors = {text.author: text.language for text in texts}
    total = [0, 0]
    for author, language in authors.items():
        others = [name for name, spoken in authors.items() if spoken == language and name != author]
        for key in (key for key in offered if language in offered[key]):
            unfitted = tally(held_scores[author].get(key, []), offered[key][language])
            crossed = tally(apart.get(author, {}).get(key, []), thresholds(apart, others, key))
            total = [total[0] + unfitted[0], total[1] + unfitted[1]]
            print(f"{author} {key[1]}: apart {crossed[1]} of {crossed[0]}, unfitted {unfitted[1]} of {unfitted[0]}")
    return total[0], total[1]


def print_rows(rows: list[tuple[Any, ...]]) -> None:
    """The figures as a table of Markdown."""
    print("| author | judgement | replies | recall of rules | with possible | shown | right |")
    print("|---|---|---|---|---|---|---|")
    for name, _, judgement, count, gold, told, shown, right in rows:
        both = f"{(told + right) / gold:.2f}" if gold else "n/a"
        rules = f"{told / gold:.2f}" if gold else "n/a"
        share = f"{right / shown:.2f}" if shown else "n/a"
        print(f"| {name} | {judgement} | {count} | {rules} | {both} | {shown} | {share} |")


def curve(texts: list[Text], apart: dict[str, Any]) -> None:
    """Risk tags of the unfitted fifth against the share of training texts (by the hash order of a fixed seed)."""
    fit = [text for text in texts if not text.held]
    order = np.random.default_rng(SEED).permutation(len(fit))
    print("\n| training texts | language | shown | right | recall of rules and possible |\n|---|---|---|---|---|")
    authors = {text.author: text.language for text in texts}
    for share in (0.12, 0.25, 0.5, 1.0):
        part = [fit[index] for index in order[: int(share * len(fit))]]
        part_models = models(part, CLASSES[: len(RISK_TAGS)])
        for language in ("zh", "ko", "en"):
            test = [text for text in texts if text.held and text.language == language]
            given = scored(part_models, test)
            shown = right = gold = told = 0
            for key in CLASSES[: len(RISK_TAGS)]:
                threshold = thresholds(apart, [name for name, spoken in authors.items() if spoken == language], key)
                found = tally(given.get(key, []), threshold)
                shown, right = shown + found[0], right + found[1]
                gold += sum(text.gold[key] for text in test)
                told += sum(text.gold[key] and key in text.asserted for text in test)
            precise = f"{right / shown:.2f}" if shown else "n/a"
            print(f"| {len(part)} | {language} | {shown} | {precise} | {(told + right) / gold:.2f} |")


def main() -> None:
    """Fit, print the figures, write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path)
    parser.add_argument("own", type=Path, nargs="*")
    parser.add_argument("--out", type=Path, default=Path("src/turnmark/packs") / FILE)
    parser.add_argument("--curve", action="store_true")
    asked = parser.parse_args()
    names = ("challenge", "replies", "fresh_zh", "fresh_ko_en")
    texts = [text for name in names for text in texts_of(asked.labels / f"{name}.jsonl")]
    texts += [text for path in asked.own for text in texts_of(path, "own")]
    apart = by_authors(texts)
    fit = [text for text in texts if not text.held]
    whole = models(fit)
    held_scores = {
        author: scored(whole, [text for text in texts if text.held and text.author == author])
        for author in dict.fromkeys(text.author for text in texts)
    }
    print_rows(figures(texts, apart, held_scores))
    model = model_of(texts, apart, whole)
    asked.out.write_bytes(encoded(model))
    print(f"\n{asked.out}: {asked.out.stat().st_size} bytes")
    for item in model.classes:
        print(f"{item.judgement} {item.label}: {item.offered}")
    fitted_classes = {(item.judgement, item.label): item.offered for item in model.classes}
    shown, right = offered_only(texts, apart, held_scores, fitted_classes)
    print(f"unfitted replies, offered classes only: {shown} shown, {right} right")
    if asked.curve:
        curve(texts, apart)


if __name__ == "__main__":
    main()
