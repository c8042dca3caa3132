from __future__ import annotations

from pathlib import Path

import pytest

from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors
from turnmark.detectors.pack_check import pack_problems
from turnmark.errors import PackError

HEAD = 'pack: my.pack\nversion: "1"\nlanguage: zh\ndetector: finance.risk\nwords:\n  storm: [风暴, 台风]\nrules:\n'
RULE = "  - {id: a, label: x, any: ['甲']}\n"
FAULTS = [
    (HEAD.replace("finance.risk", "finance.risks") + RULE, "p.yaml:4: $.detector: expected one of"),
    (
        HEAD + "  - {id: a, label: x, any: ['<nope> 丙']}\n",
        "p.yaml:8: $.rules[0].any[0]: expected one of the word lists",
    ),
    (HEAD + "  - {id: a, label: x, any: ['~3']}\n", "p.yaml:8: $.rules[0].any[0]: expected at least one step"),
    (
        HEAD + "  - {id: a, label: x, any: [甲]}\n  - {id: a, label: x, any: [乙]}\n",
        "p.yaml:9: $.rules[1].id: expected an id of its own, found 'a' again, first in $.rules[0]",
    ),
    (HEAD + "  - {id: a, label: x, any: [甲], colour: red}\n", "p.yaml:8: $.rules[0].colour"),
]


@pytest.mark.parametrize(("text", "message"), FAULTS)
def test_a_fault_is_named_by_file_line_and_field(text: str, message: str) -> None:
    assert any(str(problem).startswith(message) for problem in pack_problems(text.encode(), "p.yaml"))


def test_a_users_rule_fires_and_a_faulty_pack_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(HEAD + "  - {id: my.storm, label: storm_risk, any: ['<storm> ~4 将至|来了']}\n", "utf-8")
    found = finance_detectors("contextual", (path,)).risk(Reading("市场风暴将至。"))
    assert [(piece.rule.split("@")[0], piece.quote) for piece in found if piece.label == "storm_risk"] == [
        ("my.storm", "风暴将至")
    ]
    path.write_text(HEAD + "  - {id: my.storm, label: storm_risk, any: ['<gale>']}\n", "utf-8")
    with pytest.raises(PackError, match=r"rules\[0\]\.any\[0\]"):
        finance_detectors("contextual", (path,))
    with pytest.raises(PackError, match="cannot be read"):
        finance_detectors("contextual", (tmp_path / "none.yaml",))
