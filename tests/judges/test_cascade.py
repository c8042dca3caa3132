"""Judges in turn: what is asked of whom, and whose verdict counts."""

from hypothesis import given
from hypothesis import strategies as st

from turnmark.judges.cascade import Cascade, Stage, merged
from turnmark.schemas.judging.judgement import Claim, Query, Verdict

LABELS = ("supported", "contradicted", "undetermined", "not_decided")


class Told:
    """A judge that says of each claim what stands in it under its own name: ``first=supported;second=…``."""

    def __init__(self, name):
        self.name = name
        self.asked = []

    def signature(self):
        return {"judge": self.name, "version": "1"}

    def claims(self, passages):
        return [[Claim(text=passage.text, start=0, end=len(passage.text))] for passage in passages]

    def verdicts(self, queries):
        self.asked += [claim.text for query in queries for claim in query.claims]
        return [
            [
                Verdict(label=dict(part.split("=") for part in claim.text.split(";"))[self.name])
                for claim in query.claims
            ]
            for query in queries
        ]


def query(claims, relation="support"):
    texts = [f"first={one};second={two};third={three};n={n}" for n, (one, two, three) in enumerate(claims)]
    return Query(
        relation=relation,
        claims=tuple(Claim(text=text, start=0, end=len(text)) for text in texts),
        material=("context",),
        sources=("retrieved_contexts[0]",),
    )


LABEL = st.sampled_from(LABELS)
QUERIES = st.lists(st.lists(st.tuples(LABEL, LABEL, LABEL), max_size=6), max_size=4)


@given(QUERIES, st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 5))
def test_each_claim_is_decided_by_the_first_that_can_tell(claims, audit, seed):
    first, second, third = Told("first"), Told("second"), Told("third")
    queries = [query(item) for item in claims]
    cascade = Cascade([Stage("first", first), Stage("second", second)], audit=audit, seed=seed)
    verdicts = cascade.verdicts(queries)
    left = cascade.left(queries, verdicts)
    done = merged(queries, verdicts, left, third.verdicts(left.queries), "third")
    flat = [labels for item in claims for labels in item]
    found = [verdict for item in done.verdicts for verdict in item]
    for labels, verdict in zip(flat, found, strict=True):
        decided = [(name, label) for name, label in zip(("first", "second", "third"), labels, strict=True)
                   if label != "not_decided"]  # fmt: skip
        assert (verdict.by, verdict.label) == (decided[0] if decided else ("", "not_decided"))
        assert verdict.audit is None or verdict.by in {"first", "second"}
    assert len(second.asked) == sum(labels[0] == "not_decided" for labels in flat)
    opened = sum(labels[:2] == ("not_decided", "not_decided") for labels in flat)
    assert len(third.asked) == opened + len(left.audited)
    assert done.audited == sum(verdict.audit is not None for verdict in found)
    assert audit or not left.audited
    if audit == 1.0:
        assert len(left.audited) == len(flat) - opened
    assert len(done.contradictions) <= done.audited


@given(QUERIES)
def test_a_sample_does_not_depend_on_company_or_order(claims):
    cascade = Cascade([Stage("first", Told("first"))], audit=0.5, seed=1)
    queries = [query(item) for item in claims]

    def drawn(asked):
        left = cascade.left(asked, cascade.verdicts(asked))
        return {asked[number].claims[index].text for number, index in left.audited}

    together = drawn(queries)
    assert drawn(queries[::-1]) == together
    assert set().union(*(drawn([each]) for each in queries)) == together


def test_a_judge_is_asked_only_in_relations_that_it_knows():
    second = Told("second")
    cascade = Cascade([Stage("first", Told("first")), Stage("second", second, frozenset({"support"}))])
    queries = [query([("not_decided", "supported", "supported")], relation) for relation in ("support", "directness")]
    assert [[verdict.by for verdict in item] for item in cascade.verdicts(queries)] == [["second"], [""]]
    assert len(second.asked) == 1


def test_an_answer_that_failed_leaves_the_claim_open_with_the_reason():
    cascade = Cascade([Stage("first", Told("first"))])
    queries = [query([("not_decided", "supported", "supported")])]
    verdicts = cascade.verdicts(queries)
    left = cascade.left(queries, verdicts)
    done = merged(queries, verdicts, left, [[Verdict(label="failed", reason="no answer")]], "third")
    assert done.failed == ["no answer"]
    assert (done.verdicts[0][0].label, done.verdicts[0][0].by) == ("not_decided", "")
    assert done.verdicts[0][0].reason == "third: no answer"
