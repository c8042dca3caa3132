"""Chat logs to dialogues of trace v1: messages with roles (OpenAI, ShareGPT and their like), and plain text.

What a log does not say is left out: there is no memory, and no profile but one given as ``profile_gt``. Messages of the
system, a greeting before the first user message and a last user message without a reply make no turn; what became of
them is a warning.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from turnmark.errors import DataError
from turnmark.readers.advice import limits_of, names_limits
from turnmark.readers.characters import UnreadableError, decode
from turnmark.readers.protocol import Numbered, Sample
from turnmark.readers.records import first_record, record_lines
from turnmark.readers.sampling import BINARY
from turnmark.readers.tables import is_table
from turnmark.schemas.dialog import role_of
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.problems import Problem, readable, shown

MESSAGE_LISTS = ("messages", "conversations", "conversation", "chat", "dialogue", "dialog", "history", "대화", "对话")
"""Names under which records hold their messages."""
_ROLES = ("role", "from", "speaker", "author", "sender", "역할", "角色")
_TEXTS = ("content", "value", "text", "message", "내용", "内容")
_IDS = ("session_id", "conversation_id", "dialog_id", "dialogue_id", "thread_id", "chat_id", "id", "대화id", "会话id")
_CONTEXTS = ("retrieved_contexts", "contexts", "retrieval_context")
_SUFFIXES = (".txt", ".log", ".md")
_LABEL = re.compile(
    r"^\s*(?:\[[^\]\n]{1,40}\]\s*)?(?:\*\*)?(?P<role>[^\W\d_]{1,12}(?: [A-Za-z]{1,12})?)"
    r"(?:\*\*)?\s*[:：](?:\*\*)?\s*(?P<text>.*)$"
)
_BETWEEN = re.compile(r"^\s*(?:-{3,}|={3,}|\*{3,}|#{3,})\s*$")


class Message(NamedTuple):
    """One message: who spoke (``user``, ``assistant``, ``tool``, else as it was), what, and what stood with it."""

    role: str
    text: str
    record: Mapping[str, Any]


def is_chat(record: Any) -> bool:
    """Whether a JSON value is a dialogue of messages: an object with a list of them, or the list itself."""
    return _messages(record) is not None


def is_chat_text(path: Path) -> bool:
    """Whether a file is plain text in which lines begin with who speaks. Raises: DataError."""
    if path.suffix.lower() not in _SUFFIXES:
        return False
    first = next((line for line in _text(path).splitlines() if line.strip() and not _BETWEEN.match(line)), "")
    return _spoken(first) is not None


def chat_records(path: Path) -> Iterator[Numbered]:
    """The dialogues of a chat log, and what was left out of each.

    Raises: DataError when the file cannot be read.
    """
    records = _of_text(path) if is_chat_text(path) else _of_json(path)
    for position, (number, record) in enumerate(records):
        if isinstance(record, Problem):
            yield number, record
            continue
        messages = _messages(record)
        if messages is None:
            yield number, _no_dialogue(path, number, record)
            continue
        turns, left_out = _turns(messages)
        if left_out:
            yield (
                number,
                Problem(
                    file=readable(path), line=number, expected="questions and replies by turns", found=left_out,
                    advice="left out", severity="warning",
                ),
            )  # fmt: skip
        yield number, _dialogue(record, turns, position)


class _Chats:
    version = "messages with roles (OpenAI chat and its fine-tuning files, ShareGPT), plain text with speakers"
    gives: Literal["dialogues"] = "dialogues"

    def recognise(self, sample: Sample) -> bool:
        """Whether it is such a text, or its first record a dialogue of messages."""
        if is_table(sample.path) or sample.path.suffix.lower() in BINARY:
            return False
        return is_chat_text(sample.path) or is_chat(sample.first) or is_chat(first_record(sample.path, is_chat))

    def read(self, path: Path) -> Iterator[Numbered]:
        """As `chat_records`."""
        return chat_records(path)


CHATS = _Chats()


def _no_dialogue(path: Path, number: int, record: Any) -> Problem:
    """What is wrong with a record that is no dialogue: the first message that is none, where there are messages."""
    lists = [name for name in MESSAGE_LISTS if isinstance(record, Mapping) and isinstance(record.get(name), list)]
    entries = record[lists[0]] if lists else record if isinstance(record, list) else []
    wrong = next((place for place, entry in enumerate(entries) if _message(entry) is None), None)
    field = "$" + (f".{lists[0]}" if lists else "") + ("" if wrong is None else f"[{wrong}]")
    return Problem(
        file=readable(path),
        line=number,
        field=field,
        expected="a dialogue: a list of messages with role and content" if wrong is None
        else "a message with role and content",
        found=shown(record if wrong is None else entries[wrong]),
        advice="the line is left out",
    )  # fmt: skip


def _of_json(path: Path) -> Iterator[tuple[int, Any]]:
    reader = Reader(Any)
    for line in record_lines(path, is_chat):
        if isinstance(line, Problem):
            yield line.line, line
            continue
        decoded = reader.decode(line)
        if isinstance(decoded, list):
            yield line.number, decoded[0]
            continue
        if decoded.warning is not None:
            yield line.number, decoded.warning
        yield line.number, decoded.value


def _of_text(path: Path) -> Iterator[tuple[int, Any]]:
    """Dialogues of plain text: lines without a speaker go on with the message before, a rule begins a new dialogue."""
    messages: list[dict[str, str]] = []
    start = 1
    for number, line in enumerate(_text(path).splitlines(), 1):
        if _BETWEEN.match(line):
            if messages:
                yield start, {"messages": messages}
            messages = []
            continue
        spoken = _spoken(line)
        if spoken is not None:
            start = start if messages else number
            messages.append({"role": spoken[0], "content": spoken[1]})
        elif messages:
            messages[-1]["content"] += "\n" + line
    if messages:
        yield start, {"messages": messages}


def _text(path: Path) -> str:
    try:
        return decode(path.read_bytes()).text
    except UnreadableError as error:
        message = f"{path}: {error}"
        raise DataError(message) from error
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise DataError(message) from error


def _spoken(line: str) -> tuple[str, str] | None:
    """Who speaks in a line and what; None where it begins with nobody that is known."""
    match = _LABEL.match(line)
    role = role_of(match["role"]) if match else None
    return (role, match["text"]) if match and role in {"user", "assistant", "system", "tool"} else None


def _messages(record: Any) -> list[Message] | None:
    """The messages of a record; None when it holds none."""
    entries = record
    if isinstance(record, Mapping):
        entries = next((record[name] for name in MESSAGE_LISTS if isinstance(record.get(name), list)), None)
    if not isinstance(entries, Sequence) or isinstance(entries, str) or not entries:
        return None
    messages = [_message(entry) for entry in entries]
    return None if None in messages else [message for message in messages if message is not None]


def _message(entry: Any) -> Message | None:
    if not isinstance(entry, Mapping):
        return None
    role = next((entry[name] for name in _ROLES if isinstance(entry.get(name), str)), None)
    name = next((name for name in _TEXTS if name in entry), None)
    if role is None or name is None:
        return None
    return Message(role_of(role), _plain(entry[name]).strip(), entry)


def _plain(content: Any) -> str:
    """The text of a message, of whose parts those that are texts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text") if isinstance(part, Mapping) else part for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))


