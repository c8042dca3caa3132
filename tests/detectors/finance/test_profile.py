"""M2 values: every field and mapping by hand, and what a reply says of its user."""

from __future__ import annotations

import msgspec
import pytest

from turnmark.detectors.finance.contextual.profile.detector import ProfileDetector
from turnmark.detectors.finance.contextual.profile.text import ProfileText
from turnmark.detectors.finance.contextual.profile.words import ProfileWords
from turnmark.packs.profile import profile_pack
from turnmark.schemas.trace import DialogTrace

PACKS = [profile_pack(language)[0] for language in ("zh", "ko", "en")]
WORDS = ProfileWords(PACKS)
TEXTS = {pack.language: ProfileText(pack) for pack in PACKS}
DETECTOR = ProfileDetector()


def dialog(turns, **truth):
    """A dialogue of (reply, snapshot) turns with a ground-truth profile."""
    return msgspec.convert(
        {
            "trace_version": "v1",
            "run_id": "r",
            "dialog_id": "d",
            "dataset_index": 0,
            "dialog_status": "ok",
            "valid_dialog": True,
            "profile_gt": truth or None,
            "turns": [
                {
                    "turn_pair_id": number,
                    "user_turn_abs_idx": 2 * number,
                    "gt_assistant_abs_idx": 2 * number + 1,
                    "user_text": "",
                    "gt_assistant_text": "",
                    "gt_turn_tags": None,
                    "turn_status": "ok",
                    "pred_assistant_text": reply,
                    "profile_snapshot": snapshot,
                }
                for number, (reply, snapshot) in enumerate(turns)
            ],
        },
        DialogTrace,
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("low", "low"), ("conservative", "low"), ("保守", "low"), ("保守型投资者", "low"), ("안정형", "low"),
        ("cautious", "low"), ("medium", "medium"), ("moderate", "medium"), ("稳健", "medium"), ("平衡型", "medium"),
        ("안정추구형", "medium"), ("balanced", "medium"), ("high", "high"), ("aggressive", "high"), ("进取", "high"),
        ("激进型", "high"), ("進取型", "high"), ("공격투자형", "high"), ("unknown", None), ("", None), (None, None),
        ("未知", None), ("R9", None),
    ],
)  # fmt: skip
def test_risk_levels(text, value):
    assert WORDS.risk(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("short", "short"), ("<=6月", "short"), ("半年", "short"), ("６个月", "short"), ("6개월 이내", "short"),
        ("medium", "medium"), ("6-24月", "medium"), ("18个月", "medium"), ("1년 반", "medium"), ("两年", "medium"),
        ("2 years", "medium"), ("1-2年", "medium"), ("long", "long"), ("2年以上", "long"), ("3年", "long"),
        ("两年以上", "long"), ("over 2 years", "long"), ("4~5년", "long"), ("长期", "long"), ("unknown", None),
        ("", None), (None, None),
    ],
)  # fmt: skip
def test_horizons(text, value):
    assert WORDS.horizon(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("high", "high"), ("高", "high"), ("medium", "medium"), ("中", "medium"), ("low", "low"), ("低", "low"),
     ("unknown", None), (None, None)],
)  # fmt: skip
def test_liquidity(text, value):
    assert WORDS.liquidity(text) == value


@pytest.mark.parametrize(
    ("value", "constraint"),
    [
        (0.1, "最大回撤<10%"), (10, "最大回撤<10%"), ("10%", "最大回撤<10%"), ("0.1", "最大回撤<10%"),
        (0.15, "最大回撤<15%"), (12.5, "最大回撤<12.5%"), (None, None), (0, None), (-0.1, None), (250, None),
        ("unknown", None), (True, None),
    ],
)  # fmt: skip
def test_acceptable_loss(value, constraint):
    assert WORDS.loss_limit(value) == constraint


