"""Every pair of values that was once called right or wrong by mistake, with its right relation."""

from __future__ import annotations

import pytest

from turnmark.language.values import compare_texts, compare_values, read_values

CONFLICTING = """\
2024年3月15日 | 2024年9月25日
3월 15일 | 9월 30일
2024-03-15 | 2024-09-30
3/15/2024 | 9/25/2024
7 May 2023 | 7 May 2024
9:00 | 9:30
9 am | 9 pm
-5% | 5%
-20°C | 20°C
负5% | 5%
零下20度 | 20度
영하 20도 | 20도
마이너스 5% | 5%
minus 5% | 5%
R4 | R2
2등급 | 5등급
type 1 | type 2
1型 | 2型
1형 | 2형
600519 | 000858
第12条 | 第21条
제12조 | 제21조
A类 | C类
B12 | B6
α | β
+ | +++
BP 86/148 | BP 148/86
500美元 | 500元
500달러 | 500원
500 dollars | 500 euros
5 mL | 5 mg
10 mg | 10 mg/kg
250 µg | 250 mg
20 units | 20 mL
3个工作日 | 3个月
3 days | 3 weeks
$1.5B | $1.5M
5万 | 5万亿
5천만원 | 5천억원
阳性 | 阴性
양성 | 음성
良性 | 恶性
以上 | 以下
이상 | 이하
最少 | 最多
at least | at most
before | after
之前 | 之后
included | excluded
포함 | 별도
포함 | 제외
收费 | 免费
유료 | 무료
at least 5 | at most 5
"""
EQUAL = """\
二百元 | 200元
2만원 | 20,000원
$1,200 | 1200 dollars
two years | 24 months
일주일 | 7일
half a year | 6个月
9:00-17:00 | 上午九点到下午五点
3至5个工作日 | 3到5个工作日
1,500 million | 1.5 billion
1万元 | 10000元
5천억 | 500,000,000,000
1조 2천억 | 1,200,000,000,000
1억2천만원 | 120,000,000원
3 lakh | 300,000
2 crore | 20 million
3–5 days | 3 to 5 days
Yes. | 네
"""


def rows(table: str) -> list[tuple[str, str]]:
    return [(mine, theirs) for line in table.splitlines() for mine, theirs in (line.split(" | "),)]


@pytest.mark.parametrize(("mine", "theirs"), rows(CONFLICTING))
def test_different_values_conflict_in_both_directions(mine: str, theirs: str) -> None:
    one, other = read_values(mine)[0], read_values(theirs)[0]

    assert compare_values(one, other).relation == "conflicting"
    assert compare_values(other, one).relation == "conflicting"


@pytest.mark.parametrize(("mine", "theirs"), rows(EQUAL))
def test_the_same_value_in_other_words_is_equal(mine: str, theirs: str) -> None:
    one, other = read_values(mine)[0], read_values(theirs)[0]

    assert compare_values(one, other).relation == "equal"
    assert compare_values(other, one).relation == "equal"


@pytest.mark.parametrize(
    ("mine", "theirs", "follows"),
    [
        (">60", "75", True),
        ("75", ">60", False),
        ("3 days", "3-5 days", True),
        ("4 days", "3-5 days", False),
        ("March 2024", "15 March 2024", True),
        ("15 March 2024", "March 2024", False),
        ("22 credits", "at most 22 credits", True),
    ],
)
def test_contained_values_tell_which_follows(mine: str, theirs: str, follows: bool) -> None:
    one, other = ([value for value in read_values(text) if value.kind != "polarity"] for text in (mine, theirs))
    comparison = compare_values(one[0], other[0])

    assert (comparison.relation, comparison.follows) == ("contained", follows)


def test_a_conflict_names_both_values_and_their_spans() -> None:
    (finding,) = compare_texts("보증 기간은 3년입니다", ["배송은 2일 걸립니다.", "보증 기간은 5년입니다"])

    assert finding.state == "conflicting"
    assert finding.reason == "number 3년 ≠ 5년"
    assert (finding.passage, finding.other and finding.other.text) == (1, "5년")


def test_values_of_different_things_do_not_conflict() -> None:
    (finding,) = compare_texts("보증 기간은 3년입니다", ["배송은 2일 걸립니다."])

    assert finding.state == "not_stated"
