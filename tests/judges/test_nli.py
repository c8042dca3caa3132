import json
import shutil

import msgspec
import onnx
import pytest
from onnx import numpy_helper

from tiny_models import inference
from turnmark.errors import DataError, UsageError
from turnmark.judges.catalog import make_judge
from turnmark.judges.nli.judge import NliJudge
from turnmark.judges.nli.model import NliModel
from turnmark.schemas.judging.judgement import Claim, Query


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return inference(tmp_path_factory.mktemp("models") / "tiny-nli")


@pytest.fixture(scope="module")
def judge(folder):
    return NliJudge(folder)


def query(claim, *material, relation="support", question=""):
    return Query(
        relation=relation,
        claims=(Claim(text=claim, start=0, end=len(claim)),),
        material=material,
        sources=tuple(f"retrieved_contexts[{place}]" for place in range(len(material))),
        question=question,
    )


def verdict(judge, *arguments, **settings):
    return judge.verdicts([query(*arguments, **settings)])[0][0]


@pytest.mark.parametrize(
    ("claim", "material", "label"),
    [
        ("refunds take three days", "Refunds take three days", "supported"),
        ("refunds do not take three days", "Refunds take three days", "contradicted"),
        ("refunds take five days", "no", "undetermined"),
        ("退款三天", "退款是三天。", "supported"),
        ("退款不是三天", "退款是三天。", "contradicted"),
        ("환불 사흘 걸립니다", "환불 사흘 걸립니다", "supported"),
        ("환불 안 걸립니다", "환불 사흘 걸립니다", "contradicted"),
    ],
)
def test_labels_of_the_model_become_verdicts(judge, claim, material, label):
    assert verdict(judge, claim, material).label == label


def test_the_quote_is_the_sentence_that_decides_most_in_the_context_that_decides(judge):
    first = "The days. No refunds."
    second = "A days. 退款是三天。 Refunds take three days. The five days."
    found = verdict(judge, "refunds take three days", first, second)
    assert (found.label, found.material, found.quote) == ("supported", 1, "Refunds take three days.")
    assert second[found.start : found.end] == found.quote


def test_windows_let_two_sentences_support_a_claim_together(judge):
    found = verdict(judge, "refunds take three days", "Refunds take days. The three. A five.")
    assert found.label == "supported"
    assert verdict(judge, "refunds take three days", "Refunds take days.").probability < found.probability


def test_conflict_asks_for_the_contradiction(judge):
    against = verdict(judge, "refunds do not take three days", "Refunds take three days", relation="conflict")
    beside = verdict(judge, "refunds take three days", "Refunds take three days", relation="conflict")
    assert against.label == "contradicted"
    assert beside.label == "undetermined"
    assert against.probability > beside.probability + 0.8


def test_a_bare_no_is_held_against_the_material_with_its_question(judge):
    asked = "refunds take three days"
    assert verdict(judge, "no", "Refunds take three days", question=asked).label == "contradicted"
    assert verdict(judge, "No.", "Refunds do not take three days", question=asked).label == "supported"


def test_the_order_of_labels_is_that_of_the_configuration(tmp_path, judge):
    other = NliJudge(inference(tmp_path / "other", ("entailment", "contradiction", "neutral")))
    for claim in ("refunds take three days", "refunds do not take three days", "五天"):
        one, two = (verdict(each, claim, "Refunds take three days") for each in (judge, other))
        assert one == two
    assert other.signature() != judge.signature()


def test_the_same_pairs_in_another_order_and_company_give_the_same_verdicts(judge):
    queries = [
        query(claim, "Refunds take three days. 退款是三天。")
        for claim in ("refunds take", "退款三天", "five days", "no")
    ]
    together = judge.verdicts(queries)
    assert [judge.verdicts([each])[0] for each in queries] == together
    assert judge.verdicts(queries[::-1]) == together[::-1]


HOSTILE = (
    *("", " \n\t ", "\x00", "\ud800", "a\x00b\ud83d", "😀" * 3000, "refunds. " * 3000, "[SEP] [CLS]"),
    "Refunds\r\ntake\u2028three\ufeff days",
)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_is_judged(judge, hostile):
    for claim, material in (
        (hostile, "Refunds take three days"),
        ("refunds take three days", hostile),
        (hostile, hostile),
    ):
        found = verdict(judge, claim, material)
        assert found.label in {"supported", "contradicted", "undetermined"}
        assert 0.0 <= found.probability <= 1.0
        if found.material is not None:
            assert material[found.start : found.end] == found.quote


def test_no_material_supports_nothing(judge):
    found = verdict(judge, "refunds take three days")
    assert (found.label, found.reason) == ("undetermined", "no material")


def test_relevance_and_directness_are_judged_by_rules(judge):
    asked = query("Refunds take three days", relation="relevance", question="How many days do refunds take?")
    assert judge.verdicts([asked]) == make_judge("rules").verdicts([asked])


def test_a_model_without_numbers_fails_the_verdict_and_nothing_else(tmp_path):
    folder = inference(tmp_path / "nan")
    model = onnx.load(str(folder / "model.onnx"))
    for constant in model.graph.initializer:
        if constant.name == "four":
            constant.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(constant) * float("nan"), "four"))
    onnx.save(model, str(folder / "model.onnx"))
    found = verdict(NliJudge(folder), "refunds", "Refunds take three days")
    assert (found.label, found.reason) == ("failed", "the model gave no number")


def rewritten(folder, target, name, change):
    shutil.copytree(folder, target)
    path = target / name
    path.write_bytes(change(path.read_bytes()))
    return target


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ({"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}, "name them as the model was trained"),
        ({"0": "contradiction", "1": "neutral"}, "entailment"),
        ({"0": "entailment", "1": "neutral"}, "expected one number for each of the 2 labels"),
        (None, r"\$\.id2label"),
    ],
)
def test_labels_that_do_not_fit_are_named(folder, tmp_path, labels, said):
    bad = rewritten(folder, tmp_path / "bad", "config.json", lambda _: json.dumps({"id2label": labels}).encode())
    with pytest.raises(DataError, match=said):
        NliModel(bad)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("model.onnx", b"version https://git-lfs.github.com/spec/v1", "expected a model in ONNX format"),
        ("tokenizer.json", b"{}", "expected a tokenizer"),
        ("config.json", b"[1]", "expected a JSON object"),
    ],
)
def test_files_that_are_something_else_are_named(folder, tmp_path, name, content, said):
    with pytest.raises(DataError, match=said) as caught:
        NliModel(rewritten(folder, tmp_path / "bad", name, lambda _: content))
    assert name in str(caught.value)


def test_a_folder_that_lacks_a_file_or_is_none(folder, tmp_path):
    bad = tmp_path / "bad"
    shutil.copytree(folder, bad)
    (bad / "model.onnx").unlink()
    with pytest.raises(DataError, match=r"expected model\.onnx or onnx/model\.onnx"):
        NliModel(bad)
    with pytest.raises(UsageError, match="expected a folder"):
        NliModel(tmp_path / "nowhere")


def test_the_signature_changes_with_the_weights_and_tells_no_path(folder, tmp_path):
    other = rewritten(folder, tmp_path / "x" / "tiny-nli", "config.json", lambda raw: raw + b" ")
    one, two = NliJudge(folder).signature(), NliJudge(other).signature()
    assert one["nli_model"] == two["nli_model"] == "tiny-nli"
    assert one["nli_weights"] != two["nli_weights"]
    assert str(tmp_path) not in msgspec.json.encode(dict(two)).decode()
