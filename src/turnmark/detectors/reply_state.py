"""What kind of text a reply is, told before any metric is: a reply that only echoes the user cannot be compliant.

States, in the order in which they are tried: empty, error_text, echo, refusal, wrong_language, near_duplicate,
truncated, normal. Each is decided on the words alone, the same for every suite; only that a reply was cut off may also
be known from the endpoint that ended it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from turnmark.language.later import later
from turnmark.language.script import detect_language
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.turn_eval import ReplyState

_WORD = later(r"[^\W_]")
_NOT_WORDS = later(r"[\W_]+")
_SHOWN = 60

_LONGEST_ERROR = 600
_ERROR = later(
    r"""^\W*(?:
        traceback\ \(most\ recent\ call\ last\)
      | (?:error|fatal|exception|错误|异常|오류)\s*(?:code|message|代码|码|信息|코드)?\s*[:：\[(]
      | (?:[a-z_]+\.)*[a-z]+(?:error|exception|timeout)\b\s*[:：(]
      | (?:api|internal\ server|connection|network|gateway|read|request|rate\ limit|service)\s
        (?:error|timed?\ ?out|timeout|reset|exceeded|unavailable|refused)\b
      | (?:the\ )?rate\ limit\ (?:was|is|has\ been)\ (?:hit|exceeded|reached)
      | (?:http\ ?(?:error\ )?)?(?:status\ (?:code\ )?)?\b(?:429|500|502|503|504)\b
      | \{\s*"(?:error|detail|code|status)"\s*:
      | (?:系统|服务器?|网络|接口|请求|模型)(?:内部)?(?:错误|异常|超时|繁忙|出错|不可用|故障)
      | (?:抱歉|对不起)[，,]?\s*(?:系统|服务器?|网络|接口|请求)(?:内部)?(?:错误|异常|超时|繁忙|出错|不可用|故障)
      | (?:시스템|서버|네트워크|요청)\s?(?:오류|에러|시간\s?초과|장애)
    )""",
    re.VERBOSE | re.IGNORECASE,
)

_LONGEST_REFUSAL = {"zh": 120, "ko": 180, "en": 280}
_REFUSAL = later(
    r"""(?:
        (?:抱歉|对不起|很遗憾|不好意思)[^。！？!?\n]{0,20}(?:无法|不能|没办法|不便|不可以)
      | ^\W*(?:我|本助手|作为[^，,。\n]{1,20}[，,]\s*我?)(?:无法|不能|没办法)(?:回答|提供|协助|帮|处理|讨论|给出|满足)
      | (?:i\s?['’]?\s?a?m\s+(?:very\s+|so\s+)?sorry|sorry|i\s+apologi[sz]e|unfortunately)[^.!?\n]{0,40}
        \bi?\s*(?:can\s?not|can['’]?t|am\s+(?:unable|not\s+able)|won['’]?t)\b
      | ^\W*i\s+(?:can\s?not|can['’]?t|am\s+(?:unable|not\s+able)\s+to|won['’]?t)\s+
        (?:answer|help|assist|provide|discuss|comply|give|do)\b
      | (?:죄송|미안|유감)[^.!?\n]{0,40}(?:수\s?없|어렵습니다|불가)
      | ^\W*(?:저는\s+)?[^.!?\n]{0,30}(?:답변|도움|제공|안내)[^.!?\n]{0,15}(?:수\s?없습니다|어렵습니다|불가합니다)
    )""",
    re.VERBOSE | re.IGNORECASE,
)

_SAMPLED = 80
_SHORTEST_COMPARED = 24
_ECHO_LENGTH_RATIO = 1.25
_ECHO_SIMILARITY = 90.0
_DUPLICATE_SIMILARITY = 95.0
_PROBES = 16
_PROBE = 5

_CUT_AFTER = later(r"[,，、;；:：(（\[【《“‘=+&]\s*$|[\w][-–]$")
_CLOSED = later(r"[.。!！?？…~～)）\]】》」』”\"'’*_`|>%％]\s*$")
_LIST_OR_TABLE = later(r"^\s*(?:[-*+•·>|#]|\d{1,2}[.)、]|[①-⑳])")
_SHORTEST_CUT = 40


class ReplyStateFinding(NamedTuple):
    """A reply's state and, for a state that is not normal, the evidence."""

    state: ReplyState
    evidence: Evidence | None


_NORMAL = ReplyStateFinding("normal", None)


class ReplyStates:
    """Tells the states of the replies of one dialogue, in order; remembers earlier replies to find repeats."""

    def __init__(self, language: str | None = None) -> None:
        self._language = (language or "").lower().split("-")[0] or None
        self._user_language = ""
        self._earlier: list[str] = []

    def judge(self, user_text: str, reply: str | None, *, cut_off: bool = False) -> ReplyStateFinding:  # noqa: PLR0911 - one return a state, in order
        """The state of the next reply.

        The dialogue's language, else that of the user's text, decides which language is wrong. ``cut_off``: the
        endpoint said that it ended the reply at its limit of tokens, wherever in a sentence that was.
        """
        text = reply or ""
        if not _WORD.search(text):
            return _judged("empty", "reply_state.empty", text, 0, len(text))
        error = _ERROR.search(text) if len(text) <= _LONGEST_ERROR else None
        if error:
            return _judged("error_text", "reply_state.error_text", text, *error.span())
        if _is_echo(text, user_text):
            return _judged("echo", "reply_state.echo", text, 0, len(text))
        spoken = detect_language(_sample(text))
        if len(text) <= _LONGEST_REFUSAL.get(spoken, _LONGEST_REFUSAL["zh"]):
            refusal = _REFUSAL.search(text)
            if refusal:
                return _judged("refusal", "reply_state.refusal", text, *refusal.span())
        expected = self._expected(user_text, spoken)
        if "und" not in (spoken, expected) and spoken != expected:
            return _judged(
                "wrong_language", "reply_state.wrong_language", text, 0, len(text), f"{spoken}, not {expected}"
            )
        repeated = self._repeats(text)
        if repeated is not None:
            return _judged("near_duplicate", "reply_state.near_duplicate", text, 0, len(text), repeated)
        if cut_off or _is_cut(text):
            end = len(text.rstrip())
            note = "finish_reason: length" if cut_off else None
            return _judged("truncated", "reply_state.truncated", text, max(0, end - _SHOWN), end, note)
        return _NORMAL

    def _expected(self, user_text: str, spoken: str) -> str:
        """The language to answer in; the user's is told again only where the reply's is not the one told before."""
        if self._language is not None:
            return self._language
        if _ABBREVIATION.fullmatch(user_text):
            return spoken
        if self._user_language != spoken:
            self._user_language = detect_language(_sample(user_text))
        return self._user_language

    def _repeats(self, text: str) -> str | None:
        """Which earlier reply of this dialogue says the same, letter for letter or nearly."""
        result = None
        if len(text) >= _SHORTEST_COMPARED:
            for index, earlier in enumerate(self._earlier, 1):
                if _near(text, earlier):
                    result = f"like reply {index} of this dialogue"
                    break
        self._earlier.append(text)
        return result


_ABBREVIATION = re.compile(r"\W*(?=(?:[a-z]*[A-Z0-9]){2})[A-Za-z0-9]{2,8}\W*")
"""A question that is one abbreviation, which is the same in every language: INR? HbA1c?"""


def _sample(text: str) -> str:
    """Head, middle and tail of a long text: enough to tell its language."""
    if len(text) <= 4 * _SAMPLED:
        return text
    middle = len(text) // 2
    return f"{text[:_SAMPLED]}\n{text[middle : middle + _SAMPLED]}\n{text[-_SAMPLED:]}"


def _near(text: str, earlier: str) -> bool:
    """Whether two texts are 95 % alike; probes of a few letters rule out most pairs before the exact comparison."""
    if abs(len(text) - len(earlier)) > len(text) // 10:
        return False
    step = max(1, len(text) // _PROBES)
    balance = 0
    for start in range(step // 2, len(text) - _PROBE + 1, step):
        balance += 1 if text[start : start + _PROBE] in earlier else -1
        if balance < -4:
            return False
    from rapidfuzz import fuzz  # noqa: PLC0415 - few replies are that much like another text

    words, before = (_NOT_WORDS.sub("", part).casefold() for part in (text, earlier))
    return fuzz.ratio(words, before, score_cutoff=_DUPLICATE_SIMILARITY) > 0


def _is_echo(text: str, user_text: str) -> bool:
    if text == user_text:
        return True
    if len(text) > 2 * len(user_text) + _SHORTEST_COMPARED:
        return False
    words, asked = (_NOT_WORDS.sub("", part).casefold() for part in (text, user_text))
    if not asked or len(words) > len(asked) * _ECHO_LENGTH_RATIO or len(asked) > len(words) * _ECHO_LENGTH_RATIO:
        return False
    if len(asked) < _SHORTEST_COMPARED:
        return words == asked
    from rapidfuzz import fuzz  # noqa: PLC0415 - few replies are that much like another text

    return fuzz.ratio(words, asked, score_cutoff=_ECHO_SIMILARITY) > 0


def _is_cut(text: str) -> bool:
    """Ends in the middle of a sentence. The end of a list item, a heading, a table row or a short line is no cut."""
    body = text.rstrip()
    if len(body) < _SHORTEST_CUT:
        return False
    if body.count("```") % 2:
        return True
    last = body[body.rfind("\n") + 1 :]
    if _CUT_AFTER.search(body[-3:]):
        return not _LIST_OR_TABLE.match(last) or body[-1] in "，,、("
    if _CLOSED.search(body[-2:]) or not body[-1].isalnum():
        return False
    return (
        not _LIST_OR_TABLE.match(last) and len(last) >= _SHORTEST_CUT // 2 and "\n" not in body[-_SHORTEST_CUT // 2 :]
    )


def _judged(
    state: ReplyState, rule: str, text: str, start: int, end: int, note: str | None = None
) -> ReplyStateFinding:
    end = min(end, start + _SHOWN)
    return ReplyStateFinding(
        state,
        Evidence(metric="reply_state", rule=rule, label=state, quote=text[start:end], start=start, end=end, note=note),
    )
