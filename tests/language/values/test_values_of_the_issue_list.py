"""Every pair of values that was once called right or wrong by mistake, with its right relation."""

from __future__ import annotations

import pytest

from changed_values import CHANGED
from turnmark.language.values import compare_texts, compare_values, read_values

CONFLICTING = (
    CHANGED
    + """\
以上 | 以下
이상 | 이하
最少 | 最多
at least | at most
before | after
之前 | 之后
"""
)
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
