"""RAG cases judged in turn: by rules, by an inference model of the user's, and by a language model for what is left.

Cases are drafted one after the other, without a network; what is open in several of them is asked in one request. Which
cases share a request depends on the cases and the settings alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from turnmark.errors import UsageError
from turnmark.judges.cascade import RULES, Cascade, Contradiction, Left, Stage, merged
from turnmark.judges.llm.config import JudgeConfig, make_client
from turnmark.judges.llm.estimate import EstimatingJudge, Size
from turnmark.judges.llm.judge import LlmJudge
from turnmark.judges.llm.prompts import language_of
from turnmark.judges.protocol import Passage
from turnmark.judges.recorded import Judgement, key_of
from turnmark.judges.rules.judge import RulesJudge
from turnmark.schemas.judging.cases import EvalCase
from turnmark.schemas.judging.judgement import Query, Verdict
from turnmark.suites.judging import JudgedItem, JudgeRequest
from turnmark.suites.rag.case import case_steps, evaluate_case

_MOST_WAITING = 64
"""Cases that share a request at most; those of which nothing is asked wait for it too."""


class Draft(NamedTuple):
    """One case as far as it is decided without a language model, and what is left of it.

    ``reason`` says why the case broke ("" when it did not).
    """

    case: EvalCase
    lines: Sequence[Judgement] = ()
    queries: Sequence[Query] = ()
    verdicts: Sequence[Sequence[Verdict]] = ()
    left: Left = Left((), (), frozenset())
    reason: str = ""

    @property
    def asked(self) -> int:
        """How many verdicts are asked for."""
        return sum(len(query.claims) for query in self.left.queries)

    def texts(self) -> set[str]:
        """Everything that a request must show of it."""
        return {
            text
            for query in self.left.queries
            for text in (query.question, *query.material, *(claim.text for claim in query.claims))
        }


class Pack(NamedTuple):
    """Cases that share one request."""

    drafts: tuple[Draft, ...]

    @property
    def queries(self) -> list[Query]:
        """All that is asked, in order."""
        return [query for draft in self.drafts for query in draft.left.queries]


class CascadeTask:
    """Cases, packed; a language model is asked what nobody before it could decide.

    Raises: UsageError when there is neither a model nor the folder of one; else as `NliJudge` and `make_client`.
    """

    def __init__(
        self, request: JudgeRequest, config: JudgeConfig, metrics: tuple[str, ...], own: dict[str, Any]
    ) -> None:
        if not config.model.strip() and request.entailment is None:
            message = "--only-undecided: expected a model (--model, --config) or --entailment FOLDER, found neither"
            raise UsageError(message)
        if request.audit and not config.model.strip():
            message = "--audit: expected a model (--model, --config) that is asked again, found none"
            raise UsageError(message)
        self._request = request
        self._metrics = metrics
        self._config = config
        self._own = own
        self._cascade = Cascade(_stages(request), audit=request.audit, seed=config.seed or 0)
        self._judge = LlmJudge(make_client(config), repeat=config.repeat) if config.model.strip() else None
        self.client = self._judge.client if self._judge is not None else None
        self._by = f"llm:{config.model}"

    def signature(self) -> dict[str, Any]:
        """See `JudgeTask`."""
        llm = {"llm": dict(self._judge.signature())} if self._judge is not None else {}
        packing = {"items_per_request": self._config.items_per_request,
                   "characters_per_request": self._config.characters_per_request} if llm else {}  # fmt: skip
        return {**self._cascade.signature(), **llm, **packing, "metrics": self._metrics, **self._own}

    def packs(self, cases: Iterable[EvalCase]) -> Iterator[Pack]:
        """All cases, in packs of one language; see `JudgeTask.items`."""
        waiting: dict[str, _Waiting] = {}
        for case in cases:
            draft = self._draft(case)
            pack = waiting.setdefault(_language(draft), _Waiting(self._config))
            if pack.drafts and not pack.takes(draft):
                yield pack.closed()
            pack.add(draft)
        for pack in waiting.values():
            yield pack.closed()

    async def judge(self, pack: Pack) -> JudgedItem:
        """See `JudgeTask`."""
        queries = pack.queries if self._judge is not None else []
        answers = iter(await self._judge.verdicts(queries) if self._judge is not None and queries else ())
        lines: list[Judgement] = []
        failed: list[tuple[str, str]] = []
        contradictions: list[Contradiction] = []
        audited = 0
        for draft in pack.drafts:
            lines += draft.lines
            name = draft.case.id or ""
            if draft.reason:
                failed.append((name, draft.reason))
            if not draft.queries:
                continue
            verdicts = [list(item) for item in draft.verdicts]
            if draft.left.queries and self._judge is not None:
                own = [next(answers) for _ in draft.left.queries]
                done = merged(draft.queries, verdicts, draft.left, own, self._by, name)
                verdicts = done.verdicts
                failed += [(name, reason) for reason in done.failed]
                contradictions += done.contradictions
                audited += done.audited
            lines.append(Judgement(key=key_of(draft.queries), case=name, verdicts=verdicts))
        return JudgedItem(lines, cases=len(pack.drafts), failed=failed, audited=audited, contradictions=contradictions)

    def estimate(self, pack: Pack, counting: EstimatingJudge) -> None:
        """See `JudgeTask`; what judging everything would take is counted beside it."""
        estimate = counting.estimate
        estimate.cases += len(pack.drafts) - 1
        estimate.verdicts = (estimate.verdicts or 0) + sum(len(item) for one in pack.drafts for item in one.verdicts)
        estimate.asked = (estimate.asked or 0) + sum(draft.asked for draft in pack.drafts)
        if estimate.everything is None:
            estimate.everything = Size()
        if self._judge is None:
            return
        everything = EstimatingJudge(self._judge, size=estimate.everything)
        for draft in pack.drafts:
            evaluate_case(draft.case, everything, self._metrics)
        if pack.queries:
            counting.verdicts(pack.queries)

    def lacking(self) -> list[str]:
        """See `JudgeTask`."""
        return []

    def _draft(self, case: EvalCase) -> Draft:
        try:
            return self._drafted(case)
        except Exception as error:  # noqa: BLE001 - the row boundary: one case fails, nothing else
            return Draft(case, reason=f"{type(error).__name__}: {error}")

    def _drafted(self, case: EvalCase) -> Draft:
        steps = case_steps(case, self._metrics)
        answer: Any = None
        draft = Draft(case)
        try:
            while True:
                asked: Any = steps.send(answer)
                if isinstance(asked[0], Passage):
                    answer = self._cascade.claims(asked)
                    draft = draft._replace(lines=[Judgement.of_claims(asked, case.id or "", answer)])
                else:
                    answer = self._cascade.verdicts(asked)
                    draft = draft._replace(queries=asked, verdicts=answer, left=self._cascade.left(asked, answer))
        except StopIteration:
            return draft


class _Waiting:
    """A pack that is being filled."""

    def __init__(self, config: JudgeConfig) -> None:
        self._config = config
        self._open()

    def _open(self) -> None:
        self.drafts: list[Draft] = []
        self._texts: set[str] = set()
        self._asked = self._characters = 0

    def takes(self, draft: Draft) -> bool:
        """Whether a case fits into the request; texts that stand there already take no room."""
        more = sum(map(len, draft.texts() - self._texts))
        return len(self.drafts) < _MOST_WAITING and (
            not draft.asked
            or not self._asked
            or (
                self._asked + draft.asked <= self._config.items_per_request
                and self._characters + more <= self._config.characters_per_request
            )
        )

    def add(self, draft: Draft) -> None:
        """Take a case."""
        self.drafts.append(draft)
        new = draft.texts() - self._texts
        self._texts |= new
        self._characters += sum(map(len, new))
        self._asked += draft.asked

    def closed(self) -> Pack:
        """The pack; the next one is empty."""
        pack = Pack(tuple(self.drafts))
        self._open()
        return pack


def _stages(request: JudgeRequest) -> list[Stage]:
    stages = [Stage(RULES, RulesJudge(request.weights))]
    if request.entailment is not None:
        from turnmark.judges.nli.judge import INFERRED, NliJudge  # noqa: PLC0415 - its model runs by an extra

        judge = NliJudge(request.entailment, request.limits, leaves_open=True)
        stages.append(Stage(f"nli:{request.entailment.resolve().name}", judge, frozenset(INFERRED)))
    return stages


def _language(draft: Draft) -> str:
    """The language of the prompts for a case."""
    first = draft.left.queries[0] if draft.left.queries else None
    return (
        language_of(first.language, first.question)
        if first
        else language_of(draft.case.lang or "", draft.case.question)
    )