def _turns(messages: Sequence[Message]) -> tuple[list[dict[str, Any]], str]:
    """Questions with the replies that follow them, and in words what has no place in a turn."""
    turns: list[dict[str, Any]] = []
    asked: list[str] = []
    tools: list[dict[str, Any]] = []
    place = left = system = 0
    for role, group in itertools.groupby(messages, key=lambda message: message.role):
        spoken = list(group)
        if role == "user":
            left += 1 if asked else 0
            asked, tools = [message.text for message in spoken], []
        elif role in {"tool", "function"}:
            tools += [{"tool_name": message.record.get("name"), "result_excerpt": message.text} for message in spoken]
        elif role != "assistant":
            system += len(spoken)
        elif reply := "\n".join(message.text for message in spoken if message.text):
            if not asked:
                left += 1
                continue
            turns.append(_turn(len(turns) + 1, place, "\n".join(asked), reply, spoken, tools))
            place, asked, tools = place + 2, [], []
    told = {
        "messages of the system": system,
        "messages without a counterpart": left + bool(asked),
    }
    return turns, ", ".join(f"{count} {what}" for what, count in told.items() if count)


def _turn(
    number: int, place: int, question: str, reply: str, spoken: Sequence[Message], tools: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    contexts = [
        text
        for message in spoken
        for name in _CONTEXTS
        if isinstance(message.record.get(name), list)
        for text in message.record[name]
        if isinstance(text, str)
    ]
    said = {*_ROLES, *_TEXTS, *_CONTEXTS}
    kept = {key: value for message in spoken for key, value in message.record.items() if key not in said}
    return {
        "turn_pair_id": number,
        "user_turn_abs_idx": place,
        "gt_assistant_abs_idx": place + 1,
        "user_text": question,
        "gt_assistant_text": "",
        "gt_turn_tags": None,
        "turn_status": "ok",
        "pred_assistant_text": reply,
        **({"tools": list(tools)} if tools else {}),
        **({"recall": {"items": [{"content": text} for text in contexts]}} if contexts else {}),
        **({"metadata": kept} if kept else {}),
    }


def _dialogue(record: Any, turns: list[dict[str, Any]], position: int) -> dict[str, Any]:
    fields = record if isinstance(record, Mapping) else {}
    name = next((fields[name] for name in _IDS if isinstance(fields.get(name), str | int) and fields[name] != ""), None)
    language = fields.get("language")
    # What a log gives in the form of a trace is taken as such: the limits that replies are held to.
    limits = limits_of(fields)
    profile: dict[str, Any] = {}
    if isinstance(fields.get("profile_gt"), Mapping):
        profile = {"profile_gt": fields["profile_gt"]}
    elif limits:
        profile = {"profile_gt": {"constraints_gt": limits}}
    named = {
        *MESSAGE_LISTS,
        *_IDS,
        "language",
        *profile,
        *(name for name in fields if limits and names_limits(name)),
    }
    kept = {key: value for key, value in fields.items() if key not in named}
    return {
        "dialog_id": str(name) if name is not None else f"dialog-{position + 1:05d}",
        "language": language if isinstance(language, str) else None,
        **profile,
        "turns": turns,
        **({"metadata": kept} if kept else {}),
    }
