"""Requests with blanks: a template is data, and filling it can not change its form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from turnmark.llm.secrets import MissingSecretError, Secrets
from turnmark.schemas.json_schema import json_path

BLANKS = ("user_text", "history", "messages", "dialog_id", "session_id", "user_id", "turn_index", "seed")
"""What a template may ask for. ``history`` is a list of ``{role, content}`` of the turns before, ``messages`` the same
with the turn in hand; ``turn_index`` counts the turns of the dialogue from 0."""

_TOKEN = re.compile(r"\$\{(?P<secret>[A-Za-z_]\w*)\}|(?P<open>\{\{)|(?P<close>\}\})|\{(?P<blank>[A-Za-z_]\w*)\}")


class TemplateError(ValueError):
    """A template asks for something that does not exist; ``path`` is the JSON path of the text."""

    def __init__(self, path: str, expected: str, found: str) -> None:
        super().__init__(f"{path}: expected {expected}, found {found}")
        self.path = path
        self.expected = expected
        self.found = found


class Text:
    """One text with blanks ``{user_text}``, variables ``${NAME}`` and braces written twice.

    A text that is nothing but one blank becomes the value itself, so lists stay lists. What is filled in is never read
    as a template again.
    """

    def __init__(self, text: str, path: str, secrets: Secrets) -> None:
        self._parts: list[tuple[bool, str]] = []
        position = 0
        for token in _TOKEN.finditer(text):
            self._parts.append((False, text[position : token.start()]))
            position = token.end()
            blank, secret = token["blank"], token["secret"]
            if blank is not None:
                if blank not in BLANKS:
                    raise TemplateError(path, f"one of {{{'}, {'.join(BLANKS)}}}", f"{{{blank}}}")
                self._parts.append((True, blank))
            elif secret is not None:
                try:
                    self._parts.append((False, secrets.expand(token[0])))
                except MissingSecretError:
                    expected = f"the environment variable {secret} to be set"
                    raise TemplateError(path, expected, "no such variable") from None
            else:
                self._parts.append((False, "{" if token["open"] else "}"))
        self._parts.append((False, text[position:]))
        self._parts = [part for part in self._parts if part[1]]

    def fill(self, values: Mapping[str, Any]) -> Any:
        """The value: that of the only blank, or a text."""
        if len(self._parts) == 1 and self._parts[0][0]:
            return values[self._parts[0][1]]
        return self.text(values)

    def text(self, values: Mapping[str, Any], escape: Callable[[str], str] = str) -> str:
        """A text; ``escape`` is applied to what is filled in."""
        return "".join(escape(str(values[part])) if blank else part for blank, part in self._parts)


def compiled(value: Any, secrets: Secrets, steps: tuple[str | int, ...] = ()) -> Any:
    """The same JSON value with every text in it as a `Text`. Raises: TemplateError."""
    if isinstance(value, str):
        return Text(value, json_path(list(steps)), secrets)
    if isinstance(value, list):
        return [compiled(item, secrets, (*steps, index)) for index, item in enumerate(value)]
    if isinstance(value, dict):
        return {str(key): compiled(item, secrets, (*steps, str(key))) for key, item in value.items()}
    return value


def filled(template: Any, values: Mapping[str, Any]) -> Any:
    """A JSON value from a compiled template."""
    if isinstance(template, Text):
        return template.fill(values)
    if isinstance(template, list):
        return [filled(item, values) for item in template]
    if isinstance(template, dict):
        return {key: filled(item, values) for key, item in template.items()}
    return template


def percent_encoded(value: str) -> str:
    """A value for an address or a header: no character in it has a meaning there."""
    return quote(value, safe="")


def text_pairs(template: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Header names and values."""
    for name, text in template.items():
        yield name, text.text(values, percent_encoded)
