import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.language.text.segment import segment

# "|" parts sentences, "/" parts clauses.
SENTENCES = [
    # Chinese
    "市场有风险。|投资需谨慎。",
    "会涨吗？|没人知道！",
    "他说：“不会亏。”|我不信。",
    "涨了3.5%。|跌了2.1%。",
    "……先别急。|再看看",
    "净值1.2345，回撤8%。",
    "好！！！|真的？？|是的。",
    "**不保本。**|请留意。",
    "风险高。|**务必谨慎**。",
    "（不构成建议。）|仅供参考。",
    "他问“能买吗？”|我说不能。",
    "一是费率；二是规模。",
    "AA+级，R3产品，T+0。",
    # Korean
    "혈압이 높습니다.|약을 드세요.",
    "괜찮아요!|걱정 마세요.",
    "아프신가요?|알려주세요.",
    "수치는 7.2%입니다.|목표는 7.0%예요.",
    "'괜찮다'고 했습니다.|하지만 아닙니다.",
    "약은 1.5정입니다.|꼭 드세요",
    "네, 좋습니다.|감사합니다.",
    "피하세요(특히 저녁).|알겠죠?",
    # English
    "It fell.|It rose.",
    "Dr. Lee agreed.|We did too.",
    "Use e.g. an index fund.|It works.",
    "It rose 3.5 percent.|Then it fell.",
    "She moved to the U.S. last year.|He stayed.",
    "Take it at 9 a.m. daily.|Rest at noon.",
    "Stop at 9 p.m.|Then sleep.",
    'He said "stop."|She went on.',
    "Really?!|Yes.",
    "See Fig. 3 for that.|Fine.",
    "J. Smith wrote it.|True.",
    "Costs, fees, etc. matter.|Mind them.",
    "So did I.|Go on.",
    "Version 2.0 is out.|Good.",
    "Take vitamin C. It helps.",
]


@pytest.mark.parametrize("parted", SENTENCES)
def test_sentences(parted: str) -> None:
    expected = parted.split("|")
    text = " ".join(expected) if expected[0].isascii() or any("가" <= c <= "힣" for c in parted) else "".join(expected)
    assert [text[s.start : s.end] for s in segment(text).sentences] == expected


CLAUSES = [
    # Chinese
    "不要加杠杆，/但可以做两融。",
    "涨了1,234.5元，/又跌了。",
    "买入600519，/1480附近。",
    "不是不能配，/是不该给您配。",
    "股票60%、债券40%。",
    "它便宜/但波动大。",
    "收益高；/风险也高。",
    "不是建议/而是提醒。",
    "不但便宜，/而且透明。",
    "开个玩笑——/别当真。",
    "１，２３４元，/够了。",
    # Korean
    "바나나는 피하시고 /사과를 드세요.",
    "바나나, 오렌지, 감자는 피하세요.",
    "술은 안 되지만 /물은 됩니다.",
    "어지러우면 /앉으세요.",
    "걷고 있으시면 좋습니다.",
    "비싸지만, /효과는 좋습니다.",
    "혈압이 높은데 /어지러우신가요?",
    "주스 말고 /물을 드세요.",
    "최고 혈압은 높습니다.",
    "하면 안 됩니다.",
    # English
    "Avoid bananas, oranges, and potatoes.",
    "Avoid bananas, /but you can have apples.",
    "If you feel dizzy, /stop.",
    "It is cheap; /it is risky.",
    "Skip salt, /use lemon.",
    "It rose, /however slowly.",
    "It is 1,234 dollars.",
    "Rest /because you need it.",
    "Do not run /and you will heal.",
    "Walk, /which helps.",
]


@pytest.mark.parametrize("parted", CLAUSES)
def test_clauses(parted: str) -> None:
    text = parted.replace("/", "")
    expected = [part.strip() for part in parted.split("/")]
    assert [text[c.start : c.end] for c in segment(text).clauses] == expected


def test_enough_cases_a_language() -> None:
    def language(text: str) -> str:
        if any("가" <= c <= "힣" for c in text):
            return "ko"
        return "en" if text.isascii() else "zh"

    counted = [language(text) for text in (*SENTENCES, *CLAUSES, *BLOCKS)]
    assert min(counted.count(name) for name in ("zh", "ko", "en")) >= 25


