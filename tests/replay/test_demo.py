"""The demo agents: memory that can be measured, a profile that users said themselves, replies that keep to it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.replay.demo.adviser import DemoAdviser
from turnmark.replay.demo.allocation import allocation, fall
from turnmark.replay.demo.memory import LongTerm, ShortTerm, Utterance, bm25, tokens
from turnmark.replay.demo.profile import Profile, ProfileReader, shown_profile
from turnmark.replay.demo.words import LANGUAGES, adviser_words
from turnmark.replay.run.observer import TurnRecorder
from turnmark.replay.run.trace_writer import without_latencies

LEVELS = st.fixed_dictionaries(
    {},
    optional={
        "risk_level": st.sampled_from(["low", "medium", "high"]),
        "liquidity_need": st.sampled_from(["low", "medium", "high"]),
        "investment_horizon": st.sampled_from(["short", "medium", "long"]),
    },
)
LIMITS = st.fixed_dictionaries(
    {}, optional={name: st.floats(1, 100) for name in ("drawdown", "cash", "equity", "single")}
)


def profile_of(language, *texts):
    profile = Profile()
    reader = ProfileReader(adviser_words(language)[0])
    for text in texts:
        reader.read(text, profile)
    return profile


@pytest.mark.parametrize(
    ("language", "text", "levels", "limits"),
    [
        ("zh", "我比较保守，这笔钱一年后买房要用。", {"risk_level": "low", "investment_horizon": "medium"}, {}),
        ("zh", "我属于激进的，钱放五年不用。", {"risk_level": "high", "investment_horizon": "long"}, {}),
        ("zh", "最多亏两成，股票类不超过六成，手里至少留15%现金。", {},
         {"drawdown": 20, "equity": 60, "cash": 15}),
        ("zh", "任何一样东西不超过30%。", {}, {"single": 30}),
        ("zh", "这只基金近三年回撤12%，靠谱吗？", {}, {}),
        ("zh", "我朋友很激进，您觉得他该怎么办？", {}, {}),
        ("en", "I'm quite cautious and I need it in four months for a deposit.",
         {"risk_level": "low", "investment_horizon": "short"}, {}),
        ("en", "Never more than 10% in one stock, and I don't want to be down more than 20%.", {},
         {"single": 10, "drawdown": 20}),
        ("ko", "저는 보수적인 편이고 3개월 뒤에 써야 할 돈이에요.",
         {"risk_level": "low", "investment_horizon": "short"}, {}),
        ("ko", "현금 25%는 꼭 유지하고, 15% 넘게 빠지는 건 못 견뎌요.", {}, {"cash": 25, "drawdown": 15}),
    ],
)  # fmt: skip
def test_a_profile_is_what_users_say_of_themselves(language, text, levels, limits):
    profile = profile_of(language, text)
    assert (profile.levels, profile.limits) == (levels, limits)


@pytest.mark.parametrize(
    ("language", "text", "avoided", "liked"),
    [
        ("zh", "我从来不碰杠杆，可转债也不买。", ["杠杆", "可转债"], []),
        ("zh", "我比较喜欢红利基金。", [], ["红利基金"]),
        ("zh", "银行推荐了一只私募。", [], []),
        ("zh", "要不要买黄金？", [], []),
        ("en", "I never use leverage, and I prefer index funds.", ["leverage"], ["broad index funds"]),
        ("ko", "신용거래는 안 씁니다. 정기예금을 선호해요.", ["신용거래"], ["정기예금"]),
    ],
)
def test_assets_that_users_refuse_or_like(language, text, avoided, liked):
    profile = profile_of(language, text)
    assert (profile.avoided, profile.liked) == (avoided, liked)


def test_later_words_replace_earlier_ones():
    profile = profile_of("zh", "我喜欢黄金，我比较保守。", "想了想，黄金不碰了。其实我属于激进的。")
    assert (profile.avoided, profile.liked) == (["黄金"], [])
    assert profile.snapshot()["risk_level"] == "high"


def test_a_profile_is_shown_in_the_language_of_the_user():
    profile = profile_of("zh", "我偏稳健，最多亏10%，不碰杠杆。")
    record = shown_profile(profile, adviser_words("zh")[0]).record(adviser_words("zh")[0])
    assert record.splitlines() == ["风险偏好: 稳健", "约束: 最大回撤不超过10%", "回避: 杠杆"]
    assert profile.snapshot()["max_acceptable_loss"] == pytest.approx(0.1)


@given(LEVELS, LIMITS)
def test_a_mix_adds_up_and_keeps_to_the_limits(levels, limits):
    shares = allocation(levels, limits)
    assert sum(shares.values()) == pytest.approx(100, abs=0.3)
    assert all(share >= 0 for share in shares.values())
    assert shares.get("equity", 0) <= limits.get("equity", 100)
    assert shares["cash"] >= min(limits.get("cash", 0), 100) - 0.05
    assert fall(shares) <= limits.get("drawdown", 100) + 0.05
    if levels.get("investment_horizon") == "short":
        assert "equity" not in shares


def test_a_mix_by_hand():
    # Medium risk: 30; a loss of 10 % under a fall of 35 % allows 25.7; in fives: 25. Cash 20, the rest bonds.
    shares = allocation({"risk_level": "medium"}, {"drawdown": 10, "cash": 20})
    assert shares == {"equity": 25, "cash": 20, "bond": 55}
    assert fall(shares) == pytest.approx(8.8)  # 25 · 35 %
    assert allocation({}, {"single": 30}) == {"equity": 10, "cash": 15, "bond": 30, "credit": 30, "deposit": 15}


def test_tokens_of_three_scripts():
    assert tokens("Index 基金 3.5%") == ["index", "基金", "3.5"]
    assert tokens("红利基金") == ["红利", "利基", "基金"]
    assert tokens("한 종목") == ["한", "종목"]


def test_bm25_by_hand():
    # One of two documents holds the word: idf = ln(1 + 1.5/1.5) = ln 2; it has the mean length, so the factor is 1.
    scores = bm25(["a"], [["a", "b"], ["b", "c"]])
    assert scores == [pytest.approx(0.6931471805599453), 0.0]
    assert bm25(["a"], []) == []
    assert bm25(["z"], [["a"]]) == [0.0]


@given(
    st.lists(st.lists(st.sampled_from("abcd"), max_size=6), max_size=5), st.lists(st.sampled_from("abcde"), max_size=4)
)
def test_bm25_is_positive_exactly_where_a_token_is_shared(documents, query):
    for document, score in zip(documents, bm25(query, documents), strict=True):
        assert (score > 0) == bool(set(document) & set(query))


def test_memories(tmp_path):
    short = ShortTerm(1)
    for turn in (1, 2):
        short.add(Utterance(turn, "user", f"question {turn}"))
        short.add(Utterance(turn, "assistant", f"answer {turn}"))
    assert [held.text for held in short.turns()] == ["question 2", "answer 2"]
    long = LongTerm(tmp_path)
    for turn, text in enumerate(["bonds and rates", "gold", "bonds", "bonds again"], 1):
        long.add(turn, text)
    assert [found.turn for found in long.search("bonds", before=4, most=2)] == [3, 1]
    assert long.search("silver", before=9, most=2) == []
    long.close()


def adviser(tmp_path, **settings):
    recorder = TurnRecorder()
    return DemoAdviser(recorder, tmp_path, **settings), recorder


def turn(agent, recorder, text):
    recorder.turn_start(1, text)
    reply = agent.handle_turn(text)
    payload = recorder.turn_end(1, reply.text, "ok", None)
    assert "warnings" not in payload
    return reply.text, payload


@pytest.mark.parametrize(
    ("texts", "remembered"),
    [
        (["我偏保守，最多亏5%，不碰杠杆。", "基金怎么选？", "债券呢？", "股票呢？", "刚才说的，按我的情况配个比例"],
         "最大回撤不超过5%"),
        (["I'm cautious and never want to be down more than 5%.", "What is a bond?", "And gold?", "And stocks?",
          "Back to what I said: sketch a mix."], "maximum drawdown under 5%"),
        (["저는 보수적이고 5% 넘게 빠지는 건 싫어요.", "채권은요?", "지수 ETF는요?", "환율은요?",
          "아까 말한 조건대로 비율을 보여 주세요."],
         "최대 낙폭 5% 이내"),
    ],
)  # fmt: skip
def test_what_was_said_first_shapes_the_last_reply(tmp_path, texts, remembered):
    agent, recorder = adviser(tmp_path)
    *_, (reply, payload) = [turn(agent, recorder, text) for text in texts]
    assert remembered in reply
    assert remembered in payload["recall"]["profile_context"]
    assert payload["recall"]["items"][0]["turn_index"] == 1
    assert texts[0] not in payload["recall"]["short_term_context"]
    assert payload["tools"][0]["tool_name"] == "allocation"
    assert payload["profile_snapshot"]["risk_level"] == "low"
    assert payload["compliance"]["is_compliant"] is True
    agent.close()


def test_the_plain_agent_remembers_nothing(tmp_path):
    agent, recorder = adviser(tmp_path, remember=False)
    turn(agent, recorder, "我偏保守，最多亏5%。")
    reply, payload = turn(agent, recorder, "按我的情况配个比例")
    assert "5%的底线" not in reply
    assert set(payload) == {"tools", "compliance"}
    assert list(tmp_path.iterdir()) == []
    agent.close()


def test_a_text_without_a_language_is_answered_in_the_last_one(tmp_path):
    agent, recorder = adviser(tmp_path)
    assert "guaranteed" in turn(agent, recorder, "603")[0]
    turn(agent, recorder, "债券是什么？")
    assert "不构成" in turn(agent, recorder, "603???")[0]


@given(texts=st.lists(st.text(max_size=60), min_size=1, max_size=3))
def test_any_text_gets_a_whole_reply(tmp_path_factory, texts):
    agent, recorder = adviser(tmp_path_factory.mktemp("memory"))
    for text in texts:
        reply, payload = turn(agent, recorder, text)
        assert len(reply) > 60
        assert "{" not in reply
        json.dumps(payload)
    agent.close()


def test_two_replays_are_equal(cli, tmp_path, examples):
    traces = []
    for name in ("a", "b"):
        out = tmp_path / name
        assert cli("replay", examples / "dataset.jsonl", "--agent", "demo", "--out", out, "--workers", 3).code == 0
        lines = (out / "dialog_trace.jsonl").read_text().splitlines()
        traces.append([without_latencies(json.loads(line)) for line in lines])
    assert traces[0] == traces[1]


def test_memory_shows_in_the_figures(cli, tmp_path, examples):
    figures = {}
    for agent in ("demo", "demo-plain"):
        shown = cli("run", examples / "dataset.jsonl", "--agent", agent, "--out", tmp_path / agent, "--format", "json")
        assert shown.code == 0
        assert shown.json["reply_states"]["normal"] >= 170
        figures[agent] = shown.json["metrics"]["m1_context_continuity"]["micro"]["key_coverage"]
    assert figures["demo"] > 0.7
    assert figures["demo-plain"] == 0


def test_recorded_dialogues_are_played_without_a_failed_turn(cli, tmp_path, memfin):
    out = ("--out", tmp_path / "run", "--detect", "literal", "--format", "json")
    shown = cli("run", memfin / "MemFinConv_24.jsonl", "--agent", "demo", *out)
    assert shown.code == 0
    assert shown.json["turn_status"] == {"ok": 316, "timeout": 0, "error": 0}
    assert shown.json["reply_states"]["normal"] == 316


def test_packs_of_all_languages_are_whole():
    kinds = {"mix", "summary", "compare", "earlier"}
    for words, digest in map(adviser_words, LANGUAGES):
        assert set(words.asks) == kinds
        assert set(words.levels) == {"risk_level", "liquidity_need", "investment_horizon"}
        assert set(words.sentences.mix_items) == {"cash", "deposit", "bond", "credit", "equity"}
        assert len(digest) == 16
        for topic in (*words.topics, words.general):
            assert topic.facts
            assert topic.risks
