from hypothesis import given
from hypothesis import strategies as st

from turnmark.synth.documents.model import Document
from turnmark.synth.documents.units import heading_words, passages, plain

TEXT = """# 安宁卡说明

## 一、费用

安宁卡的年费为**200元**。首年[免收](https://example.org)。

- 挂失：10元
- 补办：15元

| 产品 | 年费 |
| --- | --- |
| 安宁卡 | 200元 |
"""


def document(text, file="a.md"):
    return Document(file, text, "utf-8")


def test_units_are_slices_of_the_document_with_ids_and_headings():
    (found,) = passages(document(TEXT))
    assert found.unit.id == "a.md#1"
    assert found.unit.headings == ("安宁卡说明", "费用")
    assert found.unit.text == TEXT[found.unit.start : found.unit.end]
    assert found.unit.text.startswith("## 一、费用")
    assert [line.text for line in found.lines][:4] == [
        "安宁卡的年费为200元。",
        "首年免收。",
        "挂失：10元",
        "补办：15元",
    ]
    cell = found.lines[-1]
    assert (cell.text, cell.row, cell.column) == ("200元", "安宁卡", "年费")
    assert all(TEXT[line.start : line.end] for line in found.lines)


def test_a_long_section_is_cut_between_blocks_and_a_long_paragraph_between_sentences():
    blocks = "\n\n".join(f"第{number}段说明了费用和期限。" * 12 for number in range(8))
    units = [found.unit for found in passages(document("# 说明\n\n" + blocks))]
    assert len(units) > 2
    assert max(len(unit.text) for unit in units) < 900
    one = "".join(f"第{number}条规定了费用和期限。" for number in range(120))
    units = [found.unit for found in passages(document(one))]
    assert len(units) > 2
    assert "".join(unit.text for unit in units) == one
    assert all(unit.text.endswith("。") for unit in units)


def test_plain_text_has_headings_without_marks():
    text = "Harbor Card\n\nFees\n\nThe annual fee is $95. It is waived in the first year.\n"
    (found,) = passages(document(text, "card.txt"))
    assert found.unit.headings == ("Harbor Card", "Fees")


def test_marks_and_numbering():
    assert plain("see **the `fee`** of [this card](http://x) <b>now</b>") == "see the fee of this card now"
    assert plain("2 < 3 & 5 > 4") == "2 < 3 & 5 > 4"
    assert [heading_words(text) for text in ("1.2 Fees", "第三章 费用", "（二）费用", "## 费用：")] == [
        "Fees",
        "费用",
        "费用",
        "## 费用",
    ]


@given(st.text(st.sampled_from("ab 保修期为两年。.!?#-|*[]()<>&\n\r\t：“”0123 가나다\u200b\ufeff😀\x0b"), max_size=300))
def test_any_text_gives_units_that_are_its_slices_in_order(text):
    position = 0
    for found in passages(document(text, "x.txt")):
        unit = found.unit
        assert position <= unit.start <= unit.end <= len(text)
        assert unit.text == text[unit.start : unit.end]
        assert all(unit.start <= line.start <= line.end <= unit.end for line in found.lines)
        position = unit.end
