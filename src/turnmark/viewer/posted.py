"""What pages of the viewer send: labels, notes and overrides."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from turnmark.errors import UsageError

LONGEST_LABEL = 1 << 16
"""Bytes of a request that brings a label or a note; all of its fields together need a few hundred."""


class LabelRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A label of one measure of a turn; ``note`` says why."""

    run: str
    annotator: str
    dialog_id: str
    turn_pair_id: int
    measure: str
    value: bool | float | None
    fingerprint: str = ""
    note: str = ""


class NoteRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A star or a comment on a turn."""

    run: str
    annotator: str
    dialog_id: str
    turn_pair_id: int
    star: bool = False
    comment: str = ""


class OverrideRequest(msgspec.Struct, forbid_unknown_fields=True):
    """What a reviewer says of one mark of a turn; ``date`` is the day where the browser is."""

    run: str
    reviewer: str
    dialog_id: str
    turn_pair_id: int
    metric: str
    label: str
    marked: bool | str
    reason: str
    date: str
    fingerprint: str = ""


Decoded = TypeVar("Decoded")


async def body_of(request: Request) -> bytes | None:
    """What was sent; None when it is more than a label or a note needs."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LONGEST_LABEL:
            return None
    return body


def too_long() -> Response:
    """The answer to more than that."""
    return PlainTextResponse(f"expected a label of at most {LONGEST_LABEL} bytes, found more", 413)


def decoded(body: bytes, kind: type[Decoded], what: str) -> Decoded:
    """What was sent as a record. Raises: UsageError when it is none."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        message = f"expected {what}, found: {error}"
        raise UsageError(message) from error
