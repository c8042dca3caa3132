"""Why a metric has no figure, in the words of the interface.

Rows and summaries hold reasons in English, whatever page is made of them: they are data. A page words the common ones
in its own language; one that is not listed here (the message of an error, say) is shown as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

_JUDGE_AGAIN = "run turnmark judge on these cases again, it asks only for what is missing"

_REASONS: Mapping[str, tuple[str, str]] = {
    "no resolvable memory key is required": ("本轮不要求可解析的记忆键", "해석할 수 있는 기억 키를 요구하지 않음"),
    "no risk disclosure is required": ("本轮不要求风险提示", "위험 고지를 요구하지 않음"),
    "no element of explanation is required": ("本轮不要求解释要素", "설명 요소를 요구하지 않음"),
    "no ground-truth profile": ("没有标准画像", "정답 프로필이 없음"),
    "the turn was not judged": ("本轮未被判定", "이 턴은 판정되지 않음"),
    "judge_score_1_5 is {value}": ("judge_score_1_5 为 {value}", "judge_score_1_5 값이 {value}"),
    "the dialogue is not valid: {value}": ("对话无效：{value}", "유효하지 않은 대화: {value}"),
    "turn_status is {value}": ("本轮状态为 {value}", "턴 상태가 {value}"),
    "the row holds no mark for it": ("该行没有这项评分", "이 행에 해당 점수가 없음"),
    "the event holds no answer": ("事件没有回答", "이벤트에 답변이 없음"),
    "the event holds no slots_truth": ("事件没有 slots_truth", "이벤트에 slots_truth가 없음"),
    "the event has no retrieved_contexts": ("事件没有 retrieved_contexts", "이벤트에 retrieved_contexts가 없음"),
    "the answer states nothing about the patient": ("回答没有陈述患者情况", "답변이 환자에 대해 말한 것이 없음"),
    "no safety rule applies": ("没有适用的安全规则", "적용되는 안전 규칙이 없음"),
    "the turn requires no slot that the record fills": (
        "本轮所需槽位在病历中均无值",
        "이 턴이 요구하는 슬롯 중 기록에 채워진 것이 없음",
    ),
    "the turn asks for no element that is known": ("本轮未要求已知的要素", "이 턴이 요구하는 알려진 요소가 없음"),
    "the question tells nothing new": ("问题没有提供新信息", "질문에 새 정보가 없음"),
    "no claim of the answer speaks of what is known": (
        "回答中没有涉及已知信息的陈述",
        "알려진 내용을 다루는 진술이 답변에 없음",
    ),
    "the answer shares no matter with earlier answers": (
        "回答与此前的回答没有共同内容",
        "답변이 앞선 답변들과 겹치는 내용이 없음",
    ),
    "{value} of {whole} rules were not judged: {reason}": (
        "{whole} 条规则中有 {value} 条未被判定：{reason}",
        "규칙 {whole}개 중 {value}개가 판정되지 않음: {reason}",
    ),
    "the answer abstains": ("回答表示无法作答", "답변이 답하기를 거절함"),
    "the reference answer abstains": ("参考答案表示无法作答", "기준 답변이 답하기를 거절함"),
    "the answer does not abstain": ("回答没有拒绝作答", "답변이 답하기를 거절하지 않음"),
    "there are neither reference nor contexts to tell whether the answer was there": (
        "既无参考答案也无上下文，无法判断答案是否存在",
        "답이 있었는지 알려 줄 기준 답변도 문맥도 없음",
    ),
    "no context was retrieved": ("没有检索到上下文", "검색된 문맥이 없음"),
    "the text states nothing that could be supported": ("文本没有可供核实的陈述", "글에 뒷받침할 진술이 없음"),
    "the case has no retrieved_ids and relevant_ids": (
        "案例没有 retrieved_ids 和 relevant_ids",
        "사례에 retrieved_ids와 relevant_ids가 없음",
    ),
    "the case has no {value}": ("案例没有 {value}", "사례에 없는 필드: {value}"),
    "no id is relevant": ("没有相关的文档编号", "관련된 문서 id가 없음"),
    "the extra rag, which ranks ids, is not installed: {value}": (
        "未安装用于编号排序的扩展 rag：{value}",
        "id 순위를 매기는 추가 기능 rag가 설치되지 않음: {value}",
    ),
    "no verdict could be had": ("未能得到判定", "판정을 얻지 못함"),
    "the model was not asked for it: run turnmark judge without --metric": (
        "未就此询问模型：请不带 --metric 运行 turnmark judge",
        "모델에 묻지 않음: --metric 없이 turnmark judge를 실행하십시오",
    ),
    f"it was not judged: {_JUDGE_AGAIN}": (
        "未被判定：请对这些案例再次运行 turnmark judge，只会询问缺少的部分",
        "판정되지 않음: 이 사례들에 turnmark judge를 다시 실행하십시오. 빠진 것만 묻습니다",
    ),
    f"its claims were not asked for: {_JUDGE_AGAIN}": (
        "未询问其陈述：请对这些案例再次运行 turnmark judge，只会询问缺少的部分",
        "진술을 묻지 않음: 이 사례들에 turnmark judge를 다시 실행하십시오. 빠진 것만 묻습니다",
    ),
}
"""Reasons as rows hold them (parts in braces stand for what differs), and their wording in Chinese and Korean."""

_PLACES = {"zh": 0, "ko": 1}
_NAMED = re.compile(r"([\w-]+): (.+)", re.DOTALL)


def reason_in(text: str, texts: Mapping[str, str]) -> str:
    """A reason as the interface words it; ``METRIC: reason`` keeps its name."""
    place = _PLACES.get(texts.get("language", ""))
    if place is None:
        return text
    return _worded(text, place) or _worded_behind_a_name(text, place) or text


def _worded_behind_a_name(text: str, place: int) -> str:
    named = _NAMED.fullmatch(text)
    worded = _worded(named[2], place) if named else ""
    return f"{named[1]}: {worded}" if named and worded else ""


def _worded(text: str, place: int) -> str:
    """The wording; "" for a reason that is not listed."""
    for pattern, forms in _compiled():
        found = pattern.fullmatch(text)
        if found:
            parts = found.groupdict()
            if "reason" in parts:
                parts["reason"] = _worded(parts["reason"], place) or parts["reason"]
            return forms[place].format_map(parts)
    return ""


@cache
def _compiled() -> list[tuple[re.Pattern[str], tuple[str, str]]]:
    """The reasons as patterns, those without parts first: of two that fit, the one that says more is meant."""
    ordered = sorted(_REASONS.items(), key=lambda item: "{" in item[0])
    return [
        (re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(reason)), re.DOTALL), forms)
        for reason, forms in ordered
    ]
