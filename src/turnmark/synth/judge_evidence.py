"""What a judge says of made-up cases: whether units support an answer, whether anything answers a question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from turnmark.judges.abstention import abstaining_sentences, without_abstentions
from turnmark.judges.protocol import Judge, Passage
from turnmark.judges.rules import words
from turnmark.language.text.fold import fold_text
from turnmark.schemas.judging.judgement import Claim, Query, Verdict
from turnmark.synth.documents.model import Unit

_LIKELY = 0.5
_CLOSEST = 6
"""Units that are looked at for an answer to a question that shall have none."""
_NAMED = 0.6
"""A unit that holds this part of the words of a thing (with its headings) speaks of it."""
_SAID = 0.7
"""… and this part of what is asked about it may answer."""


class Evidence:
    """Asks a judge; knows the words of every unit of the documents."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._units: list[Unit] = []
        self._places: dict[str, list[int]] = defaultdict(list)

    def add(self, units: Iterable[Unit]) -> None:
        """Units in which an answer may stand; their headings count as their words."""
        for unit in units:
            position = len(self._units)
            self._units.append(unit)
            for word in set(_words(" ".join((*unit.headings, unit.text)))):
                self._places[word].append(position)

    def supported(self, question: str, answer: str, contexts: Sequence[str]) -> bool:
        """Whether every statement of an answer is supported by the contexts, and there is one.

        Where the judge does not decide, its probability does: these are candidates, which people read before use.
        """
        claims = self._judge.claims([Passage(answer, "ground_truth_answer", question)])[0]
        claims = without_abstentions(claims, abstaining_sentences(answer))
        if not claims:
            return False
        verdicts = self._judge.verdicts([_query(claims, contexts, question)])[0]
        return all(map(_likely_supported, verdicts))

    def to_the_point(self, question: str, answer: str, contexts: Sequence[str]) -> bool:
        """Whether an answer is `supported` and some statement of it answers the question, for answers of a model."""
        if not self.supported(question, answer, contexts):
            return False
        claims = self._judge.claims([Passage(answer, "ground_truth_answer", question)])[0]
        query = Query(relation="directness", claims=tuple(claims), material=(answer,), question=question)
        return any(verdict.label == "relevant" for verdict in self._judge.verdicts([query])[0])

    def answered(self, question: str, subject: str) -> bool:
        """Whether some unit may answer a question.

        ``subject`` holds the thing and, in a second line, what is asked about it. A unit that speaks of the thing (its
        headings count) may answer when it holds most words of what is asked, or when the judge takes what is asked for
        supported by it. Without a second line the whole question is looked for.
        """
        thing, _, asked = subject.partition("\n")
        if not asked:
            asked = question
            speaking = {self._units.index(unit) for unit in self._closest(question)}
        else:
            speaking = self._speaking_of(thing)
        if speaking & self._holding(asked, _SAID):
            return True
        scores, _ = self._scores(asked)
        order = sorted(speaking, key=lambda place: (-scores.get(place, 0), place))[:_CLOSEST]
        claim = Claim(text=asked, start=0, end=len(asked), source="question")
        queries = [
            _query([claim], ["\n".join((*unit.headings, unit.text))], "")
            for unit in map(self._units.__getitem__, order)
        ]
        return any(_likely_supported(verdicts[0]) for verdicts in self._judge.verdicts(queries))

    def _speaking_of(self, thing: str) -> set[int]:
        """Units that hold most words of a name, and all of its numbers: CX-16 is not CX-40."""
        holding = self._holding(thing, _NAMED)
        for word in _words(thing):
            if word.isdigit():
                holding &= set(self._places.get(word, ()))
        return holding

    def _scores(self, text: str) -> tuple[dict[int, int], int]:
        """The weight of a text's words in each unit that holds any, and their weight in all."""
        scores: dict[int, int] = defaultdict(int)
        total = 0
        for word in dict.fromkeys(_words(text)):
            weight = words.weight(word)
            total += weight
            for index in self._places.get(word, ()):
                scores[index] += weight
        return scores, total

    def _holding(self, text: str, share: float) -> set[int]:
        scores, total = self._scores(text)
        return {index for index, score in scores.items() if score >= share * total}

    def _closest(self, text: str) -> list[Unit]:
        scores, _ = self._scores(text)
        order = sorted(scores, key=lambda place: (-scores[place], place))[:_CLOSEST]
        return [self._units[place] for place in order]


def _likely_supported(verdict: Verdict) -> bool:
    likely = verdict.label == "not_decided" and (verdict.probability or 0.0) >= _LIKELY
    return verdict.label == "supported" or likely


def _words(text: str) -> list[str]:
    return [unit for unit in words.units(fold_text(text)) if words.weight(unit) > words.LIGHT]


def _query(claims: Sequence[Claim], contexts: Sequence[str], question: str) -> Query:
    return Query(
        relation="support",
        claims=tuple(claims),
        material=tuple(contexts),
        sources=tuple(f"ground_truth_contexts[{index}]" for index in range(len(contexts))),
        question=question,
    )
