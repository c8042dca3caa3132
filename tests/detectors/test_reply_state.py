"""What kind of text a reply is: minimal pairs, each a text that is in a state beside one that only looks like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from growth import SQUARE, processor_growth
from turnmark.detectors.reply_state import ReplyStates
from turnmark.schemas.turn_eval import REPLY_STATES

ASKED = {
    "zh": "我想把年终奖拿来买基金，应该怎么安排比较稳妥？",
    "ko": "연말 보너스로 펀드를 사고 싶은데 어떻게 나누는 것이 안전할까요?",
    "en": "I would like to put my bonus into funds. How should I split it to stay safe?",
}

# (language, what the pair is about): (state, reply in this state, reply that is normal)
PAIRS = {
    ("zh", "refusal, sympathy before help"): (
        "refusal",
        "抱歉，我无法回答这个问题。",
        "抱歉让您久等了，关于年终奖的安排，可以先留出半年的生活费。",
    ),
    ("zh", "refusal, then help"): (
        "refusal",
        "很遗憾，我不能提供这方面的建议。",
        "很遗憾听到您亏损的消息。不过可以先看清亏损来自哪里，再决定是否调整。",
    ),
    ("zh", "refusal, a limit of products"): (
        "refusal",
        "我无法提供投资建议。",
        "货币基金无法保证本金，但波动很小，适合放应急的钱。",
    ),
    ("zh", "refusal, a long answer that opens with a limit"): (
        "refusal",
        "对不起，我不能帮您操作账户。",
        "对不起，我不能替您下单，但可以说明思路：" + "先留应急资金，再按期限分层配置，最后定期检查。" * 6,
    ),
    ("zh", "error, a talk about errors"): (
        "error_text",
        "系统繁忙，请稍后再试。",
        "系统性风险无法靠分散消除，所以要控制总仓位。",
    ),
    ("zh", "error, request that timed out"): (
        "error_text",
        "请求超时：上游服务没有响应。",
        "请求赎回后一般要等一到三个工作日才到账。",
    ),
    ("zh", "error, a status code"): (
        "error_text",
        "502 Bad Gateway",
        "500元起就可以定投，不必一次投入。",
    ),
    ("zh", "echo, the question quoted and then answered"): (
        "echo",
        ASKED["zh"],
        f"您问：“{ASKED['zh']}”建议先留出六个月的生活费，其余按期限分层。",
    ),
    ("zh", "echo with other punctuation"): (
        "echo",
        "我想把年终奖拿来买基金，应该怎么安排比较稳妥。",
        "把年终奖拿来买基金，比较稳妥的安排是分三份：应急、债券、权益。",
    ),
    ("zh", "empty, a very short answer"): ("empty", "……", "好的。"),
    ("zh", "cut after a comma, a list that ends without a stop"): (
        "truncated",
        "建议您先留出应急资金，再考虑债券基金，然后把剩余的部分分批投入宽基指数，并且每个季度检查一次，",
        "建议您这样安排：\n1. 先留出六个月的应急资金\n2. 其余的六成买债券基金\n3. 四成分批投入宽基指数",
    ),
    ("zh", "cut in a word, an end with an emoji"): (
        "truncated",
        "建议您先留出应急资金，再考虑债券基金，然后把剩余的部分分批投入宽基指数，每个季度检查一次并且记录每次的",
        "建议您先留出应急资金，再考虑债券基金，然后把剩余的部分分批投入宽基指数，每个季度检查一次并且做好记录哦😊",
    ),
    ("zh", "cut inside a code block, a table"): (
        "truncated",
        "下面是计算方法，把数字代入即可得到每月的定投金额，请注意单位是元：\n```\n每月 = 年终奖 / 12",
        "下面的表格列出了三类资产的比例，请按自己的情况调整，单位是百分比：\n| 类别 | 比例 |\n|---|---|\n| 债券 | 60 |",
    ),
    ("zh", "wrong language, English terms in Chinese"): (
        "wrong_language",
        "You could keep six months of expenses in cash and put the rest into bond funds.",
        "可以考虑 ETF 和 REITs，例如 S&P 500 指数基金，费率 low，流动性好。",
    ),
    ("ko", "refusal, an apology before help"): (
        "refusal",
        "죄송하지만 해당 질문에는 답변드릴 수 없습니다.",
        "기다리게 해서 죄송합니다. 우선 여섯 달 치 생활비를 예금에 두는 것이 좋습니다.",
    ),
    ("ko", "refusal, regret before help"): (
        "refusal",
        "유감스럽지만 도움을 드리기 어렵습니다.",
        "손실을 보셨다니 유감입니다. 먼저 손실의 원인을 살펴보시죠.",
    ),
    ("ko", "refusal, a limit of products"): (
        "refusal",
        "저는 투자 조언을 제공할 수 없습니다.",
        "이 상품은 원금을 보장하지 않으므로 비상금을 먼저 마련하세요.",
    ),
    ("ko", "error, a talk about systems"): (
        "error_text",
        "시스템 오류가 발생했습니다.",
        "시스템 트레이딩은 규칙을 정해 두고 매매하는 방법입니다.",
    ),
    ("ko", "error with a code"): ("error_text", "오류 코드: 503", "오류를 줄이려면 분기마다 비중을 점검하세요."),
    ("ko", "error of the server"): (
        "error_text",
        "서버 장애로 응답할 수 없어요.",
        "서버 관련 주식은 변동이 크니 비중을 낮추세요.",
    ),
    ("ko", "echo, the question quoted and then answered"): (
        "echo",
        ASKED["ko"],
        f"“{ASKED['ko']}”라고 물으셨죠. 먼저 비상금을 떼어 두고 나머지를 나누세요.",
    ),
    ("ko", "echo without punctuation"): (
        "echo",
        "연말 보너스로 펀드를 사고 싶은데 어떻게 나누는 것이 안전할까요",
        "연말 보너스로 펀드를 살 때는 비상금, 채권, 주식으로 나누는 것이 안전합니다.",
    ),
    ("ko", "empty, a very short answer"): ("empty", "\n\t", "네."),
    ("ko", "cut after a comma, a list that ends without a stop"): (
        "truncated",
        "먼저 여섯 달 치 생활비를 예금에 두고, 나머지 가운데 절반은 채권형 펀드에 넣은 다음, 분기마다 비중을 점검하고,",
        "다음과 같이 나누어 보세요.\n- 여섯 달 치 생활비는 예금\n- 절반은 채권형 펀드\n- 나머지는 지수 펀드에 분할",
    ),
    ("ko", "cut in a word, an end with an emoji"): (
        "truncated",
        "먼저 여섯 달 치 생활비를 예금에 두고 나머지 가운데 절반은 채권형 펀드에 넣은 다음 분기마다 점검하는 것이",
        "먼저 여섯 달 치 생활비를 예금에 두고 나머지 가운데 절반은 채권형 펀드에 넣은 다음 분기마다 점검해 보세요 🙂",
    ),
    ("ko", "wrong language, English terms in Korean"): (
        "wrong_language",
        "可以先留出六个月的生活费，再考虑债券基金。",
        "ETF와 REITs를 함께 보시고 S&P 500 지수 펀드는 수수료를 확인하세요.",
    ),
    ("en", "refusal, sympathy before help"): (
        "refusal",
        "I'm sorry, but I can't help with that.",
        "I'm sorry to hear that. Losing money hurts; let us look at what happened first.",
    ),
    ("en", "refusal, an apology for the wait"): (
        "refusal",
        "Sorry, I cannot provide financial advice.",
        "Sorry for the wait! Keep six months of expenses in cash, then split the rest.",
    ),
    ("en", "refusal, a promise that cannot be made"): (
        "refusal",
        "I can't answer that question.",
        "Nobody can't lose money in stocks, so keep your reserve in cash.",
    ),
    ("en", "refusal, a long answer that opens with a limit"): (
        "refusal",
        "Unfortunately, I am unable to assist with this request.",
        "Unfortunately, I can't place the order for you. Here is how to do it yourself: "
        + "open the account page, choose the fund, enter the sum and confirm. " * 5,
    ),
    ("en", "refusal, unable as a talk about products"): (
        "refusal",
        "I am unable to provide investment recommendations.",
        "If you are unable to hold for three years, a bond fund fits better.",
    ),
    ("en", "error, a talk about errors"): (
        "error_text",
        "Internal server error",
        "Internal rate of return compares funds with different cash flows.",
    ),
    ("en", "error with a trace"): (
        "error_text",
        "Traceback (most recent call last):\n  File ...",
        "Trace the fees back to the fund's annual report before you choose.",
    ),
    ("en", "error of a class"): (
        "error_text",
        "openai.APITimeoutError: Request timed out.",
        "Tracking error: how far the fund drifts from its index; keep it low.",
    ),
    ("en", "error as JSON"): (
        "error_text",
        '{"error": {"message": "rate limit"}}',
        '{"cash": 30, "bonds": 50, "funds": 20} would be one way to split it.',
    ),
    ("en", "error, a rate limit"): (
        "error_text",
        "Rate limit exceeded, retry in 20 s.",
        "Rates limit what bonds can earn, so do not expect much from them.",
    ),
    ("en", "echo, the question quoted and then answered"): (
        "echo",
        ASKED["en"],
        f'You asked: "{ASKED["en"]}" Keep six months of expenses in cash and index the rest.',
    ),
    ("en", "echo with other case and marks"): (
        "echo",
        "i would like to put my bonus into funds, how should i split it to stay safe",
        "To put your bonus into funds and stay safe, split it: cash, bonds, an index fund.",
    ),
    ("en", "empty, a very short answer"): ("empty", " -- ", "Yes."),
    ("en", "cut after a comma, a list that ends without a stop"): (
        "truncated",
        "First keep six months of expenses in cash, then put half of the rest into a bond fund, and after that,",
        "Here is one way to split it:\n- six months of expenses in cash\n- half of the rest in a bond fund",
    ),
    ("en", "cut in a word, an end with an emoji"): (
        "truncated",
        "First keep six months of expenses in cash, then put half of the rest into a bond fund and the other hal",
        "First keep six months of expenses in cash, then put half of the rest into a bond fund. Good luck 🍀",
    ),
    ("en", "cut after a bracket, an end with a bracket"): (
        "truncated",
        "First keep six months of expenses in cash, then put half of the rest into a bond fund (for example (",
        "First keep six months of expenses in cash, then put half of the rest into a bond fund (short term)",
    ),
    ("en", "wrong language, a quoted term"): (
        "wrong_language",
        "먼저 여섯 달 치 생활비를 예금에 두세요.",
        'The Chinese term is "宽基指数基金": a fund that follows a broad index.',
    ),
}


def state(reply, asked, language=None):
    return ReplyStates(language).judge(asked, reply).state


def test_there_are_a_dozen_pairs_for_every_language():
    for language in ("zh", "ko", "en"):
        assert sum(key[0] == language for key in PAIRS) >= 12


@pytest.mark.parametrize(("language", "about"), PAIRS)
@pytest.mark.parametrize("told", [True, False], ids=["language given", "language from the user"])
def test_pair(language, about, told):
    expected, in_state, normal = PAIRS[language, about]
    given_language = language if told else None
    assert state(in_state, ASKED[language], given_language) == expected
    assert state(normal, ASKED[language], given_language) == "normal"


@pytest.mark.parametrize("reply", [None, "", " \n", "。。。", "!!!", "😀", "___"])
def test_no_word_is_empty(reply):
    assert state(reply, ASKED["zh"]) == "empty"


@pytest.mark.parametrize("language", ["zh", "zh-CN", "ZH-hant"])
def test_language_tags_with_a_region_are_understood(language):
    assert state("可以先留出六个月的生活费。", "?", language) == "normal"
    assert state("Keep six months of expenses in cash.", "?", language) == "wrong_language"


def test_language_is_not_judged_when_nobody_can_tell_it():
    assert state("Keep six months of expenses in cash.", "12345?") == "normal"


@pytest.mark.parametrize("question", ["INR？", "HbA1c?", "LDL"])
def test_an_abbreviation_tells_no_language(question):
    assert state("您的数值在正常范围内，下个月再查一次。", question) == "normal"
    assert state("Your value is within the usual range.", question) == "normal"


LONG = "可以先留出六个月的生活费，其余的分批买入宽基指数基金，并且每个季度检查一次。"


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        (LONG, "near_duplicate"),
        (LONG.replace("，", ", ").replace("。", "!"), "near_duplicate"),
        (LONG.replace("六个", "三个"), "near_duplicate"),
        ("债券基金的久期越长，利率上升时净值下跌越多，请先确认自己能承受的波动范围。", "normal"),
        (LONG + "另外，临近退休时应当逐步降低权益比例，并把到期的钱移到货币基金里。", "normal"),
    ],
    ids=["the same", "other punctuation", "one character", "another answer", "the same and more"],
)
def test_repeats_within_a_dialogue(second, expected):
    states = ReplyStates("zh")
    assert states.judge(ASKED["zh"], LONG).state == "normal"
    judged = states.judge("那债券呢？", second)
    assert judged.state == expected
    if expected == "near_duplicate":
        assert judged.evidence.note == "like reply 1 of this dialogue"


def test_short_confirmations_may_repeat():
    states = ReplyStates("zh")
    assert [states.judge(ASKED["zh"], "好的。").state for _ in range(3)] == ["normal"] * 3


def test_dialogues_do_not_remember_each_other():
    assert [state(LONG, ASKED["zh"]) for _ in range(2)] == ["normal"] * 2


def test_a_short_question_is_echoed_only_by_itself():
    assert state("怎么买？", "怎么买") == "echo"
    assert state("怎么卖？", "怎么买") == "normal"


@pytest.mark.parametrize(("language", "about"), PAIRS)
def test_evidence_quotes_the_words_that_decided(language, about):
    expected, in_state, normal = PAIRS[language, about]
    evidence = ReplyStates(language).judge(ASKED[language], in_state).evidence
    assert (evidence.metric, evidence.rule, evidence.label) == ("reply_state", f"reply_state.{expected}", expected)
    assert in_state[evidence.start : evidence.end] == evidence.quote
    assert len(evidence.quote) <= 60
    assert ReplyStates(language).judge(ASKED[language], normal).evidence is None


@given(st.lists(st.tuples(st.text(max_size=80), st.text(max_size=300)), max_size=5))
def test_any_text_has_a_state_and_true_offsets(turns):
    states = ReplyStates()
    for asked, reply in turns:
        judged = states.judge(asked, reply)
        assert judged.state in REPLY_STATES
        assert (judged.evidence is None) == (judged.state == "normal")
        if judged.evidence:
            assert reply[judged.evidence.start : judged.evidence.end] == judged.evidence.quote


@pytest.mark.parametrize("reply", ["." * 600 + "x", "a." * 300, "error" * 120, "抱歉" * 60, "a" * 599 + "é", "(" * 5000,
                                   "_." * 299, "sorry " * 60, "죄송" * 90])  # fmt: skip
def test_patterns_take_no_time_on_text_made_to_slow_them(reply):
    assert processor_growth(lambda times: state(reply * times, ASKED["en"]), 1, 8) < SQUARE


def test_shipped_example_has_the_states_that_its_readme_names(examples, tmp_path, cli):
    from building import read_lines  # noqa: PLC0415

    cli("score", examples / "hasty", "--detect", "literal", "--out", tmp_path / "run")
    rows = {(row["dialog_id"], row["turn_pair_id"]): row for row in read_lines(tmp_path / "run" / "turn_eval.jsonl")}
    named = {
        ("zh-fund-first-steps", 4): "echo",
        ("zh-solar-glut", 3): "empty",
        ("zh-group-chat-tip", 5): "refusal",
        ("zh-convertible-lesson", 7): "truncated",
        ("ko-isa-first-account", 5): "wrong_language",
        ("en-index-fund-basics", 9): "near_duplicate",
    }
    assert {key: rows[key]["reply_state"] for key in named} == named
    unnamed = {key for key, row in rows.items() if row["reply_state"] != "normal" and row["turn_status"] == "ok"}
    assert unnamed == set(named), "no other reply is flagged"
    assert rows["zh-bank-annual-report", 6]["turn_status"] == "timeout"
    assert rows["zh-sharp-drop-day", 5]["turn_status"] == "error"
