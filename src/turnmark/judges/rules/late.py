"""The judge ``rules`` for those who may never ask it: what it needs to judge is loaded for the first text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from turnmark.judges.protocol import Passage
from turnmark.judges.rules.learned.model import shipped_weights
from turnmark.judges.rules.version import NAME, VERSION
from turnmark.schemas.judging.judgement import Claim, Query, Verdict

if TYPE_CHECKING:
    from turnmark.judges.rules.judge import RulesJudge


class LateRulesJudge:
    """`RulesJudge` with the shipped weights, made when it is first asked to judge."""

    name = NAME

    def signature(self) -> Mapping[str, Any]:
        """As `RulesJudge.signature`."""
        return {"judge": NAME, "version": VERSION, "weights": shipped_weights().digest}

    def claims(self, passages: Sequence[Passage]) -> list[list[Claim]]:
        """As `RulesJudge.claims`."""
        return self._judge.claims(passages)

    def verdicts(self, queries: Sequence[Query]) -> list[list[Verdict]]:
        """As `RulesJudge.verdicts`."""
        return self._judge.verdicts(queries)

    @cached_property
    def _judge(self) -> RulesJudge:
        from turnmark.judges.rules.judge import RulesJudge  # noqa: PLC0415 - only for a text to judge

        return RulesJudge()
