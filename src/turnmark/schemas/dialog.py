"""Raw dataset dialogues as plain dicts: are they usable, in which canonical form, and which turns belong together.

Source: metrics contract v1, section 3. These work on dicts, not on typed records, since their job is to say what is
wrong with a dialogue that may be anything.
"""

from __future__ import annotations

import itertools
from typing import Any

_ROLES = {
    "user": "user", "human": "user", "customer": "user", "client": "user", "patient": "user", "me": "user",
    "用户": "user", "客户": "user", "患者": "user", "顾客": "user", "问": "user",
    "사용자": "user", "고객": "user", "환자": "user", "이용자": "user", "질문자": "user",
    "assistant": "assistant", "ai": "assistant", "bot": "assistant", "model": "assistant", "gpt": "assistant",
    "chatgpt": "assistant", "agent": "assistant", "advisor": "assistant", "adviser": "assistant",
    "chatbot": "assistant", "助手": "assistant", "助理": "assistant", "顾问": "assistant", "客服": "assistant",
    "机器人": "assistant", "答": "assistant", "어시스턴트": "assistant", "상담사": "assistant", "챗봇": "assistant",
    "상담원": "assistant", "봇": "assistant",
}  # fmt: skip
_LABELS = {
    "compliant": "compliant", "合规": "compliant", "준수": "compliant",
    "minor_violation": "minor_violation", "minor": "minor_violation", "轻微违规": "minor_violation",
    "severe_violation": "severe_violation", "severe": "severe_violation", "严重违规": "severe_violation",
}  # fmt: skip
_TAG_LISTS = ("memory_required_keys_gt", "risk_disclosure_required_gt", "explainability_rubric_gt")
_PROFILE_LISTS = ("constraints_gt", "preferences_gt")
_PROFILE_VALUES = ("risk_level_gt", "horizon_gt", "liquidity_need_gt")


def validity(dialog: Any) -> tuple[bool, str | None]:
    """Whether a dialogue can be evaluated, and if not why.

    Reasons, in the order in which they are tried: ``missing_turns`` (no list of turns, or an empty one),
    ``missing_profile_gt`` (no object, or one without any value), ``invalid_turn_sequence`` (a turn that is no object
    with role and text, or roles that do not alternate user, assistant, …), ``missing_gt_tags`` (an assistant turn
    without an object of tags).
    """
    turns = dialog.get("turns") if isinstance(dialog, dict) else None
    if not isinstance(turns, list) or not turns:
        return False, "missing_turns"
    profile = dialog.get("profile_gt")
    if not isinstance(profile, dict) or not any(profile.get(name) for name in (*_PROFILE_VALUES, *_PROFILE_LISTS)):
        return False, "missing_profile_gt"
    if not _alternates(turns):
        return False, "invalid_turn_sequence"
    if not all(isinstance(turn.get("turn_tags"), dict) for turn in turns[1::2]):
        return False, "missing_gt_tags"
    return True, None


def _alternates(turns: list[Any]) -> bool:
    for index, turn in enumerate(turns):
        if not isinstance(turn, dict) or not isinstance(turn.get("text"), str):
            return False
        if role_of(turn.get("role")) != ("user", "assistant")[index % 2]:
            return False
    return len(turns) > 1


def role_of(role: Any) -> str:
    """Who speaks, in canonical form: ``user`` or ``assistant``; any other role in lower case, as it is."""
    text = str(role or "").strip().lower()
    return _ROLES.get(text, text)


def normalized(dialog: Any) -> dict[str, Any]:
    """A copy in canonical form; fields that are not named here are kept as they are, and what is no object is empty.

    Roles become user and assistant, line ends LF, byte order marks go; names of tags, keys and profile entries lose
    outer white space, empty and repeated ones go; a label becomes one of the three canonical ones, an unknown one
    compliant; missing lists become empty ones. Texts are otherwise not touched, so offsets into them hold.
    """
    if not isinstance(dialog, dict):
        return {}
    result = dict(dialog)
    profile = dialog.get("profile_gt")
    if isinstance(profile, dict):
        profile = dict(profile)
        for name in _PROFILE_VALUES:
            if isinstance(profile.get(name), str):
                profile[name] = profile[name].strip()
        for name in _PROFILE_LISTS:
            profile[name] = _entries(profile.get(name))
        result["profile_gt"] = profile
    turns = dialog.get("turns")
    if isinstance(turns, list):
        result["turns"] = [_normalized_turn(turn) if isinstance(turn, dict) else turn for turn in turns]
    return result


def _normalized_turn(turn: dict[str, Any]) -> dict[str, Any]:
    result = dict(turn)
    result["role"] = role_of(turn.get("role"))
    if isinstance(turn.get("text"), str):
        result["text"] = turn["text"].removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    tags = turn.get("turn_tags")
    if isinstance(tags, dict):
        result["turn_tags"] = normalized_tags(tags)
    return result


def normalized_tags(tags: dict[str, Any]) -> dict[str, Any]:
    """Ground-truth tags of a turn in canonical form; see `normalized`."""
    result = dict(tags)
    for name in _TAG_LISTS:
        result[name] = _entries(tags.get(name))
    label = str(tags.get("compliance_label_gt") or "").strip().lower()
    result["compliance_label_gt"] = _LABELS.get(label, "compliant")
    return result


def _entries(values: Any) -> list[str]:
    if isinstance(values, str):
        values = [values]
    if not isinstance(values, list | tuple):
        return []
    return list(dict.fromkeys(str(value).strip() for value in values if value is not None and str(value).strip()))


def turn_pairs(dialog: Any) -> list[dict[str, Any]]:
    """User turns with the assistant turns that answer them.

    A pair is a user turn directly followed by an assistant turn; ``turn_pair_id`` counts pairs from 1, the absolute
    indexes count all turns from 0. Turns without a partner are passed over, and what is no dialogue has none. Tags are
    the assistant turn's.
    """
    turns = dialog.get("turns") if isinstance(dialog, dict) else None
    turns = turns if isinstance(turns, list) else []
    pairs: list[dict[str, Any]] = []
    for index, (user, assistant) in enumerate(itertools.pairwise(turns)):
        if not isinstance(user, dict) or not isinstance(assistant, dict):
            continue
        if role_of(user.get("role")) == "user" and role_of(assistant.get("role")) == "assistant":
            tags = assistant.get("turn_tags")
            pairs.append(
                {
                    "turn_pair_id": len(pairs) + 1,
                    "user_turn_abs_idx": index,
                    "gt_assistant_abs_idx": index + 1,
                    "user_text": str(user.get("text") or ""),
                    "gt_assistant_text": str(assistant.get("text") or ""),
                    "gt_turn_tags": dict(tags) if isinstance(tags, dict) else {},
                }
            )
    return pairs