@pytest.mark.parametrize(
    ("same", "constraint"),
    [
        (["杠杆", "不使用杠杆", "杠杆产品", "不加杠杆", "레버리지 상품 제외", "no leverage"], "不使用杠杆"),
        (["海外", "不投海外市场", "境外资产", "해외 자산 제외"], "不投海外市场"),
        (["ST", "*ST", "不买ST及*ST股票", "st股票"], "不买ST及*ST股票"),
        (["最大回撤<10%", "最大回撤不超过10%", "回撤控制在一成以内", "最大回撤＜１０％", "최대 낙폭 10% 이내",
          "maximum drawdown under 10%"], "最大回撤<10%"),
        (["保留20%现金应急", "现金留两成", "현금 20% 유지", "keep 20% in cash"], "保留20%现金应急"),
        (["单一资产仓位不超过30%", "단일 종목 비중 30% 이하"], "单一资产仓位不超过30%"),
        (["no single stock above 10%"], "单一资产仓位不超过10%"),
        (["单只基金仓位不超过20%"], "单只基金仓位不超过20%"),
        (["权益类总仓位不超过60%", "股票仓位不超过六成", "equities at most 60%"], "权益类总仓位不超过60%"),
        (["组合久期控制在3年以内", "portfolio duration under 3 years"], "组合久期控制在3年以内"),
        (["不使用融资融券", "两融", "신용거래 사용 안 함", "no margin loans"], "不使用融资融券"),
        (["不参与场外配资", "配资"], "不参与场外配资"),
        (["不做短线交易", "短线", "단기 매매 안 함", "no day trading"], "不做短线交易"),
        (["不接受高波动策略", "高波动"], "不接受高波动策略"),
        (["不买单一小盘股", "小盘股", "no small-cap stocks"], "不买单一小盘股"),
        (["不参与题材炒作", "题材股"], "不参与题材炒作"),
        (["不追高"], "不追高"),
        (["回避高估值成长股"], "回避高估值成长股"),
        (["仅考虑公募基金"], "仅考虑公募基金"),
        (["不投分级基金", "分级基金"], "不投分级基金"),
        (["优先低费率基金"], "优先低费率基金"),
        (["仅投高等级信用债", "only investment-grade bonds"], "仅投高等级信用债"),
        (["不投低评级信用债", "垃圾债"], "不投低评级信用债"),
        (["债券资产以利率债和高等级信用债为主"], "债券资产以利率债和高等级信用债为主"),
        (["不配置可转债", "可转债"], "不配置可转债"),
        (["期权", "期货", "원금 손실 가능 파생상품 제외"], "不投期货期权等衍生品"),
        (["黄金", "不投黄金", "不买黄金"], "黄金"),
        (["无明确约束", "unknown", ""], None),
    ],
)  # fmt: skip
def test_constraints(same, constraint):
    assert {text: WORDS.constraint(text) for text in same} == dict.fromkeys(same, constraint)


@pytest.mark.parametrize(
    ("same", "preference"),
    [
        (
            ["沪深300ETF", "宽基", "宽基指数基金", "中证500指数基金", "국내 지수 ETF", "broad index funds"],
            "宽基指数基金",
        ),
        (["国债/利率债", "国债", "利率债", "treasury bonds"], "国债"),
        (["蓝筹", "大盘蓝筹股", "大盘蓝筹"], "大盘蓝筹股"),
        (["高等级信用债", "高评级信用债"], "高等级信用债"),
        (["红利低波", "红利基金"], "红利基金"),
        (["FOF 基金", "FOF基金"], "fof基金"),
        (["bond ladders"], "债券梯形组合"),
        (["银行股投资"], "银行股投资"),
        (["unknown", ""], None),
    ],
)
def test_preferences(same, preference):
    assert {text: WORDS.preference(text) for text in same} == dict.fromkeys(same, preference)


