"""What of a reply is read for its constraints: its acts and offers only where one can decide."""

import pytest

from turnmark.detectors.finance.contextual.constraints.acts import ActWords
from turnmark.detectors.finance.contextual.constraints.limits.measured import QuantityReader
from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors


@pytest.fixture
def asked(monkeypatch):
    """How often acts and the quantities of sentences were read."""
    calls = {"acts": 0, "sentences": 0}

    def count(name, owner, method):
        made = getattr(owner, method)

        def counting(self, *arguments):
            calls[name] += 1
            return made(self, *arguments)

        monkeypatch.setattr(owner, method, counting)

    count("acts", ActWords, "read")
    count("sentences", QuantityReader, "_read")
    return calls


def test_of_a_long_chinese_reply_only_words_around_a_topic_are_read(asked):
    reply = "债券的收益来自票息和价格变动，利率上升时价格下跌。" * 30 + "过去十年它的年化收益约4%。"
    found = finance_detectors("contextual").constraints(Reading(reply, "债券怎么赚钱？", None), ["股票仓位不超过40%"])
    assert found == []
    assert asked == {"acts": 0, "sentences": 0}


def test_of_a_short_reply_both_are_read(asked):
    found = finance_detectors("contextual").constraints(
        Reading("建议把股票仓位提高到70%。", "怎么调整？", None), ["股票仓位不超过40%"]
    )
    assert [piece.polarity for piece in found] == ["violates"]
    assert asked["acts"] > 0
    assert asked["sentences"] > 0
