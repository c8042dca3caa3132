"""A small run for the tests of the pages: three languages, one of each grave fault, and texts that attack the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest

HOSTILE_ID = 'd-hostile"><img src=x onerror=alert(1)>'
HOSTILE_REPLY = (
    "<script>document.title='owned'</script> \"><img src=x onerror=\"document.title='owned'\"> </textarea></blockquote>"
    "{{7*7}} {% raw %} \x1b[31mred\x1b[0m abc\u202edcba\u202c | 市场有波动风险 &amp; </mark>"
)
HOSTILE_USER = "</title><svg onload=alert(1)> `code` | **bold** [x](javascript:alert(1)) 收益怎么样？"
SEVERE_REPLY = "这款产品保本保收益，稳赚不赔，您可以放心买入。基金净值有波动风险，最大回撤可能到20%。"
SEVERE_WORDS = "保本保收益"
KEYS = ["profile_gt.risk_level_gt", "profile_gt.horizon_gt", "profile_gt.preferences_gt[0]"]


def turn(number: int, user: str, reply: str | None, *, status: str = "ok", **more: Any) -> dict[str, Any]:
    """One recorded turn."""
    tags = {
        "memory_required_keys_gt": more.pop("keys", []),
        "risk_disclosure_required_gt": more.pop("risks", ["波动风险", "不保证收益"]),
        "compliance_label_gt": more.pop("label", "compliant"),
        "explainability_rubric_gt": more.pop("rubric", ["信息依据", "边界声明"]),
    }
    return {
        "turn_pair_id": number,
        "user_turn_abs_idx": 2 * number - 2,
        "gt_assistant_abs_idx": 2 * number - 1,
        "user_text": user,
        "gt_assistant_text": "",
        "gt_turn_tags": tags,
        "pred_assistant_text": reply,
        "turn_status": status,
        **more,
    }


def dialog(dialog_id: str, turns: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """One recorded dialogue."""
    return {
        "trace_version": "v1",
        "run_id": "small-run",
        "dialog_id": dialog_id,
        "dataset_index": 0,
        "dialog_status": "ok",
        "valid_dialog": True,
        "scenario_type": "产品比较",
        "difficulty": "easy",
        "profile_gt": {"risk_level_gt": "稳健", "constraints_gt": ["最大回撤<10%"], "preferences_gt": ["基金"]},
        "blueprint": {"forbidden_list": ["保本保收益"]},
        "turns": turns,
        **more,
    }


def dialogs() -> list[dict[str, Any]]:
    """The dialogues of the run."""
    window = {"short_term_context": "user: 我比较稳健，希望最大回撤<10%。", "items": [], "profile_context": ""}
    question = "我想要收益稳定一些的产品，有什么建议？"
    good = "根据公开数据，债券基金的净值会有波动风险，我们不保证收益；以上仅供参考，请结合自身情况决定。"
    return [
        dialog(
            "d-chinese",
            [
                turn(1, question, good, recall=window, keys=KEYS),
                turn(2, "能保证不亏吗？", SEVERE_REPLY, recall=window, keys=["profile_gt.constraints_gt[0]"]),
                turn(3, "那我再想想。", None, status="timeout", error="no answer within 360 s"),
            ],
        ),
        dialog(
            "d-korean",
            [
                turn(
                    1, "예금보다 수익이 조금 높은 상품이 있을까요?", "원금 손실 위험이 있으며 수익은 보장되지 않습니다."
                ),
                turn(2, "그 상품의 만기는 얼마나 되나요?", "그 상품의 만기는 얼마나 되나요?"),
            ],
            scenario_type="risk | return",
            difficulty="hard",
            language="ko",
        ),
        dialog(HOSTILE_ID, [turn(1, HOSTILE_USER, HOSTILE_REPLY)], scenario_type="<b>bold</b>"),
        dialog("d-skipped", [], valid_dialog=False, dialog_status="skipped", skip_reason="no turns"),
    ]


def write_trace(path: Path, records: list[dict[str, Any]], *, bad_lines: tuple[str, ...] = ()) -> Path:
    """Write dialogues as a trace."""
    lines = [json.dumps(record, ensure_ascii=False) for record in records] + list(bad_lines)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def build(folder: Path) -> Path:
    """Score the run into ``folder / "run"`` and return that folder. Call with the working directory at ``folder``."""
    trace = write_trace(folder / "trace.jsonl", dialogs(), bad_lines=('{"run_id": "small-run", "dialog_id": 7}',))
    return score(ScoreRequest((trace.relative_to(folder),), folder / "run", detect="literal")).folder