SAID = [
    ("您属于稳健型投资者，可以多看看债券。", {("risk", "medium")}),
    ("像您这样的保守型客户，先把应急金留足。", {("risk", "low")}),
    ("这表明你属于平衡型或稳健型投资者。", {("risk", "medium")}),
    ("您的风险承受能力为中等。", {("risk", "medium")}),
    ("保守型投资者不适合，而您是进取型。", {("risk", "high")}),
    ("稳健型基金很适合您。", set()),
    ("适合您的稳健型产品有三类。", set()),
    ("建议您选择稳健型理财。", set()),
    ("如果您是保守型投资者，可以多配国债。", set()),
    ("您是进取型投资者吗？", set()),
    ("您的风险承受能力（保守/稳健/进取）请先确认。", set()),
    ("您并非激进型投资者。", set()),
    ("进取型投资者可以加杠杆，但您不适合。", set()),
    ("根据您的风险承受能力和目标进行更积极的规划。", set()),
    ("鉴于您的投资期限是两年以上，可以承受一些起伏。", {("horizon", "long")}),
    ("您计划三年后买房，这笔钱要稳。", {("horizon", "long")}),
    ("您这笔钱半年内要用，放货币基金。", {("horizon", "short")}),
    ("您的投资期限大概是多久？例如半年、一年还是三年以上。", set()),
    ("这只基金近三年年化5%，您可以看看。", set()),
    ("您的流动性需求较高，锁定期长的先放一边。", {("liquidity", "high")}),
    ("您随时要用这笔钱，活期就好。", {("liquidity", "high")}),
    ("请确保您投入的资金是闲钱。", set()),
    ("符合您不使用杠杆的约束。", {("constraints", "不使用杠杆")}),
    ("您说过不碰ST，这只就不看了。", {("constraints", "不买ST及*ST股票")}),
    ("您不要使用杠杆。", set()),
    ("您要求最大回撤不超过10%，股票就别超过三成。", {("constraints", "最大回撤<10%")}),
    ("纯权益资产满足不了您 15% 的回撤底线。", {("constraints", "最大回撤<15%")}),
    ("建议您把回撤控制在10%以内。", set()),
    ("您的组合最大回撤约12%。", set()),
    ("您偏好可转债，可以看看。", {("preferences", "可转债")}),
    ("您偏好美股。", {("preferences", "美股")}),
    ("您更喜欢ETF，费率低。", {("preferences", "etf")}),
    ("您偏好债券和指数基金。", {("preferences", "债券"), ("preferences", "指数基金")}),
    ("您的最大回撤不超过10%。", {("constraints", "最大回撤<10%")}),
    ("Since you like convertible bonds, start small.", {("preferences", "可转债")}),
    ("고객님은 미국 주식을 선호하십니다.", {("preferences", "美股")}),
    ("您偏好宽基指数基金，费率就是第一眼要看的。", {("preferences", "宽基指数基金")}),
    ("宽基指数基金费率低，您可以了解。", set()),
    ("고객님은 안정추구형이시니 채권 비중이 큽니다.", {("risk", "medium")}),
    ("안정형 펀드는 고객님께 어떨까요?", set()),
    ("고객님의 투자 기간은 5년이라 여유가 있습니다.", {("horizon", "long")}),
    ("고객님은 레버리지를 안 쓰기로 하셨죠.", {("constraints", "不使用杠杆")}),
    ("Your risk tolerance is moderate.", {("risk", "medium")}),
    ("You are a conservative investor.", {("risk", "low")}),
    ("A conservative fund may suit you.", set()),
    ("If you are aggressive, you might look at shares.", set()),
    ("Are you conservative?", set()),
    ("Your time horizon is five years.", {("horizon", "long")}),
    ("Your rule of no leverage stands.", {("constraints", "不使用杠杆")}),
    ("That would break your 15% drawdown limit.", {("constraints", "最大回撤<15%")}),
]


@pytest.mark.parametrize(("reply", "said"), SAID)
def test_what_a_reply_says_of_its_user(reply, said):
    language = "ko" if any("가" <= letter <= "힣" for letter in reply) else "en" if reply.isascii() else "zh"
    statements = TEXTS[language].statements(reply)
    assert {(statement.field, statement.value) for statement in statements} == said
    assert all(0 <= statement.start < statement.end <= len(reply) for statement in statements)


