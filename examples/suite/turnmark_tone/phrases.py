"""The detector: harsh phrases, and greetings at the start of a reply, in English, Chinese and Korean."""

import re
from collections.abc import Iterator
from typing import NamedTuple

VERSION = "1.0.0"

_HARSH = re.compile(
    r"\bas i (?:already )?told you\b|\bobviously\b|\byou should have (?:read|known)\b|\bnot my problem\b"
    r"|早就告诉过你|你自己看|不关我的事|이미 말씀드렸잖아요|알아서 하세요",
    re.IGNORECASE,
)
_GREETING = re.compile(r"\s*(?:hello|hi|dear|good (?:morning|afternoon)|您好|你好|尊敬的|안녕하세요)", re.IGNORECASE)


class Found(NamedTuple):
    """A phrase and where it stands."""

    rule: str
    start: int
    end: int
    quote: str


def harsh(reply: str) -> Iterator[Found]:
    """Every harsh phrase of a reply."""
    for match in _HARSH.finditer(reply):
        yield Found("tone.harsh", *match.span(), match[0])


def greeting(reply: str) -> Found | None:
    """The greeting that a reply opens with."""
    match = _GREETING.match(reply)
    return None if match is None else Found("tone.greeting", *match.span(), match[0])
