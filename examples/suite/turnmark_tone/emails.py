"""Files of e-mails, one a line: ``{"email_id": …, "message": …, "reply": …}``."""

import msgspec

from turnmark.extension import (
    TRACE_VERSION,
    FileKind,
    Line,
    Problem,
    Reader,
    holds_dialogues,
    once,
    read_lines,
    records,
)


class Email(msgspec.Struct):
    email_id: str
    message: str
    reply: str


def email_lines(path):
    """E-mails as dialogues of one turn; a trace as it is."""
    if holds_dialogues(path):
        yield from read_lines(path)
        return
    for number, found in enumerate(Reader(Email).read(path)):
        if isinstance(found, Problem):
            yield found
        else:
            yield Line(str(path), found.line.number, msgspec.json.encode(_dialogue(found.value, number, path.stem)))


def _dialogue(email, index, run_id):
    turn = {
        "turn_pair_id": 1, "user_turn_abs_idx": 0, "gt_assistant_abs_idx": 1, "user_text": email.message,
        "gt_assistant_text": "", "gt_turn_tags": None, "turn_status": "ok", "pred_assistant_text": email.reply,
    }  # fmt: skip
    return {
        "trace_version": TRACE_VERSION, "run_id": run_id, "dialog_id": email.email_id, "dataset_index": index,
        "dialog_status": "ok", "valid_dialog": True, "turns": [turn],
    }  # fmt: skip


def check_emails(path, problems):
    seen = {}
    count = 0
    for record in records(Email, path, problems):
        count += 1
        once(problems, record.line, seen, record.value.email_id, "$.email_id")
    return count


KINDS = (
    FileKind(
        "emails", (frozenset({"email_id", "message", "reply"}),), check_emails,
        "e-mails: {verb} them with --suite tone", scored=True,
    ),
)  # fmt: skip
