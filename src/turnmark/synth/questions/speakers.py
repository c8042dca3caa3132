"""The languages that questions are asked in."""

from __future__ import annotations

from functools import cache

from turnmark.synth.questions.en.questions import English
from turnmark.synth.questions.ko.questions import Korean
from turnmark.synth.questions.model import Language
from turnmark.synth.questions.reading import Speaker
from turnmark.synth.questions.zh.questions import Chinese


@cache
def speaker(language: Language) -> Speaker:
    """Who asks in a language."""
    results: dict[Language, type[Speaker]] = {"zh": Chinese, "en": English, "ko": Korean}
    return results[language]()
