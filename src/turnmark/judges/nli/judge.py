"""The judge ``nli``: a claim against windows of sentences, by an inference model of the user's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.encoders.onnx import Pair
from turnmark.judges.nli.limits import CAUTIOUS, Limits, read_limits
from turnmark.judges.nli.model import Inference, load_model
from turnmark.judges.protocol import Passage
from turnmark.judges.rules.directness import polarity_of
from turnmark.judges.rules.judge import RulesJudge
from turnmark.language.text.segment import segment
from turnmark.schemas.judging.judgement import Claim, Label, Query, Verdict

VERSION = "1.0.0"
THRESHOLD = 0.5
PLAIN = Limits(supported=THRESHOLD, contradicted=THRESHOLD, not_stated=1.0)
"""Those by which everything is decided."""
INFERRED = ("support", "entailment", "conflict", "agreement")
"""Relations that are a matter of inference; the others are judged by rules."""
_WINDOW = 3
_STEP = 2
_MOST_WINDOWS = 200
"""Windows of one query that are asked for; texts beyond are not read."""


class Window(NamedTuple):
    """Neighbouring sentences of one text of the material: which text, and their span in it."""

    place: int
    start: int
    end: int


class NliJudge:
    """Judges claims by a model that tells entailment, neutral and contradiction; relevance and directness by rules.

    Every claim is held against windows of three sentences that share one with the next. It is supported when a window
    entails it, contradicted when none does and one contradicts it. The quote is the sentence of the deciding window
    that decides most by itself.

    With ``leaves_open`` what lies between the limits is not decided: those of the file ``limits``, else cautious ones.

    Raises: as `NliModel`; DataError when the file holds no limits of this model.
    """

    name = "nli"

    def __init__(self, folder: Path, limits: Path | None = None, *, leaves_open: bool = False) -> None:
        self._model = load_model(folder.resolve())
        self._rules = RulesJudge()
        self._limits = read_limits(limits, self._model.digest) if limits is not None else {}
        self._otherwise = CAUTIOUS if leaves_open else PLAIN

    def signature(self) -> Mapping[str, Any]:
        """Version, the model's folder name and hash, the limits, and the rules that judge the rest."""
        rules = self._rules.signature()
        own = self._limits or ({} if self._otherwise is PLAIN else {"any": self._otherwise})
        return {
            "judge": self.name,
            "version": VERSION,
            **self._model.signature(),
            **({"limits": msgspec.to_builtins(own)} if own else {}),
            "rules": rules["version"],
            "weights": rules["weights"],
        }

    def odds(self, queries: Sequence[Query]) -> list[list[Inference | None]]:
        """For each claim the most that any window entails and contradicts it; None without a number."""
        results = []
        for windows, answers in self._asked(queries):
            del windows
            item = []
            for each in answers:
                known = [answer for answer in each if answer is not None]
                most = [max((answer[side] for answer in known), default=0.0) for side in (0, 1)]
                item.append(Inference(*most) if known else None)
            results.append(item)
        return results

    def claims(self, passages: Sequence[Passage]) -> list[list[Claim]]:
        """As the judge ``rules``."""
        return self._rules.claims(passages)

    def verdicts(self, queries: Sequence[Query]) -> list[list[Verdict]]:
        """One verdict a claim, for each query in order; all pairs of all queries go to the model together."""
        inferred = [query for query in queries if query.relation in INFERRED]
        asked = iter(self._inferred(inferred))
        return [next(asked) if query.relation in INFERRED else self._rules.verdicts([query])[0] for query in queries]

    @property
    def digest(self) -> str:
        """The hash of the model."""
        return self._model.digest

    def _asked(self, queries: Sequence[Query]) -> list[tuple[list[Window], list[list[Inference | None]]]]:
        """The windows of each query, and for each of its claims what the model says of each window."""
        windows = [_windows(query.material, _WINDOW, _STEP)[:_MOST_WINDOWS] for query in queries]
        pairs = [
            _pair(query, window, claim)
            for query, result in zip(queries, windows, strict=True)
            for claim in query.claims
            for window in result
        ]
        answers = iter(self._model.infer(pairs))
        return [
            (result, [[next(answers) for _ in result] for _ in query.claims])
            for query, result in zip(queries, windows, strict=True)
        ]

    def _inferred(self, queries: Sequence[Query]) -> list[list[Verdict]]:
        decided = [
            [
                _decided(query.relation, windows, each, self._limits.get(query.relation, self._otherwise))
                for each in said
            ]
            for query, (windows, said) in zip(queries, self._asked(queries), strict=True)
        ]
        quotes = iter(self._quotes(queries, decided))
        return [
            [_verdict(query, each, next(quotes)) for each in result]
            for query, result in zip(queries, decided, strict=True)
        ]

    def _quotes(self, queries: Sequence[Query], decided: Sequence[Sequence[_Decided]]) -> list[Window | None]:
        """For each claim of each query the sentence of its deciding window that decides most; the first of equals."""
        sentences = []
        pairs: list[Pair] = []
        for query, item in zip(queries, decided, strict=True):
            for claim, each in zip(query.claims, item, strict=True):
                inside = _sentences_of(query.material, each.window)
                sentences.append((each.label, inside))
                if len(inside) > 1:
                    pairs += [_pair(query, sentence, claim) for sentence in inside]
        answers = iter(self._model.infer(pairs))
        quotes = []
        for label, inside in sentences:
            if len(inside) < 2:
                quotes.append(inside[0] if inside else None)
                continue
            scores = [_telling(label, next(answers)) for _ in inside]
            quotes.append(inside[scores.index(max(scores))])
        return quotes


