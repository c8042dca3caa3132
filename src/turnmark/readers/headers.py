"""What users call the columns of a table: names of other tools, and headers in English, Korean and Chinese."""

from __future__ import annotations

import re
import unicodedata

ALIASES = {
    "user_input": "question",
    "input": "question",
    "query": "question",
    "response": "answer",
    "actual_output": "answer",
    "reference": "ground_truth_answer",
    "ground_truth": "ground_truth_answer",
    "expected_output": "ground_truth_answer",
    "contexts": "retrieved_contexts",
    "retrieval_context": "retrieved_contexts",
    "reference_contexts": "ground_truth_contexts",
    "context": "ground_truth_contexts",
    "retrieved_context_ids": "retrieved_ids",
    "reference_context_ids": "relevant_ids",
}
"""Names that other tools give to the fields of a case; a field that is there under its own name wins."""

HEADERS = {
    "question": (
        "prompt", "user question", "user query", "user message", "instruction", "q", "inputs.question",
        "inputs.input", "inputs.query", "input_question",
        "질문", "질의", "문의", "문의내용", "사용자질문", "질문내용", "고객질문",
        "问题", "提问", "问句", "用户问题", "用户提问", "查询", "咨询问题", "用户输入",
    ),
    "answer": (
        "answers", "output", "completion", "prediction", "generated answer", "model answer", "model output",
        "model response", "llm output", "bot answer", "reply", "a", "outputs.answer", "outputs.output", "output_answer",
        "답변", "응답", "대답", "모델답변", "모델응답", "생성답변", "챗봇답변", "ai답변", "답변내용",
        "回答", "答复", "回复", "模型回答", "模型答案", "模型输出", "生成答案", "系统回答", "机器人回答",
    ),
    "ground_truth_answer": (
        "gold", "gold answer", "golden answer", "reference answer", "expected", "__expected", "expected answer",
        "correct answer", "ideal", "target", "label answer", "reference_outputs.answer", "reference_outputs.output",
        "정답", "모범답안", "모범답변", "기준답변", "참고답변", "참조답변", "기대답변", "정답답변",
        "参考答案", "标准答案", "正确答案", "标准回答", "参考回答", "期望答案", "理想答案",
    ),
    "retrieved_contexts": (
        "context", "retrieved context", "retrieved documents", "retrieved docs", "documents", "document", "docs",
        "chunks", "chunk", "passages", "passage", "source documents", "sources", "source", "evidence", "knowledge",
        "inputs.context", "outputs.contexts", "outputs.documents",
        "문맥", "컨텍스트", "근거", "근거문서", "근거자료", "검색결과", "검색문서", "참고문서", "참고자료", "참조문서",
        "문서", "문서내용", "지문", "본문",
        "上下文", "语境", "文档", "文档内容", "检索结果", "检索文档", "检索内容", "召回内容", "召回文档", "参考文档",
        "参考资料", "资料", "材料", "依据", "知识片段",
    ),
    "ground_truth_contexts": (
        "gold context", "gold contexts", "reference context", "정답문맥", "정답문서", "标准文档", "正确文档",
    ),
    "retrieved_ids": ("retrieved doc ids", "검색문서id", "检索文档id"),
    "relevant_ids": ("gold doc ids", "relevant doc ids", "정답문서id", "相关文档id"),
    "id": ("case id", "question id", "qid", "번호", "아이디", "질문번호", "编号", "序号", "问题编号"),
    "lang": ("language", "언어", "语言"),
}  # fmt: skip
"""By field of a case: what else a header may say."""


def plain_name(name: str) -> str:
    """A name without what people write it differently by: width, case, traditional characters, spaces, hyphens."""
    # Folding needs arrays, which nobody who only imports the contract should wait for.
    from turnmark.language.text.fold import fold_text  # noqa: PLC0415

    return re.sub(r"[\s_\-()\[\]*:]+", "", fold_text(unicodedata.normalize("NFKC", name))).casefold()