# Text, then kind and content of each block.
BLOCKS = {
    "## 一、风险": [("heading", "一、风险")],
    "- 现金\n- 债券": [("list_item", "现金"), ("list_item", "债券")],
    "1. 现金\n2) 债券\n（1）股票": [("list_item", "现金"), ("list_item", "债券"), ("list_item", "股票")],
    "① 채소 먼저\n② 밥": [("list_item", "채소 먼저"), ("list_item", "밥")],
    "> 提示：有风险": [("quote", "提示：有风险")],
    "```\n代码\n```\n正文": [("code", ""), ("code", "代码"), ("code", ""), ("paragraph", "正文")],
    "---\n正文": [("table_rule", ""), ("paragraph", "正文")],
    "**加粗开头**的段落": [("paragraph", "**加粗开头**的段落")],
    "3.5% 的收益": [("paragraph", "3.5% 的收益")],
    "1.2 倍": [("paragraph", "1.2 倍")],
    "A line that wraps\nand goes on.": [("paragraph", "A line that wraps\nand goes on.")],
    "One line\nAnother line": [("paragraph", "One line"), ("paragraph", "Another line")],
    "혈압\n체중": [("paragraph", "혈압"), ("paragraph", "체중")],
    "# 식사\n* 밥\n+ 국": [("heading", "식사"), ("list_item", "밥"), ("list_item", "국")],
    "오전\n\n오후": [("paragraph", "오전"), ("paragraph", "오후")],
    "주의: 술\n- 맥주": [("paragraph", "주의: 술"), ("list_item", "맥주")],
    "1. 걷기\n2. 쉬기": [("list_item", "걷기"), ("list_item", "쉬기")],
    "> 참고하세요": [("quote", "참고하세요")],
    "  - 안쪽": [("list_item", "안쪽")],
}


@pytest.mark.parametrize("text", BLOCKS)
def test_blocks(text: str) -> None:
    blocks = segment(text).blocks
    assert [(b.kind, text[b.content_start : b.content_end]) for b in blocks] == BLOCKS[text]


def test_table_cells_know_their_headers() -> None:
    text = "| 资产 | 比例 | 备注 |\n|:---|---:|---|\n| 股票 | 60% | |\n| 债券 | 40% | 稳 |"
    found = segment(text)
    cells = {
        text[b.content_start : b.content_end]: (
            text[slice(*b.column_header)] if b.column_header else None,
            text[slice(*b.row_header)] if b.row_header else None,
        )
        for b in found.blocks
        if b.kind == "table_cell"
    }
    assert cells["资产"] == (None, None)
    assert cells["股票"] == ("资产", None)
    assert cells["60%"] == ("比例", "股票")
    assert cells["稳"] == ("备注", "债券")
    assert [b.kind for b in found.blocks].count("table_rule") == 1


def test_table_without_outer_bars() -> None:
    text = "자산 | 비중\n--- | ---\n주식 | 60%"
    cell = next(b for b in segment(text).blocks if text[b.content_start : b.content_end] == "60%")
    assert text[slice(*cell.column_header or (0, 0))] == "비중"
    assert text[slice(*cell.row_header or (0, 0))] == "주식"


def test_heading_level_and_ordered_items() -> None:
    blocks = segment("### 三级\n1. 一\n- 二").blocks
    assert [(b.level, b.ordered) for b in blocks] == [(3, False), (0, True), (0, False)]


def test_positions_find_their_sentence_and_clause() -> None:
    text = "不要加杠杆，但可以做两融。净值会波动。"
    found = segment(text)
    assert text[slice(*found.sentence_at(14)[:2])] == "净值会波动。"
    assert text[slice(*found.clause_at(8)[:2])] == "但可以做两融。"
    with pytest.raises(IndexError):
        segment("").sentence_at(0)


LINES = [
    "- ",
    "1. ",
    "# ",
    "> ",
    "```",
    "|",
    "---",
    "。",
    "，",
    ". ",
    "! ",
    "?",
    "**",
    '"',
    "“",
    "”",
    "不要",
    "Dr.",
    "혈압이 높고 ",
    "and ",
    "3.5",
    "\n",
    "\n\n",
    " ",
    "\u200b",
    "㎏",
]


@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(LINES), max_size=25).map("".join)))
def test_segments_cover_the_text_without_overlap(text: str) -> None:
    found = segment(text)
    covered = [False] * len(text)
    for block in found.blocks:
        assert block.start <= block.content_start <= block.content_end <= block.end
        for position in range(block.start, block.end):
            assert not covered[position]
            covered[position] = True
    invisible = "\u00ad\u200b\u200c\u2060\ufeff\u200e\u200f"
    for position, character in enumerate(text):
        blank = found.folded.from_original(position, position + 1)
        folded = found.folded.text[blank[0] : blank[1]]
        assert covered[position] or not folded.strip(" \n") or character in invisible
    position = 0
    for index, sentence in enumerate(found.sentences):
        assert position <= sentence.start < sentence.end
        position = sentence.end
        clauses = found.clauses_of(index)
        joined = "".join(text[c.start : c.end] for c in clauses)
        assert "".join(joined.split()) == "".join(text[sentence.start : sentence.end].split())
