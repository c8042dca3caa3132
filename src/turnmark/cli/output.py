"""What commands print. Names, quotes and messages are data: nothing in them acts on the terminal or breaks off."""

from __future__ import annotations

import io
import re
from typing import Any, TextIO

import click
import msgspec

from turnmark.report.view.control_characters import visible
from turnmark.schemas.redaction import SECRETS_IN_USE
from turnmark.schemas.results.summary import as_builtin

_SURROGATE = re.compile("[\ud800-\udfff]")
_UNESCAPED = re.compile("[\x7f-\x9f]")


def printable(text: str) -> str:
    """The text as it may be printed: of what acts without being seen only newlines and tabs stay.

    Others are shown as ``[U+001B]``, as on pages. Half a character (a lone surrogate, or a byte of a file name that is
    no UTF-8) becomes U+FFFD, since no terminal can be sent it.
    """
    return visible(_SURROGATE.sub("\ufffd", text)).replace("\r", "[U+000D]")


def show_what_can_be_shown(stream: TextIO) -> None:
    """Print ``?`` for what a terminal's character set lacks (cp949, GBK, Latin-1, C), in place of ending in an error.

    Only what is shown is poorer: files are UTF-8 whatever the terminal takes.
    """
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")


def say(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a text for people, on standard error with ``err``, without a newline behind it where ``nl`` is false."""
    click.echo(SECRETS_IN_USE.text(printable(text)), err=err, nl=nl)


def say_json(value: Any) -> None:
    """Print a value as JSON. Programs read back what it is; control characters stand in it as escapes."""
    encoded = SECRETS_IN_USE.raw(msgspec.json.encode(value, enc_hook=as_builtin))
    written = msgspec.json.format(encoded, indent=2).decode("utf-8")
    click.echo(_UNESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", written))