class _Decided(NamedTuple):
    """What the windows say of one claim: label, probability, the window that decides (None without a number)."""

    label: Label
    probability: float | None
    window: Window | None


def _decided(relation: str, windows: Sequence[Window], answers: Sequence[Inference | None], limits: Limits) -> _Decided:
    known = [(window, answer) for window, answer in zip(windows, answers, strict=True) if answer is not None]
    if not windows:
        return _Decided("undetermined", 0.0, None)
    if not known:
        return _Decided("failed", None, None)
    support = max(known, key=lambda each: each[1].entailment)
    against = max(known, key=lambda each: each[1].contradiction)
    entailed, contradicted = support[1].entailment, against[1].contradiction
    stands_against = limits.contradicted is not None and contradicted >= limits.contradicted
    not_stated = limits.not_stated is not None and entailed <= limits.not_stated
    silent: Label = "undetermined" if not_stated else "not_decided"
    if relation == "conflict":
        return _Decided("contradicted" if stands_against else silent, contradicted, against[0])
    if limits.supported is not None and entailed >= limits.supported:
        return _Decided("supported", entailed, support[0])
    if stands_against:
        return _Decided("contradicted", entailed, against[0])
    return _Decided(silent, entailed, support[0])


def _telling(label: Label, found: Inference | None) -> float:
    if found is None:
        return 0.0
    return found.contradiction if label == "contradicted" else found.entailment


def _verdict(query: Query, decided: _Decided, quote: Window | None) -> Verdict:
    if decided.label == "failed":
        return Verdict(label="failed", reason="the model gave no number")
    if quote is None:
        return Verdict(label=decided.label, probability=decided.probability, reason="no material")
    reason = "the model is not sure enough" if decided.label == "not_decided" else ""
    return Verdict(
        label=decided.label,
        probability=decided.probability,
        reason=reason,
        quote=query.material[quote.place][quote.start : quote.end],
        material=quote.place,
        start=quote.start,
        end=quote.end,
    )


def _pair(query: Query, window: Window, claim: Claim) -> Pair:
    """Premise and hypothesis; two answers to one question, and a bare yes or no, only say something behind it."""
    premise, hypothesis = query.material[window.place][window.start : window.end], claim.text
    if not query.question:
        return premise, hypothesis
    if query.relation == "agreement":
        return f"{query.question} {premise}", f"{query.question} {hypothesis}"
    return premise, f"{query.question} {hypothesis}" if polarity_of(hypothesis) else hypothesis


@lru_cache(maxsize=256)
def _sentences(text: str) -> list[tuple[int, int]]:
    return [(each.start, each.end) for each in segment(text).sentences]


def _windows(material: Sequence[str], size: int, step: int) -> list[Window]:
    """Windows of so many sentences of each text, so many sentences apart."""
    results = []
    for index, text in enumerate(material):
        sentences = _sentences(text)
        for first in range(0, max(1, len(sentences) - size + step) if sentences else 0, step):
            inside = sentences[first : first + size]
            if inside:
                results.append(Window(index, inside[0][0], inside[-1][1]))
    return results


def _sentences_of(material: Sequence[str], window: Window | None) -> list[Window]:
    if window is None:
        return []
    inside = [
        Window(window.place, start, end)
        for start, end in _sentences(material[window.place])
        if window.start <= start and end <= window.end
    ]
    return inside or [window]
