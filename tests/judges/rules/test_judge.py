"""Verdicts of the offline judge: labels, quotes, reasons."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.errors import UsageError
from turnmark.judges.catalog import make_judge
from turnmark.judges.protocol import Claim, Passage, Query
from turnmark.judges.rules.judge import RulesJudge
from turnmark.judges.rules.learned.model import Model, read_weights, shipped_weights


def verdict(relation, claim, *material, question=""):
    query = Query(
        relation=relation,
        claims=(Claim(text=claim, start=0, end=len(claim)),),
        material=material,
        sources=tuple(f"retrieved_contexts[{place}]" for place in range(len(material))),
        question=question,
    )
    return RulesJudge().verdicts([query])[0][0]


@pytest.mark.parametrize(
    ("claim", "material", "label", "reason"),
    [
        ("The fee is 12 dollars.", "The fee is 12 dollars.", "supported", "says so in the same words"),
        ("The fee is 15 dollars.", "The fee is 12 dollars.", "contradicted", "number 15 dollars ≠ 12 dollars"),
        ("Tigers eat meat.", "The fee is 12 dollars.", "not_decided", "paraphrase: no rule can tell"),
        ("The fee rose in 2020.", "The fee fell in 2020.", "contradicted", "opposite rose ≠ fell"),
        ("The term is 24 months.", "The term is 2 years.", "supported", "value stated: 24 months = 2 years"),
        ("Anna Berg won the prize in 1999.", "Peter Novak won the prize in 1999.", "contradicted", None),
        ("手续费为15元。", "手续费为12元。", "contradicted", "number 15元 ≠ 12元"),
        ("该基金可以赎回。", "该基金不可以赎回。", "contradicted", None),
        ("期限为24个月。", "期限为2年。", "supported", "says so in the same words"),
        ("李娜担任行长。", "王建国担任行长。", "contradicted", "name 李娜 ≠ 王建国"),
        ("수수료는 15원입니다.", "수수료는 12원입니다.", "contradicted", "number 15원 ≠ 12원"),
        ("카드를 해지할 수 없습니다.", "카드를 해지할 수 있습니다.", "contradicted", None),
        ("작품의 조명이 어둡습니다.", "작품의 조명이 아주 밝습니다.", "not_decided", None),
    ],
)
def test_support(claim, material, label, reason):
    found = verdict("support", claim, material)
    assert found.label == label
    if reason is not None:
        assert found.reason == reason
    assert found.probability >= 0.5 or label != "supported"


def test_the_number_of_another_context_is_no_excuse():
    found = verdict("support", "The fee is 5%.", "The fee is 3.5%.", "The bank has 5 offices.")
    assert found.label == "contradicted"
    assert (found.material, found.quote) == (0, "The fee is 3.5%.")


def test_a_year_is_no_conflict_with_a_day():
    assert verdict("support", "2020年开业。", "6月24日开业。").label != "contradicted"


def test_without_material():
    assert verdict("support", "The fee is 12 dollars.").label == "undetermined"
    assert verdict("support", "The fee is 12 dollars.", "", "  ").reason == "no material"


@pytest.mark.parametrize(("answer", "label"), [("Yes.", "supported"), ("No.", "contradicted")])
def test_a_bare_yes_says_what_the_question_asks(answer, label):
    found = verdict(
        "support", answer, "The card can be blocked by phone.", question="Can the card be blocked by phone?"
    )
    assert found.label == label


def test_conflict_and_entailment_between_sentences():
    assert verdict("conflict", "He likes tea.", "He does not like tea.").label == "contradicted"
    assert verdict("conflict", "He likes tea.", "He likes tea.").label == "not_decided"
    assert verdict("entailment", "He likes tea.", "He likes tea.").label == "supported"


@pytest.mark.parametrize(
    ("claim", "material"),
    [
        ("该卡不收取年费。", "该卡收取年费。"),
        ("该卡收取年费。", "该卡不收取年费。"),
        ("客户没有提交材料。", "客户已提交材料。"),
        ("首付不是20万元。", "该房的首付是20万元。"),
        ("수수료를 부과하지 않습니다.", "수수료를 부과합니다."),
        ("한도는 20만원이 아닙니다.", "한도는 20만원입니다."),
        ("환불할 수 없습니다.", "구매 후 환불할 수 있습니다."),
        ("The loan is not insured by the bank.", "The loan is insured by the bank."),
        ("The fee is not 20 dollars.", "The fee is 20 dollars."),
    ],
)
def test_a_denied_predicate_or_value_is_a_contradiction(claim, material):
    found = verdict("support", claim, material)
    assert found.label == "contradicted"
    assert found.reason.startswith(("negated", "opposite"))


@pytest.mark.parametrize(
    ("claim", "material"),
    [
        ("首付是20万元。", "首付不是30万元，而是20万元。"),
        ("不得超过50万元。", "单笔转账不得超过50万元。"),
        ("수수료는 5원입니다.", "수수료는 5원이며 10원이 아닙니다."),
        ("The fee is 12 dollars.", "The fee is 12 dollars, not 15 dollars."),
        ("客户没有提交材料。", "该银行不支持外币业务。"),
    ],
)
def test_a_denial_of_something_else_is_none(claim, material):
    assert verdict("support", claim, material).label != "contradicted"


def test_relevance():
    question = "What is the minimum down payment?"
    assert verdict("relevance", "The minimum down payment is 3.5%.", question=question).label == "relevant"
    found = verdict("relevance", "Whales feed on krill.", question=question)
    assert found.label == "irrelevant"
    assert "Whales feed on krill."[found.start : found.end] == found.quote


def test_sameness():
    text = "FHA loans allow a down payment of 3.5%."
    assert verdict("sameness", text, "Other words.", text).material == 1
    # A passage cut elsewhere is the same passage.
    assert verdict("sameness", text, f"Introduction. {text} And more follows here.").label == "supported"
    assert verdict("sameness", text, "ARMs start with a lower rate.").label == "undetermined"
    assert verdict("sameness", "a", "a b").label == "supported"
    assert verdict("sameness", "", "a b").label == "undetermined"


@pytest.mark.parametrize(
    ("question", "answer", "degree"),
    [
        ("How much is the fee?", "The fee is 12 dollars.", 1.0),
        ("How much is the fee?", "The fee is low.", 0.6),
        ("How much is the fee?", "12 dollars", 1.0),
        ("When did the branch open?", "The branch opened in 1999.", 1.0),
        ("Is the card free?", "Yes.", 1.0),
        ("How much is the fee?", "Yes.", 0.0),
        ("How much is the fee?", "Tigers eat meat.", 0.0),
        ("手续费是多少？", "手续费为12元。", 1.0),
        ("什么时候开业？", "1999年开业。", 1.0),
        ("수수료는 얼마입니까?", "수수료는 12원입니다.", 1.0),
        ("What discount does an order of 120 units get?", "An order of 120 units gets a 12% discount.", 1.0),
        ("What is the late fee on the Basic plan?", "The late fee on the Basic plan is $5.", 1.0),
        ("What late fee does the Basic plan have?", "The Basic plan has a late fee of $5.", 1.0),
        ("What is the late fee on the Basic plan?", "The Basic plan has a late fee.", 0.6),
    ],
)
def test_directness(question, answer, degree):
    assert verdict("directness", answer, answer, question=question).probability == pytest.approx(degree)


def test_the_last_turn_is_what_is_asked():
    history = "Hello!\nHow can I help?\nHow much is the fee?"
    assert verdict("directness", "The fee is 12 dollars.", question=history).probability == 1.0


def test_signature_names_the_weights():
    judge = RulesJudge()
    assert judge.signature() == {"judge": "rules", "version": "2.4.0", "weights": shipped_weights().digest}
    assert len(shipped_weights().digest) == 16


def test_claims_of_all_passages_at_once():
    found = RulesJudge().claims([Passage("The fee is 5.", "answer"), Passage("", "ground_truth_answer")])
    assert [[claim.source for claim in claims] for claims in found] == [["answer"], []]


def test_a_model_by_hand():
    model = Model(measures=("covered",), means=(0.5,), scales=(0.25,), weights=(2.0,), offset=-1.0)
    # (0.75 - 0.5) / 0.25 = 1; 2 * 1 - 1 = 1; 1 / (1 + e^-1).
    assert model.score({"covered": 0.75}) == pytest.approx(1.0)
    assert model.probability({"covered": 0.75}) == pytest.approx(0.7310585786)
    # Cut at four standard deviations.
    assert model.score({"covered": 90.0}) == pytest.approx(7.0)


def test_own_weights_replace_those_of_one_relation(tmp_path):
    model = shipped_weights().models["support"]["any"]
    own = {"version": "own", "models": {"support": {"zh": msgspec.structs.replace(model, offset=9.0)}}}
    path = tmp_path / "own.json"
    path.write_bytes(msgspec.json.encode(own))
    weights = read_weights(path)
    assert weights.model("support", "zh").offset == 9.0
    assert weights.model("support", "en") == model
    assert weights.model("relevance", "zh") == shipped_weights().model("relevance", "zh")
    assert weights.digest != shipped_weights().digest
    assert make_judge("rules", path).signature()["weights"] == weights.digest


@pytest.mark.parametrize(
    ("content", "found"), [("{}", "version"), ("[", "weights of a judge"), (None, "cannot be read")]
)
def test_weights_that_are_none(tmp_path, content, found):
    path = tmp_path / "weights.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(UsageError, match=found) as error:
        RulesJudge(path)
    assert str(path) in str(error.value)


def test_an_unknown_judge():
    with pytest.raises(UsageError, match="expected one of"):
        make_judge("oracle")


def test_every_shipped_model_is_whole():
    for models in shipped_weights().models.values():
        for model in models.values():
            assert len(model.measures) == len(model.means) == len(model.scales) == len(model.weights)
            assert all(scale > 0 for scale in model.scales)
            assert model.rows > 0
            assert model.sets


PIECES = st.sampled_from(
    [
        "The fee is 12 dollars. ",
        "费用为5元。",
        "수수료는 5%입니다. ",
        "not ",
        "Anna Berg ",
        "\n- ",
        "ﬁ",
        "e\u0301",
        "\u200b",
        "不",
        "3年",
    ]
)
TEXTS = st.lists(PIECES, max_size=8).map("".join)
RELATIONS = st.sampled_from(["support", "entailment", "conflict", "agreement", "relevance", "directness", "sameness"])


@given(RELATIONS, TEXTS, st.lists(TEXTS, min_size=1, max_size=3), TEXTS)
def test_quotes_stand_where_they_are_said_to(relation, claim, material, question):
    query = Query(
        relation=relation,
        claims=(Claim(text=claim, start=0, end=len(claim)),),
        material=tuple(material),
        sources=tuple(map(str, range(len(material)))),
        question=question,
    )
    found = RulesJudge().verdicts([query])[0][0]
    assert 0.0 <= found.probability <= 1.0
    assert found.label != "failed"
    if found.material is not None:
        assert material[found.material][found.start : found.end] == found.quote
    assert RulesJudge().verdicts([query])[0][0] == found