def test_the_last_informative_snapshot_wins_field_by_field():
    predicted, true, evidence = DETECTOR.detect(
        dialog(
            [
                (None, {"risk_level": "low", "investment_horizon": "3年", "forbidden_assets": ["海外"]}),
                (None, {"risk_level": "medium", "liquidity_need": "high", "max_acceptable_loss": 0.1}),
                (None, {"risk_level": "unknown", "forbidden_assets": ["杠杆", "ST"], "preferred_topics": ["蓝筹"]}),
                (None, {"risk_level": "", "forbidden_assets": [], "preferred_topics": []}),
                (None, None),
            ],
            risk_level_gt="稳健",
            horizon_gt="2年以上",
            liquidity_need_gt="高",
            constraints_gt=["最大回撤<10%", "不使用杠杆", "不买ST及*ST股票"],
            preferences_gt=["大盘蓝筹股"],
        )
    )
    assert predicted == true
    assert [piece.source for piece in evidence] == [
        "turns[1].profile_snapshot.risk_level",
        "turns[0].profile_snapshot.investment_horizon",
        "turns[1].profile_snapshot.liquidity_need",
        "turns[2].profile_snapshot.forbidden_assets[0]",
        "turns[2].profile_snapshot.forbidden_assets[1]",
        "turns[1].profile_snapshot.max_acceptable_loss",
        "turns[2].profile_snapshot.preferred_topics[0]",
    ]
    assert evidence[0].quote == "medium"
    assert evidence[5].quote == "0.1"


def test_replies_speak_where_snapshots_are_silent():
    first, second = "您属于保守型投资者。", "重新测评后，您属于稳健型投资者，您不使用杠杆的约束我记着。"
    predicted, _, evidence = DETECTOR.detect(
        dialog([(first, {"risk_level": "unknown"}), (second, {"investment_horizon": "long"})])
    )
    assert (predicted.risk, predicted.horizon, predicted.liquidity) == ("medium", "long", None)
    assert predicted.constraints == {"不使用杠杆"}
    risk = evidence[0]
    assert risk.source == "turns[1].reply"
    assert second[risk.start : risk.end] == risk.quote == "稳健型"


def test_a_snapshot_outweighs_the_replies():
    predicted, _, _ = DETECTOR.detect(dialog([("您属于进取型投资者。", {"risk_level": "low"})]))
    assert predicted.risk == "low"


def test_a_dialogue_without_anything_predicts_nothing():
    predicted, true, evidence = DETECTOR.detect(dialog([(None, None), ("您好，请问有什么可以帮您？", {})]))
    assert predicted == true == (None, None, None, frozenset(), frozenset())
    assert evidence == []


def test_ground_truth_quoted_of_a_product_is_not_predicted():
    reply = "宽基指数基金和短债基金各有特点，杠杆会放大亏损。"
    predicted, true, _ = DETECTOR.detect(
        dialog([(reply, None)], constraints_gt=["不使用杠杆"], preferences_gt=["宽基指数基金", "短债基金"])
    )
    assert true.preferences == {"宽基指数基金", "短债基金"}
    assert predicted.constraints == predicted.preferences == frozenset()


@pytest.mark.parametrize("written", [0.1, 10.0, "0.1", "10", "10%", "一成", "10个点", "不超过10%"])
def test_an_acceptable_loss_may_be_a_share_a_percentage_or_text(written):
    predicted, _, (evidence,) = DETECTOR.detect(dialog([(None, {"max_acceptable_loss": written})]))
    assert predicted.constraints == {"最大回撤<10%"}
    assert evidence.quote == str(written)


@pytest.mark.parametrize("written", ["", "unknown", "无", "不清楚", -1, 0, 500])
def test_an_acceptable_loss_that_says_nothing_is_none(written):
    predicted, _, evidence = DETECTOR.detect(dialog([(None, {"max_acceptable_loss": written})]))
    assert predicted.constraints == frozenset()
    assert evidence == []


def test_a_loss_of_everything_is_a_hundred_percent():
    predicted, *_ = DETECTOR.detect(dialog([(None, {"max_acceptable_loss": "100%"})]))
    assert predicted.constraints == {"最大回撤<100%"}
