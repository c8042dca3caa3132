"""Answers to questions about short sources, each with the mark that the judge must give it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from turnmark.judges.rules.judge import RulesJudge
from turnmark.schemas.judging.judgement import Claim, Query

EXPECTED = {"+": {"supported"}, "-": {"contradicted"}, "?": {"not_decided", "undetermined"}}


@cache
def _judge() -> RulesJudge:
    return RulesJudge()


def marked(lines: str) -> Iterator[tuple[str, str, str, str]]:
    """Mark, answer, question and source of lines ``+ question | answer`` that stand below their ``= source``."""
    source = ""
    for row in lines.splitlines():
        if row[0] == "=":
            source = row[2:]
        else:
            question, answer = row[2:].split(" | ")
            yield row[0], answer, question, source


def label_of(answer: str, question: str, source: str) -> str:
    """What the judge says of an answer."""
    claims = (Claim(text=answer, start=0, end=len(answer)),)
    query = Query(relation="support", claims=claims, material=(source,), question=question)
    return _judge().verdicts([query])[0][0].label
