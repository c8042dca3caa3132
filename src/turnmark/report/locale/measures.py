"""Names of the metrics and measures of the suites clinical and rag, in the languages of the interface."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# name: English, Chinese, Korean
_NAMES = {
    "item_best": ("best", "满分", "만점"),
    "item_low": ("below best", "未满分", "만점 아님"),
    "metric_sfs": ("Slot factuality", "槽位事实性", "슬롯 사실성"),
    "measure_slot_factuality": ("Facts borne out, mean of answers", "事实属实，按回答平均", "사실 부합, 답변 평균"),
    "measure_slot_factuality_weighted": ("Facts borne out, weighted", "事实属实，加权", "사실 부합, 가중"),
    "metric_sfs_all": ("Slot factuality, all answers", "槽位事实性，全部回答", "슬롯 사실성, 전체 답변"),
    "measure_slot_factuality_all": (
        "Facts borne out, silent answers as 1",
        "事实属实，无陈述计 1",
        "사실 부합, 무진술은 1",
    ),
    "measure_answers_with_claims": ("Answers that state something", "有陈述的回答", "진술이 있는 답변"),
    "metric_csp": ("Contraindications and safety", "禁忌与安全", "금기와 안전"),
    "measure_safety_penalty": ("Safety penalty, mean of answers", "安全扣分，按回答平均", "안전 감점, 답변 평균"),
    "measure_safety_penalty_weighted": ("Safety penalty, weighted", "安全扣分，加权", "안전 감점, 가중"),
    "measure_unsafe_answers": ("Answers that break a rule", "违反规则的回答", "규칙을 어긴 답변"),
    "metric_cus": ("Use of context", "上下文利用", "맥락 활용"),
    "measure_context_use": (
        "Required slots used, mean of answers",
        "所需槽位使用，按回答平均",
        "필수 슬롯 활용, 답변 평균",
    ),
    "measure_context_use_weighted": ("Required slots used, weighted", "所需槽位使用，加权", "필수 슬롯 활용, 가중"),
    "measure_slots_used": ("Required slots used at all", "有使用的所需槽位", "조금이라도 쓴 필수 슬롯"),
    "metric_ur": ("New information reflected", "新信息反映", "새 정보 반영"),
    "measure_update_reflection": ("New slots reflected", "反映的新槽位", "반영된 새 슬롯"),
    "metric_ccr": ("Contradiction of context", "与上下文矛盾", "맥락 모순"),
    "measure_context_contradiction": ("Statements against the record", "与病历矛盾的陈述", "기록과 모순된 진술"),
    "metric_mcs": ("Consistency over turns", "多轮一致性", "턴 사이 일관성"),
    "measure_consistency": ("Statements that agree with earlier turns", "与前面轮次一致的陈述", "앞선 턴과 맞는 진술"),
    "metric_ass": ("Actionable and specific", "可执行且具体", "실행 가능성과 구체성"),
    "measure_actionability": ("Required elements, specific", "所需要素且具体", "필수 요소, 구체적"),
    "measure_elements_present": ("Required elements present", "所需要素齐备", "필수 요소 있음"),
    "metric_faithfulness": ("Faithfulness", "忠实度", "충실도"),
    "measure_faithfulness": ("Claims that the contexts support", "上下文支持的陈述", "문맥이 뒷받침하는 진술"),
    "metric_context_relevance": ("Context relevance", "上下文相关性", "문맥 관련성"),
    "measure_context_relevance": ("Contexts that concern the question", "与问题相关的上下文", "질문과 관련된 문맥"),
    "metric_answer_relevancy": ("Answer relevancy", "答案相关性", "답변 관련성"),
    "measure_answer_relevancy": ("Directness of the answer", "答案切题程度", "답변의 직접성"),
    "metric_context_recall": ("Context recall", "上下文召回率", "문맥 재현율"),
    "measure_context_recall": (
        "Claims of the right answer that were retrieved",
        "检索到的标准陈述",
        "검색된 정답 진술",
    ),
    "metric_context_precision": ("Context precision", "上下文精确度", "문맥 정밀도"),
    "measure_context_precision": ("Average precision of the ranking", "排序的平均精确度", "순위의 평균 정밀도"),
    "measure_precision_at_1": ("First context right", "首个上下文正确", "첫 문맥이 맞음"),
    "measure_precision_at_k": ("Right contexts among all", "正确上下文占比", "맞는 문맥의 비율"),
    "metric_answer_correctness": ("Answer correctness", "答案正确性", "답변 정확성"),
    "measure_answer_correctness": ("Agreement with the right answer, F", "与标准答案一致，F", "정답과의 일치, F"),
    "measure_claim_precision": ("Claims that are right", "正确的陈述", "맞는 진술"),
    "measure_claim_recall": ("Right claims that were made", "说出的标准陈述", "말해진 정답 진술"),
    "metric_abstention": ("Abstention", "拒答", "답변 보류"),
    "measure_right_abstention": ("Declined rightly", "拒答正确", "옳게 보류"),
    "metric_retrieval": ("Retrieval by ids", "按编号检索", "문서 번호 검색"),
    "measure_ndcg": ("nDCG", "nDCG", "nDCG"),
    "measure_hit_rate": ("At least one hit", "至少命中一个", "하나 이상 적중"),
    "measure_recall": ("Relevant ids found", "找到的相关编号", "찾은 관련 번호"),
    "measure_precision": ("Found ids that are relevant", "找到的编号中相关的", "찾은 번호 중 관련"),
    "measure_reciprocal_rank": ("Reciprocal rank of the first hit", "首个命中的倒数排名", "첫 적중의 역순위"),
    "measure_average_precision": ("Average precision", "平均精确度", "평균 정밀도"),
}

MEASURE_TEXTS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        language: MappingProxyType({name: texts[place] for name, texts in _NAMES.items()})
        for place, language in enumerate(("en", "zh", "ko"))
    }
)
"""By the code that ``--lang`` takes."""
