"""What users call the fields of a case: names of other tools, and headers in English, Korean and Chinese."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from turnmark.errors import UsageError
from turnmark.language.text.fold import fold_text
from turnmark.schemas.judging.cases import EvalCase

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

_HEADERS = {
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
_EITHER = {"答案"}
"""Headers that mean the reference beside an answer, and the answer where there is none."""
_MANY = ("retrieved_contexts", "ground_truth_contexts")
_OWN = EvalCase.__struct_fields__
_NUMBER = re.compile(r"[\s_.#-]*\d{1,2}$")
_AS_NEAR = 60


def _plain(name: str) -> str:
    """A name without what people write it differently by: width, case, traditional characters, spaces, hyphens."""
    return re.sub(r"[\s_\-()\[\]*:]+", "", fold_text(unicodedata.normalize("NFKC", name))).casefold()


_BY_PLAIN = {
    **{_plain(header): field for field, headers in _HEADERS.items() for header in headers},
    **{_plain(alias): field for alias, field in ALIASES.items() if alias != "context"},
    **{_plain(name): name for name in _OWN},
}


def is_known(name: str) -> bool:
    """Whether a header names a field of a case."""
    plain = _plain(name)
    return plain in _BY_PLAIN or plain in _EITHER or _NUMBER.sub("", plain) in _BY_PLAIN


class FieldNames:
    """The fields that the columns of one table, or the names of one record, stand for.

    ``chosen`` maps fields (or what other tools call them) to the user's own names (``--columns``).

    Raises: UsageError for a field that no case has, a column that is not there, and a column given twice.
    """

    def __init__(self, names: Sequence[str], chosen: Mapping[str, str] | None = None) -> None:
        self._names = tuple(name for name in names if name)
        self._field: dict[str, str] = {}
        for field, name in (chosen or {}).items():
            self._field[self._column(name)] = _field_of(field)
        taken = set(self._field.values())
        for name in self._names:
            told = self._told(name)
            if told is None or name in self._field or (told in taken and told not in _MANY):
                continue
            self._field[name] = told
            taken.add(told)

    @property
    def fields(self) -> frozenset[str]:
        """The fields that some name stands for."""
        return frozenset(self._field.values())

    def field(self, name: str) -> str:
        """What a name stands for, itself where that is not known."""
        return self._field.get(name, name)

    def renamed(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """A record by the fields of a case; columns that hold one context each are joined to a list."""
        result: dict[str, Any] = {}
        for name, value in record.items():
            field = self._field.get(name, name)
            if value is None:
                result.setdefault(field, None)
            elif field in _MANY and result.get(field) is not None:
                earlier = result[field]
                result[field] = [
                    *(earlier if isinstance(earlier, list) else [earlier]),
                    *(value if isinstance(value, list) else [value]),
                ]
            elif result.get(field) is None or name == field:
                result[field] = value
        return result

    def lacks_question(self) -> str:
        """What to say when no column is the question: the columns that there are, and the nearest guess."""
        left = [name for name in self._names if name not in self._field]
        guess = []
        for field in ("question", "answer", "retrieved_contexts", "ground_truth_answer"):
            nearest = None if field in self.fields else _nearest(field, left)
            if nearest is not None:
                guess.append(f"{field}={nearest}")
                left.remove(nearest)
        shown = ", ".join(map(repr, self._names[:30])) or "none"
        told = f"; the nearest: --columns {','.join(guess)}" if guess else ""
        return f"expected a column with the question, found {shown}; name columns with --columns question=NAME,…{told}"

    def _told(self, name: str) -> str | None:
        plain = _plain(name)
        if plain in _EITHER:
            others = {_BY_PLAIN.get(_plain(other)) for other in self._names if other != name}
            return "answer" if "answer" not in others else "ground_truth_answer"
        if plain == "context" and {"retrieved_contexts", "answers"} & self._fields_of_others(name):
            return "ground_truth_contexts"
        return _BY_PLAIN.get(plain) or _BY_PLAIN.get(_NUMBER.sub("", plain))

    def _fields_of_others(self, name: str) -> set[str]:
        """What the other names stand for; those of SQuAD's answers under their own name."""
        others = [_plain(other) for other in self._names if other != name]
        return {_BY_PLAIN.get(other, other) for other in others} | ({"answers"} & set(others))

    def _column(self, name: str) -> str:
        same = [own for own in self._names if own == name] or [
            own for own in self._names if _plain(own) == _plain(name)
        ]
        if not same:
            message = f"--columns: expected one of the columns {', '.join(map(repr, self._names))}, found {name!r}"
            raise UsageError(message)
        return same[0]


def _nearest(field: str, names: Sequence[str]) -> str | None:
    """The name that is most like one that a field is known by; None when none is like it."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - only where a message guesses

    best: tuple[float, str] | None = None
    for header in (field, *_HEADERS[field]):
        plain = _plain(header)
        nearest = process.extractOne(
            plain, {name: _plain(name) for name in names}, scorer=fuzz.partial_ratio, score_cutoff=_AS_NEAR
        )
        if len(plain) > 1 and nearest is not None and (best is None or nearest[1] > best[0]):
            best = nearest[1], nearest[2]
    return best and best[1]


def field_names(names: tuple[str, ...], chosen: Mapping[str, str] | None = None) -> FieldNames:
    """The fields that names stand for; those of records that have the same names are told once."""
    return FieldNames(names, chosen) if chosen else _usual(names)


@functools.lru_cache(maxsize=256)
def _usual(names: tuple[str, ...]) -> FieldNames:
    return FieldNames(names)


def _field_of(name: str) -> str:
    field = name if name in _OWN else ALIASES.get(name, _BY_PLAIN.get(_plain(name), ""))
    if not field:
        known: Iterable[str] = ("question", "answer", "contexts", "reference", *_OWN)
        message = f"--columns: expected fields of a case ({', '.join(dict.fromkeys(known))}), found {name!r}"
        raise UsageError(message)
    return field
