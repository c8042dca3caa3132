import pytest

from turnmark.language.analysis import analyse
from turnmark.language.quantity.quantity import quantities
from turnmark.language.quantity.roles import MeasureCues, attach

MEASURES = {
    "drawdown": ("回撤", "最大回撤", "drawdown", "낙폭"),
    "equity": ("股票", "权益", "偏股", "stocks", "주식"),
    "bond": ("债券", "债基", "bonds", "채권"),
    "cash": ("现金", "货币基金", "cash", "현금"),
    "return": ("收益", "年化", "return", "수익률"),
    "duration": ("久期", "duration"),
    "glucose": ("血糖", "glucose", "혈당"),
    "weight": ("体重", "weight", "체중"),
}
UNITS = {"drawdown": ("percent",), "duration": ("year", "month")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("回撤约8%", ["drawdown"]),
        ("权益仓位占七成", ["equity"]),
        ("股票60%、债券40%", ["equity", "bond"]),
        ("60%股票、40%债券", ["equity", "bond"]),
        ("60%股票和40%债券", ["equity", "bond"]),
        ("股票60%和债券40%", ["equity", "bond"]),
        ("年化收益5%-8%、最大回撤控制在10%以内", ["return", "drawdown"]),
        ("先留20%现金，三成仓位放债券", ["cash", "bond"]),
        ("久期2.5年，静态收益率2.8%", ["duration", "return"]),
        ("去年收益12%，成立以来最大回撤6%", ["return", "drawdown"]),
        ("**最大回撤**：不超过 **15%**", ["drawdown"]),
        ("股票波动大，别超过60%", ["equity"]),
        ("拿40%买股票", ["equity"]),
        ("10%以内的回撤", ["drawdown"]),
        ("管理费0.5%", [None]),
        ("股票60%、黄金30%", ["equity", None]),
        ("债券打底、另配了一成多股票", ["equity"]),
        ("3.1%只是收益", ["return"]),
        ("2024年回撤8%", [None, "drawdown"]),
        ("久期的回撤3%", ["drawdown"]),
        ("60% in stocks, 40% in bonds", ["equity", "bond"]),
        ("stocks at 55% and bonds at 45%", ["equity", "bond"]),
        ("a drawdown of 8%", ["drawdown"]),
        ("an 8% drawdown", ["drawdown"]),
        ("keep 20% cash", ["cash"]),
        ("glucose was 154 mg/dL and weight 78 kg", ["glucose", "weight"]),
        ("주식 60%, 채권 40%", ["equity", "bond"]),
        ("최대 낙폭은 8% 이내", ["drawdown"]),
        ("20%는 현금으로", ["cash"]),
        ("10%의 수익률", ["return"]),
        ("혈당은 154mg/dL이고 체중은 78kg입니다", ["glucose", "weight"]),
    ],
)
def test_attach(text: str, expected: list[str | None]) -> None:
    assert attach(quantities(text), text, MeasureCues(MEASURES, UNITS)) == expected


def test_table_headers_are_cues() -> None:
    text = "| 资产 | 最大回撤 | 比例 |\n|---|---|---|\n| 股票 | 20% | 60% |\n| 久期 | 2.1年 | 4.8年 |"
    found = analyse(text).measures(MeasureCues(MEASURES, UNITS))
    assert found == ["drawdown", "equity", "duration", "duration"]


def test_a_plain_mapping_will_do() -> None:
    assert attach(quantities("回撤8%"), "回撤8%", {"drawdown": ["回撤"]}) == ["drawdown"]


def test_cues_survive_a_text_whose_length_folding_changes() -> None:
    text = "体\u200b重70㎏，回撤8%"
    assert analyse(text).measures(MEASURES) == ["weight", "drawdown"]
