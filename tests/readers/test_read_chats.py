"""Chat logs as users have them become the same dialogues."""

import json

import msgspec
import pytest

from turnmark.readers.chats import chat_records
from turnmark.readers.dialogues import dialogue_lines
from turnmark.schemas.jsonl import Line
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import DialogTrace
from turnmark.suites.file_kinds import kind_of, suite_of

TURNS = [("保本吗？", "不保本。"), ("那买多少？", "先看期限。")]
MESSAGES = [
    {"role": role, "content": text} for turn in TURNS for role, text in zip(("user", "assistant"), turn, strict=True)
]


def dialogs(path):
    lines = list(dialogue_lines(path, chat_records(path)))
    found = [msgspec.json.decode(line.raw, type=DialogTrace) for line in lines if isinstance(line, Line)]
    told = [[(turn.user_text, turn.pred_assistant_text) for turn in dialog.turns] for dialog in found]
    return told, [dialog.dialog_id for dialog in found], [line for line in lines if isinstance(line, Problem)]


def spoken(user, assistant):
    return "".join(f"{user.format(asked)}\n{assistant.format(replied)}\n" for asked, replied in TURNS)


@pytest.mark.parametrize(
    ("name", "content", "dialog_id"),
    [
        ("a.jsonl", json.dumps({"session_id": "s1", "messages": MESSAGES}), "s1"),
        ("a.json", json.dumps([{"id": 7, "messages": MESSAGES}], indent=2), "7"),
        ("one.json", json.dumps({"conversation_id": "c", "messages": MESSAGES}, indent=2), "c"),
        ("list.json", json.dumps(MESSAGES, indent=2), "dialog-00001"),
        ("lists.jsonl", json.dumps(MESSAGES), "dialog-00001"),
        ("parts.jsonl", json.dumps({"messages": [
            {**message, "content": [{"type": "text", "text": message["content"]}]} for message in MESSAGES
        ]}), "dialog-00001"),
        ("share.jsonl", json.dumps({"id": "x", "conversations": [
            {"from": {"user": "human", "assistant": "gpt"}[message["role"]], "value": message["content"]}
            for message in MESSAGES
        ]}), "x"),
        ("plain.txt", spoken("User: {}", "Assistant: {}"), "dialog-00001"),
        ("zh.txt", spoken("用户：{}\n", "助手：{}\n"), "dialog-00001"),
        ("ko.log", spoken("[10:00] 고객: {}", "[10:01] 상담사: {}"), "dialog-00001"),
    ],
)  # fmt: skip
def test_one_dialogue_in_every_form(tmp_path, name, content, dialog_id):
    (tmp_path / name).write_text(content, "utf-8")
    assert dialogs(tmp_path / name) == ([TURNS], [dialog_id], [])
    assert (kind_of(tmp_path / name), suite_of(tmp_path / name)) == ("chats", "finance")


def test_what_makes_no_turn_is_said(tmp_path):
    messages = [
        {"role": "system", "content": "Be brief."}, {"role": "assistant", "content": "Hello!"}, *MESSAGES,
        {"role": "user", "content": "谢谢"},
    ]  # fmt: skip
    (tmp_path / "a.jsonl").write_text(json.dumps({"messages": messages}), "utf-8")
    told, _, (problem,) = dialogs(tmp_path / "a.jsonl")
    assert told == [TURNS]
    assert (problem.severity, problem.found) == (
        "warning",
        "1 messages of the system, 2 messages without a counterpart",
    )


def test_tools_and_contexts_go_with_the_reply(tmp_path):
    messages = [
        {"role": "user", "content": "Fee?"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
        {"role": "tool", "name": "search", "content": "The fee is 2 %."},
        {"role": "assistant", "content": "2 %.", "contexts": ["The fee is 2 %."]},
    ]
    (tmp_path / "a.jsonl").write_text(json.dumps({"messages": messages}), "utf-8")
    (line,) = dialogue_lines(tmp_path / "a.jsonl", chat_records(tmp_path / "a.jsonl"))
    (turn,) = msgspec.json.decode(line.raw, type=DialogTrace).turns
    assert (turn.pred_assistant_text, turn.tools[0].tool_name, turn.tools[0].result_excerpt) == (
        "2 %.",
        "search",
        "The fee is 2 %.",
    )
    assert [item.content for item in turn.recall.items] == ["The fee is 2 %."]


def test_dialogues_of_plain_text_are_parted_by_rules_and_replies_go_on(tmp_path):
    (tmp_path / "a.md").write_text("User: a?\nAssistant: b.\n注意：c.\n\n---\n用户：d?\n助手：e.\n", "utf-8")
    assert dialogs(tmp_path / "a.md")[0] == [[("a?", "b.\n注意：c.")], [("d?", "e.")]]
    (tmp_path / "b.txt").write_text("Just a note: nothing is said here.\n", "utf-8")
    assert kind_of(tmp_path / "b.txt") is None


def test_a_line_that_is_no_dialogue_is_named(tmp_path):
    lines = [json.dumps({"messages": MESSAGES}), json.dumps({"messages": "x"})]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), "utf-8")
    told, _, (problem,) = dialogs(tmp_path / "a.jsonl")
    assert told == [TURNS]
    assert (problem.line, problem.severity) == (2, "error")


def test_limits_that_a_log_gives_are_those_of_the_dialogue(tmp_path):
    path = tmp_path / "chats.jsonl"
    messages = [{"role": "user", "content": "Shall I?"}, {"role": "assistant", "content": "Yes."}]
    profiles = [{"constraints_gt": ["no crypto"]}, "none"]
    path.write_text("".join(json.dumps({"messages": messages, "profile_gt": one}) + "\n" for one in profiles), "utf-8")
    first, second = [record for _, record in chat_records(path)]
    assert first["profile_gt"] == {"constraints_gt": ["no crypto"]}
    assert "metadata" not in first
    assert "profile_gt" not in second
    assert second["metadata"] == {"profile_gt": "none"}
