"""Secrets out of everything that is written: settings by name, texts by form and by what the environment holds."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from turnmark.schemas.redaction import MASK, SECRETS_IN_USE

_SECRET_NAME = re.compile(
    r"(?:api|access|auth|private|secret|session)[-_]?key|token(?!s)|secret|passw|authorization|cookie|credential"
    r"|^key$|(?<![a-z])key$",
    re.IGNORECASE,
)
_SECRET_TEXT = re.compile(
    r"(?P<head>\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}"
    r"|\b(?:sk|pk|rk|ghp|gho|xox[abp]|hf|AKIA|AIza)[-_]?[\w-]{16,}"
    r"|(?P<scheme>\b[a-z][a-z0-9+.-]*://)[^\s/@:]+:[^\s/@]+(?=@)"
    r"|(?P<query>[?&](?:api_?key|key|token|access_token|sig|signature)=)[^&\s]+",
    re.IGNORECASE,
)
_SHORTEST_SECRET = 8


def is_secret_name(name: str) -> bool:
    """Whether a setting of this name holds a secret (api_key, Authorization, X-Auth-Token …; not max_tokens)."""
    return bool(_SECRET_NAME.search(name))


def masked(value: Any) -> Any:
    """A JSON value without secrets: values under secret names, and what looks like a secret within texts."""
    if isinstance(value, Mapping):
        return {
            str(name): MASK if is_secret_name(str(name)) and held not in (None, "") else masked(held)
            for name, held in value.items()
        }
    if isinstance(value, list | tuple):
        return [masked(held) for held in value]
    return masked_text(value) if isinstance(value, str) else value


def masked_text(text: str) -> str:
    """A text without tokens, passwords in addresses, and values of environment variables whose names say secret."""
    for name, secret in os.environ.items():
        if len(secret) >= _SHORTEST_SECRET and secret in text and is_secret_name(name):
            text = text.replace(secret, MASK)
    return SECRETS_IN_USE.text(_SECRET_TEXT.sub(_kept_head, text))


def use_secrets(options: Mapping[str, Any]) -> None:
    """Have secrets among an agent's options, and those of the environment that its code may use, known as in use."""
    for name, value in (*os.environ.items(), *options.items()):
        if isinstance(value, str) and is_secret_name(name):
            SECRETS_IN_USE.add(value.strip())


def _kept_head(match: re.Match[str]) -> str:
    return (match["head"] or match["scheme"] or match["query"] or "") + MASK
