"""Texts that repeat one thing without end, and the fields of each suite's input in which such a text may stand."""

import itertools
import json

from building import PROFILE, dialog, turn

UNITS = {
    # one character, one word, no space
    "a": "a",
    "Han": "好",
    "Hangul": "가",
    "digits": "7",
    "spaces": " ",
    "newlines": "\n",
    "tabs": "\t",
    "dots": ".",
    "hyphens": "-",
    "stars": "*",
    "pipes": "|",
    "hashes": "#",
    "quotes": '"',
    "backslashes": "\\",
    "percent": "%",
    "combining": "e\u0301",
    "zero width": "\u200b",
    "emoji": "👨‍👩‍👧",
    "full width": "Ａ",
    "words": "word ",
    # sentences that end at once
    "zh questions": "。？",
    "question marks": "？",
    "latin questions": "?! ",
    "ellipses": "……",
    # brackets and quotation
    "open brackets": "(",
    "open quotes": "「",
    "sic": "[sic] ",
    "zh sic": "（原文如此）",
    "nested": "（「『",
    "code": "`",
    "pairs of quotes": "“保本”",
    "closing": ")",
    # denials, bans, conditions and conjunctions
    "zh denied": "没有",
    "zh not": "不",
    "zh ban": "不要买股票",
    "zh leverage": "杠杆",
    "zh do leverage": "建议杠杆",
    "zh ban of leverage": "禁止使用杠杆，",
    "zh if": "如果",
    "zh if then": "如果亏损就卖出，",
    "zh and": "和",
    "zh but": "但是",
    "ko denied": "안 ",
    "ko if": "만약 ",
    "ko and": "그리고 ",
    "en and": "and ",
    "en not": "not ",
    "en if": "if ",
    "en no": "no, ",
    "en or": "either or ",
    "ko ban": "주식은 사지 마세요 ",
    "en ban": "never buy stocks ",
    "ko advice": "하지 마세요. ",
    # values
    "percentages": "10%",
    "zh shares": "三成",
    "zh numerals": "一",
    "amounts": "100万元，",
    "decimals": "1.",
    "commas": "1,",
    "ranges": "1-2-",
    "dates": "2024-01-01 ",
    "times": "12:30:",
    "doses": "메트포르민 500mg ",
    "ratios": "1/",
    "signs": "+-",
    "exponents": "1e",
    "ko amounts": "삼천만 원 ",
    "en amounts": "one hundred ",
    "years": "2年3个月",
    # markup, lists, names
    "table": "| a | b |\n",
    "list": "- 保本保收益\n",
    "headings": "# 风险\n",
    "numbered": "1. 股票\n",
    "fences": "```\n",
    "angle": "<b>",
    "links": "[a](b)",
    "addresses": "http://a.b/",
    "entities": "&amp;",
    "drugs": "아스피린",
    "zh risk": "保本保收益，稳赚不赔",
    "zh caution": "有风险，",
    "ko symptom": "두통이 있고 ",
    "en symptom": "chest pain and ",
    "zh quoting": "他说：",
    "zh unlike": "不是A而是B，",
    "zh ask": "请问",
    "en quoting": "he said that ",
    "alternating": "가a1好 ",
    "zh ban and then": "不要买股票，可以买股票。",
    "zh reason": "因为所以",
    "ko ending": "습니다",
    "ko particle": "은는이가",
}


def text(kind, length):
    """The unit of a kind, again and again, so many characters long."""
    unit = UNITS[kind]
    return "".join(itertools.islice(itertools.cycle(unit), length))


def _finance(**fields):
    profile = {**PROFILE, **fields.pop("profile", {})}
    first = {"risks": ["波动风险"], "rubric": ["风险揭示"], "keys": ["profile_gt.constraints_gt[0]"], **fields}
    turns = [turn(1, **first), turn(2, "可以先留出应急资金，不建议使用杠杆。")]
    return json.dumps(dialog("d", turns, profile_gt=profile))


def _clinical(**fields):
    truth = {
        "age": 67,
        "sex": "남성",
        "primary_condition": "고혈압",
        "key_meds": ["메트포르민 500mg"],
        "comorbidities": [],
        "key_vitals": {},
        "key_labs": {},
        "major_procedures": [],
        "chief_symptom": "두통",
        **fields.pop("truth", {}),
    }
    return json.dumps({
        "schema_version": "events_record.v1", "run_id": "r", "mode": "llm", "patient_id": "p", "turn_id": 1,
        "question": {"question_id": "q", "text": fields.pop("question", "두통이 있는데 약을 더 먹어도 되나요?")},
        "answer": "진료를 받아 보세요.", "timestamp_utc": "2026-03-02T09:00:37Z", "slots_truth": truth, **fields,
    })  # fmt: skip


def _rag(**fields):
    return json.dumps({
        "id": "c", "lang": "zh", "question": "起存金额是多少？", "answer": "起存金额是20万元。",
        "ground_truth_answer": "20万元起存。", "ground_truth_contexts": ["大额存单20万元起存。"],
        "retrieved_contexts": ["大额存单20万元起存。"], **fields,
    })  # fmt: skip


FIELDS = {
    ("finance", "reply"): lambda long: _finance(reply=long),
    ("finance", "user"): lambda long: _finance(user_text=long),
    ("finance", "constraint"): lambda long: _finance(profile={"constraints_gt": [long]}),
    ("finance", "memory"): lambda long: _finance(recall={"items": [{"content": long}], "profile_context": long}),
    ("clinical", "answer"): lambda long: _clinical(answer=long),
    ("clinical", "question"): lambda long: _clinical(question=long),
    ("clinical", "record"): lambda long: _clinical(truth={"key_meds": [long], "chief_symptom": long}),
    ("rag", "answer"): lambda long: _rag(answer=long),
    ("rag", "question"): lambda long: _rag(question=long),
    ("rag", "reference"): lambda long: _rag(ground_truth_answer=long, ground_truth_contexts=[long]),
    ("rag", "passage"): lambda long: _rag(retrieved_contexts=[long]),
}
