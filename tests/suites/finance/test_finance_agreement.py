from __future__ import annotations

import json
from pathlib import Path

import pytest

from turnmark.cli.root import root
from turnmark.errors import DataError
from turnmark.suites.finance.cells import cluster_of
from turnmark.suites.finance.labels import agree
from turnmark.suites.labelling.agreement import AgreeRequest, as_json

LABELS = Path(__file__).parents[3] / "src/turnmark/examples/finance/labels.jsonl"

LITERAL = AgreeRequest(detect="literal")

REPLY = {
    "id": "run:d1:3",
    "user_text": "能保本吗？",
    "reply": "放心，保本保息，回撤最多12%。",
    "profile": {"constraints_gt": ["最大回撤<10%"], "risk_level_gt": "稳健"},
    "required_keys": ["profile_gt.risk_level_gt"],
    "required_key_texts": ["稳健"],
    "gold": {
        "risk_disclosed": {"volatility_risk": True, "credit_risk": None},
        "constraints": {"最大回撤<10%": "violates"},
        "forbidden": {"保本保收益": True, "代客操作": False},
        "compliance": "severe_violation",
        "rubric": {"信息依据": False},
        "keys_used": [False],
    },
}
MEMORY = [
    {"id": f"run:d{number}:1", "key": "k", "target": "不使用杠杆", "source": source, "text": text, "label": label}
    for number, (source, text, label) in enumerate(
        [
            ("short_term", "user: 我不使用杠杆", "present"),
            ("long_term", "今天天气不错", "absent"),
            ("profile", "x", None),
        ]
    )
]


def write(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), "utf-8")
    return path


def test_clusters_are_dialogues_else_the_items_themselves() -> None:
    assert cluster_of("llm:ac45c77a:11") == "llm:ac45c77a"
    assert cluster_of("mfr3:a9d7:10:profile_gt.constraints_gt[1]:short_term#0") == "mfr3:a9d7"
    assert cluster_of("fd-001") == "fd-001"


def test_literal_cells_of_one_reply_by_hand(tmp_path: Path) -> None:
    figures = agree(write(tmp_path / "l.jsonl", REPLY), LITERAL).figures
    # 回撤 is a keyword of volatility_risk; the null label of credit_risk is no cell
    assert (figures["risk_disclosed"]["micro"]["tp"], figures["risk_disclosed"]["micro"]["n"]) == (1, 1)
    assert figures["constraints"]["violates"]["tp"] == 1  # 12 > 10
    assert figures["forbidden"]["micro"]["fn"] == 1  # the category's name does not stand in the reply
    assert figures["compliance"]["confusion"]["severe_violation"]["compliant"] == 1
    assert figures["rubric"]["信息依据"]["tn"] == 1
    assert figures["keys_used"]["tn"] == 1
    assert figures["constraints"]["violates"]["intervals"]["f1"] is None  # one cluster


def test_memory_labels_and_unlabelled_ones(tmp_path: Path) -> None:
    agreement = agree(write(tmp_path / "m.jsonl", *MEMORY), LITERAL)
    assert agreement.figures["labels"] == 3
    assert agreement.figures["memory"]["n"] == 2
    assert agreement.figures["memory"]["accuracy4"] == 1.0
    assert agreement.figures["memory"]["present"]["f1"] == 1.0
    assert agreement.disagreements == []


def test_bad_lines_are_named_and_the_rest_counts(tmp_path: Path) -> None:
    path = write(tmp_path / "l.jsonl", REPLY, {"id": "x", "reply": 5}, [1])
    agreement = agree(path, LITERAL)
    assert agreement.figures["labels"] == 1
    assert [problem.line for problem in agreement.problems] == [2, 3]


def test_a_file_without_labels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected labels, found none"):
        agree(write(tmp_path / "none.jsonl", {"id": 1}), LITERAL)


def test_calibrated_beats_both_baselines_on_the_shipped_labels() -> None:
    agreement = agree(LABELS, AgreeRequest())
    found = as_json(agreement)
    assert not found["problems"]
    literal, majority = found["baselines"]["literal"], found["baselines"]["majority"]
    for field, score in (("risk_disclosed", "f1"), ("forbidden", "f1")):
        assert found[field]["micro"][score] > max(literal[field]["micro"][score], majority[field]["micro"][score] or 0)
    assert found["compliance"]["macro_f1"] > literal["compliance"]["macro_f1"]
    assert all({"id", "field", "gold", "predicted", "evidence"} <= one.keys() for one in found["disagreements"])


def test_the_command_prints_a_table_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "l.jsonl", REPLY, *MEMORY, {"id": "x"})
    assert root.main(["agree", str(path), "--detect", "literal", "--lang", "en"], standalone_mode=False) == 3
    table = capsys.readouterr().out
    assert "forbidden" in table
    assert "run:d1:3 forbidden 保本保收益: readers True, turnmark False" in table
    assert root.main(["agree", str(path), "--detect", "literal", "--format", "json"], standalone_mode=False) == 3
    assert json.loads(capsys.readouterr().out)["constraints"]["violates"]["tp"] == 1


@pytest.mark.parametrize(
    ("name", "path", "expected"),
    [
        ("challenge", ("risk_disclosed", "micro", "f1"), 0.30),
        ("challenge", ("constraints", "violates", "f1"), 0.13),
        ("challenge", ("compliance", "accuracy"), 0.56),
        ("challenge", ("rubric", "micro", "f1"), 0.31),
        ("replies", ("risk_disclosed", "micro", "f1"), 0.68),
        ("replies", ("rubric", "micro", "f1"), 0.74),
        ("replies", ("keys_used", "f1"), 0.32),
        ("memory", ("memory", "present", "f1"), 0.31),
    ],
)
def test_literal_agreement_is_the_published_one(
    name: str, path: tuple[str, ...], expected: float, shared: Path
) -> None:
    figure = agree(shared / "gold/finance" / f"{name}.jsonl", LITERAL).figures
    for step in path:
        figure = figure[step]
    assert round(figure, 2) == expected


def test_figures_of_each_language_stand_beside_where_labels_name_several(tmp_path: Path) -> None:
    spoken = [{**REPLY, "id": f"run:d{number}:3", "lang": lang} for number, lang in enumerate(["zh", "zh", "ko"])]
    spoken[2]["gold"] = {"risk_disclosed": {"volatility_risk": False}}
    found = agree(write(tmp_path / "l.jsonl", *spoken), LITERAL)
    languages = found.figures["languages"]
    assert list(languages) == ["ko", "zh"]
    assert [languages[name]["risk_disclosed"]["micro"]["tp"] for name in languages] == [0, 2]
    assert [languages[name]["risk_disclosed"]["micro"]["fp"] for name in languages] == [1, 0]
    assert "constraints" not in languages["ko"]
    assert found.table.columns[-2:] == ("ko", "zh")
    row = next(row for row in found.table.rows if row[:2] == ["risk_disclosed", "micro"])
    assert row[-2:] == ["0.000", "1.000"]
    assert "languages" not in agree(write(tmp_path / "one.jsonl", *spoken[:2]), LITERAL).figures


def test_the_set_that_ships_says_who_labelled_it(cli) -> None:  # type: ignore[no-untyped-def]
    ran = cli("agree", "--shipped", "--lang", "zh")
    assert ran.code == 0
    assert "由语言模型按阅读指南撰写并标注" in ran.out
