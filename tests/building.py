"""Small traces for tests, written by hand: every field that a test does not name is plain and valid."""

import json
from pathlib import Path
from typing import Any

import turnmark

CONSTRAINTS = ["不使用杠杆", "最大回撤<10%"]
PREFERENCES = ["宽基指数基金", "短债基金"]
PROFILE = {
    "risk_level_gt": "稳健",
    "horizon_gt": "2年以上",
    "liquidity_need_gt": "中",
    "constraints_gt": CONSTRAINTS,
    "preferences_gt": PREFERENCES,
}
REPLY = "可以考虑分散配置，定期检查，并留出应急资金。"


def turn(number: int = 1, reply: Any = REPLY, **fields: Any) -> dict[str, Any]:
    """One turn. ``keys``, ``risks``, ``rubric`` and ``label`` are the ground-truth tags."""
    tags = {
        "memory_required_keys_gt": fields.pop("keys", []),
        "risk_disclosure_required_gt": fields.pop("risks", []),
        "compliance_label_gt": fields.pop("label", "compliant"),
        "explainability_rubric_gt": fields.pop("rubric", []),
    }
    return {
        "turn_pair_id": number,
        "user_turn_abs_idx": 2 * number - 2,
        "gt_assistant_abs_idx": 2 * number - 1,
        "user_text": f"第{number}个问题：请问我该怎么安排这笔钱？",
        "gt_assistant_text": f"第{number}个参考答复。",
        "gt_turn_tags": tags,
        "pred_assistant_text": reply,
        "turn_status": "ok",
        **fields,
    }


def dialog(name: str = "d1", turns: Any = (), **fields: Any) -> dict[str, Any]:
    """One dialogue of a trace."""
    return {
        "trace_version": "v1",
        "run_id": "run_1",
        "dialog_id": name,
        "dataset_index": 0,
        "scenario_type": "投资教育",
        "difficulty": "easy",
        "dialog_status": "ok",
        "valid_dialog": True,
        "profile_gt": PROFILE,
        "turns": list(turns) or [turn()],
        **fields,
    }


def dataset_dialog(name: str = "d1", pairs: int = 2, **fields: Any) -> dict[str, Any]:
    """One dialogue of a dataset with so many user/assistant pairs."""
    turns = []
    for number in range(1, pairs + 1):
        turns.append({"role": "user", "text": f"第{number}个问题。"})
        turns.append(
            {
                "role": "assistant",
                "text": f"第{number}个参考答复。",
                "turn_tags": {
                    "memory_required_keys_gt": ["profile_gt.risk_level_gt"],
                    "risk_disclosure_required_gt": ["波动风险"],
                    "compliance_label_gt": "compliant",
                    "explainability_rubric_gt": ["信息依据"],
                },
            }
        )
    return {"dialog_id": name, "profile_gt": PROFILE, "turns": turns, **fields}


def recall(**fields: Any) -> dict[str, Any]:
    """A recall block; what is not named is missing."""
    return {"recall": fields}


def line(value: Any) -> bytes:
    """One JSON line."""
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def write_lines(path: Path, *records: Any) -> Path:
    """Records (dicts) or raw lines (bytes) as a JSON Lines file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(record if isinstance(record, bytes) else line(record) for record in records))
    return path


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The records of a JSON Lines file, none when it is missing."""
    return [json.loads(raw) for raw in path.read_bytes().splitlines()] if path.is_file() else []


def found_in(*turns: Any, profiles: Any = None) -> list[list[dict[str, Any]]]:
    """The evidence of each of these turns, every one a dialogue of its own; ``profiles`` are theirs, in order."""
    dialogs = [dialog(f"d{place:03}", [only]) for place, only in enumerate(turns)]
    for place, one in enumerate(dialogs):
        if profiles is None:
            del one["profile_gt"]
        else:
            one["profile_gt"] = profiles[place]
    pieces: list[list[dict[str, Any]]] = [[] for _ in turns]
    for piece in turnmark.score(dialogs, suite="finance").evidence:
        pieces[int(piece["dialog_id"][1:])].append(piece)
    return pieces
