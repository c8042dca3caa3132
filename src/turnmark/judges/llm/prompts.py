"""Prompts: one file a judgement and language; texts to be judged go into a block of JSON that they cannot leave."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from typing import Literal

from turnmark.language.script import detect_language

Language = Literal["zh", "ko", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "ko", "en")


@cache
def prompt(name: str, language: Language) -> str:
    """The prompt of a name, such as ``verdicts``, in a language."""
    file = resources.files("turnmark.judges").joinpath("prompts", f"{name}.{language}.md")
    return file.read_text("utf-8").strip()


def filled(name: str, language: Language, **values: str) -> str:
    """A prompt with ``{name}`` replaced; braces of the JSON in it stay."""
    text = prompt(name, language)
    for field, value in values.items():
        text = text.replace(f"{{{field}}}", value)
    return text


@cache
def digest() -> str:
    """The first 16 hex digits of a hash over all prompt files and their names."""
    folder = resources.files("turnmark.judges").joinpath("prompts")
    total = hashlib.sha256()
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".md"):
            total.update(file.name.encode() + b"\0" + file.read_text("utf-8").encode() + b"\0")
    return total.hexdigest()[:16]


def language_of(code: str, text: str) -> Language:
    """The language of the prompts for a case: that of its data, told by its script where it is not known; else en."""
    for item in (code, detect_language(text)):
        for language in LANGUAGES:
            if item == language:
                return language
    return "en"
