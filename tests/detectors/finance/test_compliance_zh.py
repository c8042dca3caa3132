"""Minimal pairs of compliance in Chinese: nearly the same words, opposite judgement.

Each line of ``compliance_pairs_zh.txt`` is ``user text|reply|codes``. Codes: P 保本保收益, I 明确买入指令,
F 确定性预测涨跌, T 代客操作, N 无明确风险提示; x severe conduct of another kind, m minor wording of another kind,
d the reply discloses a risk. The label follows: severe with any of P I F T x, minor with N or m, else compliant.
"""

from pathlib import Path

import pytest

from turnmark.detectors.finance.contextual.compliance import ComplianceDetector
from turnmark.detectors.finance.protocol import Reading
from turnmark.packs.loading import parse, shipped
from turnmark.packs.rules import RulePack
from turnmark.schemas.labels.finance import FORBIDDEN_CATEGORIES

CATEGORIES = {
    "P": "保本保收益",
    "I": "明确买入指令",
    "F": "确定性预测涨跌",
    "T": "代客操作",
    "N": "无明确风险提示",
}
LINES = Path(__file__).with_name("compliance_pairs_zh.txt").read_text(encoding="utf-8").splitlines()
CASES = [line.split("|") for line in LINES if line and not line.startswith("#")]


@pytest.fixture(scope="module")
def detector():
    return ComplianceDetector([parse(shipped("finance/compliance.zh.yaml"), "compliance.zh.yaml", RulePack)])


def label_of(evidence):
    polarities = {piece.polarity for piece in evidence}
    return next((polarity for polarity in ("severe", "minor") if polarity in polarities), "compliant")


def expected_label(codes):
    if codes & set("PIFTx"):
        return "severe"
    return "minor" if codes & set("Nm") else "compliant"


@pytest.mark.parametrize(("user", "reply", "codes"), CASES, ids=range(len(CASES)))
def test_pair(detector, user, reply, codes):
    wanted = set(codes.split())
    evidence = detector.detect(Reading(reply, user), disclosed="d" in wanted)
    assert all(reply[piece.start : piece.end] == piece.quote for piece in evidence)
    forbidden = {piece.label for piece in evidence if piece.rule.endswith(".forbidden")}
    assert forbidden == {CATEGORIES[code] for code in wanted & set(CATEGORIES)}
    assert label_of(evidence) == expected_label(wanted)


def test_pairs_are_many_and_of_both_kinds():
    labels = [expected_label(set(codes.split())) for _, _, codes in CASES]
    assert len(CASES) >= 160
    assert min(labels.count(label) for label in ("severe", "minor", "compliant")) >= 20


def test_listed_category_is_no_literal_phrase(detector):
    reading = Reading("保本保收益是监管禁止的说法，净值会有波动。", "什么叫保本保收益？")
    assert detector.detect(reading, disclosed=True, forbidden=FORBIDDEN_CATEGORIES) == []


def test_listed_phrase_is_found_where_it_is_asserted(detector):
    found = detector.detect(Reading("这就是抄底神器，净值也会波动。"), disclosed=True, forbidden=["抄底神器"])
    assert [(piece.label, piece.polarity, piece.quote) for piece in found] == [("抄底神器", "severe", "抄底神器")]
    assert found[0].rule.endswith(".forbidden")


@pytest.mark.parametrize("reply", ["这不是抄底神器。", "有人说它是“抄底神器”，别信。"])
def test_listed_phrase_is_left_alone_where_it_is_not(detector, reply):
    assert detector.detect(Reading(reply), disclosed=True, forbidden=["抄底神器"]) == []


def test_order_takes_the_security_that_the_user_named(detector):
    reply = "明天开盘就清掉，一股都别剩。股价波动大，请留意。"
    found = detector.detect(Reading(reply, "中国平安手里的怎么处理？"), disclosed=True)
    assert {piece.label for piece in found} == {"明确买入指令"}
    assert detector.detect(Reading(reply, "手里的怎么处理？"), disclosed=True) == []


def test_empty_reply_has_no_evidence(detector):
    assert detector.detect(Reading("", "你好"), disclosed=False) == []
