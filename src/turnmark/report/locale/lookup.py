"""Every word of the interface, in one table a language, so that another language is one more table.

Texts with ``{names}`` are filled in by `filled`. Names of measures, tags and rules are data and are not translated.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from turnmark.report.locale.en import ENGLISH
from turnmark.report.locale.ko import KOREAN
from turnmark.report.locale.measures import MEASURE_TEXTS
from turnmark.report.locale.suites import in_suite
from turnmark.report.locale.zh import CHINESE

_TABLES = {"en": ENGLISH, "zh": CHINESE, "ko": KOREAN}

LANGUAGES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {language: MappingProxyType({**table, **MEASURE_TEXTS[language]}) for language, table in _TABLES.items()}
)
"""The tables by the code that ``--lang`` takes."""


@cache
def texts_of(language: str, suite: str | None = None) -> Mapping[str, str]:
    """The words of a language as a suite says them. Raises: KeyError for a language that there is not."""
    return in_suite(LANGUAGES[language], language, suite)


def filled(texts: Mapping[str, str], name: str, **values: object) -> str:
    """The text of that name with its places filled in. Raises: KeyError when there is no such text."""
    return texts[name].format_map(values)


def named(texts: Mapping[str, str], prefix: str, name: str) -> str:
    """The text ``prefix_name``, or the name itself where the interface has no word for it."""
    return texts.get(f"{prefix}_{name}", name)
