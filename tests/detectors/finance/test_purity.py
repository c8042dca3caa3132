"""Detectors give the same evidence whatever was asked of them before; texts of memory are read once a dialogue."""

import pytest

from turnmark.detectors.finance.protocol import MemorySources, MemoryTexts, Reading
from turnmark.detectors.finance.sets import finance_detectors
from turnmark.language import analysis
from turnmark.schemas.turn_eval import ResolvedKey

REPLIES = [
    "这只基金肯定会涨，赶紧买入。",
    "基金净值会有波动，可能亏损本金，请先看清风险。",
    "This fund can fall in value and you may lose money.",
    "이 펀드는 원금 손실이 발생할 수 있습니다.",
]


@pytest.mark.parametrize("name", ["contextual", "literal"])
@pytest.mark.parametrize("reply", REPLIES)
def test_compliance_does_not_depend_on_what_was_asked_before(name, reply):
    detectors = finance_detectors(name)
    alone = detectors.compliance(Reading(reply, "该买吗？"), [], None)
    reading = Reading(reply, "该买吗？")
    for other in REPLIES:
        detectors.risk(Reading(other))
    disclosed = detectors.risk(reading)
    for other in REPLIES:
        detectors.risk(Reading(other))
    assert detectors.compliance(reading, [], None) == alone
    assert detectors.compliance(reading, [], None, disclosed) == alone


def test_an_item_of_memory_is_analysed_once_a_dialogue(monkeypatch):
    made = []
    analyse = analysis.analyse
    monkeypatch.setattr(analysis, "analyse", lambda text: made.append(text) or analyse(text))
    texts, items = MemoryTexts(), [f"用户风险等级：稳健，第{place}条" for place in range(100)]
    keys = [ResolvedKey(key=key, resolvable=True, target_text=key, resolver="test") for key in ("稳健", "回撤<10%")]
    detectors = finance_detectors("contextual")
    for turn in range(4):
        sources = MemorySources(f"user: 第{turn}轮", items, "投资期限：长期", texts=texts)
        shared = [detectors.memory(key, sources) for key in keys]
        assert shared == [detectors.memory(key, sources._replace(texts=MemoryTexts())) for key in keys]
    first = MemoryTexts()
    made.clear()
    for turn in range(4):
        for key in keys:
            detectors.memory(key, MemorySources(f"user: 第{turn}轮", items, "投资期限：长期", texts=first))
    assert sorted(made) == sorted([*items, "投资期限：长期", *(f"user: 第{turn}轮" for turn in range(4))])
