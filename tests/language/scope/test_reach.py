"""How far cues reach: at the last place that a cue reaches it says something of the passage, one behind it nothing."""

from __future__ import annotations

import pytest

from turnmark.language.scope.reader import Scope, scope_at

ZH, KO, EN = "甲乙丙丁" * 100, "가나다" * 20, "xyz" * 100


def scope(template: str, filler: str) -> Scope:
    """The scope of the passage in ⟦⟧, with a filler in place of #."""
    text = template.replace("#", filler)
    start, end = text.index("⟦"), text.index("⟧") - 1
    return scope_at(text.replace("⟦", "").replace("⟧", ""), start, end)


@pytest.mark.parametrize(
    ("template", "filler", "last", "field", "value"),
    [
        # a negation is near; it turns a warning or advice that stands right behind it
        ("不#⟦加仓⟧。", ZH, 4, "negation", "near"),
        ("not #⟦buying⟧.", EN, 12, "negation", "near"),
        ("⟦감자⟧#지 않습니다.", KO, 6, "negation", "near"),
        ("不#避免⟦加仓⟧。", ZH, 2, "permitted", True),
        ("not # avoid ⟦eggs⟧.", EN, 8, "permitted", True),
        ("⟦감자⟧를 피하#지 않습니다.", KO, 6, "permitted", True),
        ("不#建议⟦加仓⟧。", ZH, 1, "warned_against", True),
        ("not # recommend ⟦eggs⟧.", EN, 4, "warned_against", True),
        # what turns a passage down, or allows it, ends its clause or a short one after it
        ("⟦杠杆⟧这东西，#不可取。", ZH, 4, "warned_against", True),
        ("⟦Margin⟧ loans; # is out.", EN, 16, "warned_against", True),
        ("⟦Margin⟧ is off the table #.", EN, 24, "warned_against", True),
        ("⟦杠杆⟧不可取#。", ZH, 1, "warned_against", True),
        ("⟦杠杆⟧可以#。", ZH, 0, "permitted", True),
        ("⟦米饭⟧#换成燕麦。", ZH, 4, "warned_against", True),
        # what goes on with the list of the clause before, or stands in a list that a line leads in
        ("避免杠杆，⟦甲⟧#。", ZH, 5, "warned_against", True),
        ("Avoid:#\n\n- ⟦eggs⟧", "* " * 9, 6, "warned_against", True),
        ("Avoid #:\n\n- ⟦eggs⟧", EN, 53, "warned_against", True),
        # the topic of a Korean clause, what closes an if-clause, whose words they are
        ("⟦감자⟧#는 많으니, 피하세요.", KO, 25, "warned_against", True),
        ("⟦통증⟧이 있으면#, 쉬세요.", KO, 0, "conditional", True),
        ("⟦감자⟧#라고 말했습니다.", KO, 39, "reported", True),
        ("⟦감자⟧# 같은 채소.", KO, 1, "example", True),
        ("例如#，⟦指数基金⟧。", ZH, 1, "example", True),
        # marks behind what asks
        ("⟦加仓⟧吗#。", " *" * 9, 4, "question", True),
        ("⟦eggs⟧ ok?#", ')"' * 9, 11, "question", True),
        # of a sentence with very many cues those near the passage
        ("别#⟦加仓⟧。", "您甲" * 300, 299, "negated", True),
    ],
)
def test_a_cue_reaches_so_far(template: str, filler: str, last: int, field: str, value: object) -> None:
    assert getattr(scope(template, filler[:last]), field) == value
    assert getattr(scope(template, filler[: last + 1]), field) != value


@pytest.mark.parametrize(
    ("template", "field", "value"),
    [
        ("⟦감자⟧류는 칼륨이 많으니, 피하세요.", "warned_against", True),
        ("⟦감자⟧ 중 A는 칼륨이 많으니, 피하세요.", "warned_against", False),
        ("⟦감자⟧는 좋은데, 사과는 피하세요.", "warned_against", False),
        ("⟦감자⟧는 칼륨이 많은데, 지금은 피하세요.", "warned_against", True),
        ("⟦달리기⟧를 못 하시는 건 아니지만, 물을 드세요.", "recommended", False),
        ("⟦감자⟧ 같은 채소 요리라면 모두 먹지 않습니다.", "negation", "far"),
        ("⟦통증⟧이 있으면 쉬고 나으면, 걸으세요.", "conditional", True),
        ("⟦감자가 좋습니다⟧, 라고 말했습니다.", "reported", True),
        ("⟦감자⟧를 드시고, 물을 드시고, 라고 말했습니다.", "reported", False),
        ("I could not say and would not, however, recommend ⟦eggs⟧.", "warned_against", True),
        ("不是**不能**⟦加仓⟧。", "negation", "double"),
        ("⟦加仓⟧行。", "permitted", False),
        ("避免您的杠杆，⟦股票⟧。", "warned_against", True),
        ("不⟦要吃⟧。", "warned_against", False),
        ("推荐您这些，请避免：\n\n- ⟦牛奶⟧", "warned_against", True),
        ("他说“⟦加仓⟧吧”。", "quoted", True),
        ("他说⟦“加仓⟧吧”。", "quoted", False),
        ("如果下跌，⟦加仓⟧。", "consequent", True),
        ("下跌，⟦加仓⟧。", "consequent", False),
        ("别人，如果下跌，您等等，⟦加仓⟧。", "consequent", True),
    ],
)
def test_edges_of_clauses(template: str, field: str, value: object) -> None:
    assert getattr(scope(template, ""), field) == value
