"""Sentences of each class, the question they give, and sentences that give none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.synth.documents.model import Document
from turnmark.synth.documents.units import passages
from turnmark.synth.questions.reading import unit_facts
from turnmark.synth.questions.speakers import speaker
from turnmark.synth.questions.topics import Topics


def facts(language, text, file="a.md"):
    found = list(passages(Document(file, text, "utf-8")))
    topics = Topics(found, language)
    return [fact for passage in found for fact in unit_facts(passage, topics.topic(passage), speaker(language))]


def asked(language, text):
    return {fact.wording.plain: fact.core for fact in facts(language, text)}


@pytest.mark.parametrize(
    ("language", "sentence", "question", "core"),
    [
        ("zh", "青禾卡的年费为80元。", "青禾卡的年费是多少？", "80元"),
        ("zh", "青禾卡的免息期最长为45天。", "青禾卡的免息期是多长时间？", "最长为45天"),
        ("zh", "债券资产的比例不低于80%。", "债券资产的比例最低是多少？", "不低于80%"),
        ("zh", "成人每次服用3片。", "成人每次服用几片？", "3片"),
        ("zh", "投保人应在出险后48小时内报案。", "投保人应在出险后多少小时内报案？", "48小时"),
        ("zh", "青禾银行成立于2003年。", "青禾银行是哪一年成立的？", "2003年"),
        ("zh", "东山博物馆位于老城区钟楼旁。", "东山博物馆位于哪里？", "老城区钟楼旁"),
        ("zh", "青禾卡由青禾银行发行。", "青禾卡由哪家银行发行？", "青禾银行"),
        ("zh", "主楼由建筑师林青设计。", "主楼由谁设计？", "建筑师林青"),
        ("zh", "青禾卡的权益包括洗车、代驾和体检。", "青禾卡的权益包括哪些内容？", "洗车、代驾和体检"),
        ("zh", "如果卡片遗失，请立即拨打客服热线。", "如果卡片遗失，应该怎么办？", "请立即拨打客服热线"),
        ("zh", "指示灯不亮时，请检查插头。", "指示灯不亮时应该怎么办？", "请检查插头"),
        ("zh", "清洗滤网前，请先关闭电源。", "清洗滤网前需要先做什么？", "请先关闭电源"),
        ("zh", "糖尿病患者慎用，因为该糖浆含有蔗糖。", "为什么糖尿病患者慎用？", "该糖浆含有蔗糖"),
        ("zh", "如需恢复默认设置，请长按电源键。", "怎样恢复默认设置？", "请长按电源键"),
        ("ko", "새싹카드의 연회비는 3만 원입니다.", "새싹카드의 연회비는 얼마인가요?", "3만 원"),
        ("ko", "보증 기간은 2년이며 부품은 제외됩니다.", "보증 기간은 몇 년인가요?", "2년"),
        ("ko", "새싹은행은 1998년에 설립되었다.", "새싹은행은 언제 설립되었나요?", "1998년"),
        ("ko", "새싹은행의 본점은 바다시에 있다.", "새싹은행의 본점은 어디에 있나요?", "바다시"),
        ("ko", "새싹카드는 새싹은행이 발행한다.", "새싹카드는 어느 은행이 발행하나요?", "새싹은행"),
        ("ko", "흔한 부작용에는 두통, 졸음, 갈증이 있습니다.", "흔한 부작용에는 무엇이 있나요?", "두통, 졸음, 갈증"),
        ("ko", "카드를 잃으면 즉시 신고해야 합니다.", "카드를 잃으면 어떻게 해야 하나요?", "즉시 신고해야 합니다"),
        ("ko", "초기화하려면 전원 버튼을 누르십시오.", "초기화하려면 어떻게 해야 하나요?", "전원 버튼을 누르십시오"),
        ("ko", "성인은 한 번에 2정을 복용합니다.", None, None),
        ("ko", "백미 취사에는 약 35분이 걸립니다.", "백미 취사에는 몇 분이 걸리나요?", "35분"),
        ("en", "The annual fee of the Sprout Card is $40.", "What is the annual fee of the Sprout Card?", "$40"),
        ("en", "The kettle holds 1.7 litres of water.", "How many litres of water does the kettle hold?", "1.7 litres"),
        ("en", "The lecture hall seats 220 people.", "How many people does the lecture hall seat?", "220 people"),
        ("en", "The dam is 62 metres high.", "How high is the dam?", "62 metres"),
        ("en", "Guided tours last 45 minutes.", "How long do guided tours last?", "45 minutes"),
        (
            "en",
            "Claims must be filed within 30 days of the event.",
            "Within how many days of the event must claims be filed?",
            "30 days",
        ),
        ("en", "The lamp must be replaced every two years.", "How often must the lamp be replaced?", "every two years"),
        (
            "en",
            "Alder Fund invests 80% of its assets in bonds.",
            "What percentage of its assets does Alder Fund invest in bonds?",
            "80%",
        ),
        ("en", "The leave requires 14 days of notice.", "How many days of notice does the leave require?", "14 days"),
        ("en", "The repair costs $30 per hour.", "How much does the repair cost per hour?", "$30"),
        ("en", "The tablets must be kept for five days.", "For how long must the tablets be kept?", "five days"),
        ("en", "The warranty expires after 24 months.", "After how many months does the warranty expire?", "24 months"),
        ("en", "The museum opened in June 1931.", "When did the museum open?", "June 1931"),
        ("en", "The lobby was painted by machines.", None, None),
        ("en", "The lamp is an indicator of power.", "What is the lamp?", "an indicator of power"),
        ("en", "The filter removes sand and rust.", "What does the filter remove?", "sand and rust"),
        ("en", "Before cleaning the lamp, unplug it.", "What should you do before cleaning the lamp?", "unplug it"),
        ("en", "If a payment is late, a fee is charged.", "What happens if a payment is late?", "a fee is charged"),
        ("zh", "新规定自2024年起施行。", "新规定从哪一年开始施行？", "2024年"),
        ("zh", "东山馆于2010年开放。", "东山馆是哪一年开放的？", "2010年"),
        ("zh", "理财产品分为低、中、高三级。", "理财产品分为哪几级？", "低、中、高三级"),
        ("zh", "委员会由主任、秘书和委员组成。", "委员会由哪些部分组成？", "主任、秘书和委员"),
        ("zh", "现任馆长是林清河。", "现任馆长是谁？", "林清河"),
        ("zh", "复利是一种计算利息的方法。", "复利是什么？", "计算利息的方法"),
        ("zh", "青草膏适用于蚊虫叮咬。", "青草膏适用于什么？", "蚊虫叮咬"),
        ("zh", "如果账户长期闲置，银行会冻结账户。", "如果账户长期闲置，会怎么样？", "银行会冻结账户"),
        ("zh", "债券的违约概率达到3%。", "债券的违约概率是多少？", "达到3%"),
        ("ko", "새싹관은 매주 월요일에 휴관한다.", "새싹관은 언제 휴관하나요?", "매주 월요일"),
        ("ko", "건물은 건축가 이서준이 설계했다.", "건물은 누가 설계했나요?", "건축가 이서준"),
        ("ko", "관장은 박도윤이다.", "관장은 누구인가요?", "박도윤"),
        ("ko", "대금을 연체하면 이자가 붙는다.", "대금을 연체하면 어떻게 되나요?", "이자가 붙는다"),
        ("ko", "띠가 약하기 때문에 새싹카드는 칩을 씁니다.", "왜 새싹카드는 칩을 쓰나요?", "띠가 약하기 때문에"),
        ("en", "Alder Bank was founded in 1974.", "When was Alder Bank founded?", "1974"),
        ("en", "Alder Bank is headquartered in Redmoor.", "Where is Alder Bank headquartered?", "in Redmoor"),
        ("en", "The Sprout Card is issued by Alder Bank.", "Which organisation issues the Sprout Card?", "Alder Bank"),
        ("en", "The hall was designed by Helen Marsh.", "Who designed the hall?", "Helen Marsh"),
        ("en", "Common side effects include rash and fever.", "What are the common side effects?", "rash and fever"),
        (
            "en",
            "The lid should be closed because steam can cause burns.",
            "Why should the lid be closed?",
            "steam can cause burns",
        ),
        ("en", "To reset the kettle, hold the power button.", "How do you reset the kettle?", "hold the power button"),
        ("en", "If the card is lost, call the hotline.", "What should you do if the card is lost?", "call the hotline"),
    ],
)  # fmt: skip
def test_sentences_and_their_questions(language, sentence, question, core):
    found = asked(language, sentence)
    assert found == ({} if question is None else {question: core})


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("zh", "它的年费为200元。"),
        ("zh", "持有不足7天的，赎回费率为1.5%。"),
        ("zh", "但是期限为三年。"),
        ("zh", "年费是多少？答案是200元。"),
        ("en", "It costs $20."),
        ("en", "This is 3 metres long."),
        ("en", "However, the fee is 2%."),
        ("en", "You can cancel within 14 days."),
        ("en", "The fee that applies when it expires is 2%."),
        ("ko", "이는 2년입니다."),
        ("ko", "그러나 수수료는 2%입니다."),
        ("ko", "널리 쓰이는 방법이다."),
    ],
)
def test_what_cannot_be_understood_alone_is_not_asked(language, sentence):
    assert asked(language, sentence) == {}


@pytest.mark.parametrize(
    ("language", "text", "questions"),
    [
        (
            "zh",
            "# 晨星烤箱使用说明书\n\n- 容量：32升\n- 产地：宁波\n\n本产品的保修期为一年。\n",
            ["晨星烤箱的容量是多少？", "晨星烤箱的产地在哪里？", "晨星烤箱的保修期是多长时间？"],
        ),
        (
            "ko",
            "# 샛별오븐 사용 설명서\n\n- 용량: 32리터\n- 제조국: 대한민국\n\n이 제품의 보증 기간은 1년입니다.\n",
            ["샛별오븐의 용량은 얼마인가요?", "샛별오븐의 제조국은 어디인가요?", "샛별오븐의 보증 기간은 몇 년인가요?"],
        ),
        (
            "en",
            "# Starlight Oven User Manual\n\n- Capacity: 32 litres\n- Country of origin: Peru\n\nThis oven is new.\n",
            ["What is the capacity of Starlight Oven?", "What is the country of origin of Starlight Oven?"],
        ),
    ],
)
def test_entries_belong_to_the_thing_of_the_title(language, text, questions):
    assert list(asked(language, text)) == questions


def test_sections_that_are_alike_name_their_own_things():
    text = "# 存款产品\n\n## 活期宝\n\n- 利率：0.3%\n- 起存金额：1元\n\n## 定期宝\n\n- 利率：2.1%\n- 起存金额：50元\n"
    assert list(asked("zh", text)) == [
        "活期宝的利率是多少？",
        "活期宝的起存金额是多少？",
        "定期宝的利率是多少？",
        "定期宝的起存金额是多少？",
    ]


def test_tables_of_things_of_entries_and_of_categories():
    things = "# 门票\n\n| 票种 | 票价 |\n|---|---|\n| 成人票 | 40元 |\n"
    entries = "# 晨星烤箱说明书\n\n| 项目 | 参数 |\n|---|---|\n| 功率 | 1200瓦 |\n"
    categories = "# 保费\n\n| 年龄 | 有社保 | 无社保 |\n|---|---|---|\n| 0至4岁 | 766元 | 1626元 |\n"
    assert asked("zh", things) == {"成人票的票价是多少？": "40元"}
    assert asked("zh", entries) == {"晨星烤箱的功率是多少？": "1200瓦"}
    assert asked("zh", categories) == {}


def test_tones():
    (found,) = facts("en", "The annual fee of the Sprout Card is $40.")
    assert found.wording == (
        "What is the annual fee of the Sprout Card?",
        "Could you tell me what the annual fee of the Sprout Card is?",
        "Quick question: what is the annual fee of the Sprout Card?",
    )
    (found,) = facts("ko", "새싹카드의 연회비는 3만 원입니다.")
    assert found.wording.formal == "새싹카드의 연회비는 얼마입니까?"
    (found,) = facts("zh", "青禾卡的年费为80元。")
    assert found.wording[1:] == ("请问青禾卡的年费是多少？", "想问一下，青禾卡的年费是多少呢？")


_PIECES = st.sampled_from(
    [
        *("年费为200元", "，", "。", "\n", "\n\n", "# ", "- ", "| ", "：", "由", "是", "的", "如果", "时", "几"),
        *(
            "The fee of it is $5",
            "because ",
            "To ",
            ", ",
            ". ",
            "?",
            "kg",
            "2 metres",
            "카드는 ",
            "은 ",
            "입니다",
            "안",
        ),
        *(" ", "\u200b", "\ud800", "😀", "\r\n", "\x00", "3", "**", "<b>"),
    ]
)


@pytest.mark.parametrize("language", ["zh", "ko", "en"])
@given(st.lists(_PIECES, max_size=40).map("".join))
def test_no_text_breaks_the_rules(language, text):
    for fact in facts(language, text):
        assert fact.wording.plain.endswith(("?", "？"))
        assert fact.core.strip()
