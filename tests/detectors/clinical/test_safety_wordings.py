"""Classes of wording of what an answer advises: idioms that grant, negated gaps, heads, habits of others, straining."""

import csv
from pathlib import Path

import pytest

from turnmark.detectors.clinical.safety.detector import SafetyDetector
from turnmark.detectors.clinical.safety.stance import AdviceStanceReader
from turnmark.detectors.clinical.utterance import read_utterance
from turnmark.language.analysis import analyse
from turnmark.packs.safety_rules import load_safety_rules

RULES, _ = load_safety_rules()
DETECTOR = SafetyDetector(RULES)
NAMES = set(RULES.answer_patterns)


def rows():
    """The sentences of ``data/safety_wordings.tsv``; a line break is written as \\n there."""
    path = Path(__file__).parent / "data" / "safety_wordings.tsv"
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row['class']}-{row['language']}-{row['text'][:20]}")
def test_what_a_wording_advises(row):
    answer = read_utterance(analyse(row["text"].replace("\\n", "\n"), row["language"]), {})
    found = DETECTOR.advice(answer).evidence(NAMES)
    assert set(found) == set(row["endorsed"].split(",")) - {"-"}


@pytest.mark.parametrize("polarity", [True, False])
@pytest.mark.parametrize("language", ["ko", "en", "zh"])
@pytest.mark.parametrize("name", ["carefree", "gap", "head", "habit", "lift"])
def test_every_class_is_tested_both_ways_in_every_language(name, language, polarity):
    assert any((row["class"], row["language"], row["endorsed"] != "-") == (name, language, polarity) for row in rows())


@pytest.mark.parametrize(
    ("language", "text", "word"),
    [
        ("ko", "피할 것\n- 바나나\n- 감자", "감자"),
        ("ko", "다들 바나나를 드시지만 환자분은 피하세요.", "바나나"),
        ("en", "| Food | Verdict |\n|---|---|\n| Bananas | Avoid |", "Bananas"),
        ("en", "Plenty of folks grab ibuprofen for a sore knee. You shouldn't.", "ibuprofen"),
        ("zh", "| 类别 | 食物 |\n|---|---|\n| 避免 | 每天喝橙汁 |", "橙汁"),
        ("zh", "不少病友早上喝橙汁，您血钾高，就别喝了。", "橙汁"),
    ],
)
def test_what_is_headed_or_turned_away_counts_as_warned_against(language, text, word):
    start = text.index(word)
    verdict = AdviceStanceReader(analyse(text, language)).read(start, start + len(word))
    assert (verdict.advised, verdict.warned) == (False, True)


def test_a_head_governs_its_own_label_only():
    apart = "不宜：香蕉；推荐：土豆"
    reader = AdviceStanceReader(analyse(apart, "zh"))
    assert not reader.read(apart.index("香蕉"), apart.index("香蕉") + 2).advised
    assert reader.read(apart.index("土豆"), apart.index("土豆") + 2).advised
