"""Every word of a page is looked up here: by the key of the text, in a language, as a suite says it.

Keys (``no_worst``, ``kind_severe``, ``measure_ndcg``) are the msgids of the catalogues, and English is a catalogue like
the others; ``docs/architecture.md`` says why. A suite's own words stand under its name as msgctxt: the names of its
metrics, and texts that it says otherwise than the rest (of RAG a dialogue is a case). Reasons why a metric has no
figure stand under the msgctxt ``reason``, by their English template. A text that a language lacks is English. Nothing
is read before the first lookup.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from gettext import GNUTranslations
from importlib import resources
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from types import MappingProxyType

from turnmark.schemas.reasons import Reason

DOMAIN = "turnmark"
LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "zh": "中文", "ko": "한국어"})
"""The languages of the interface by the code that ``--lang`` takes, each named in itself."""

REASON = "reason"
SUITES = ("finance", "clinical", "rag")
SILENT = " "
"""What a catalogue says where a suite has no words for a text: an empty msgstr means "not translated" to gettext."""

_folders: dict[str, Traversable] = {}


def add_catalogues(suite: str, folder: Path | Traversable) -> None:
    """Let pages about a suite use the catalogues of its package.

    ``folder`` holds ``LANGUAGE/LC_MESSAGES/turnmark.mo`` for each language the package speaks; messages have the
    suite's name as msgctxt. Raises: FileNotFoundError when ``folder`` holds no catalogue in any language.
    """
    if not any(_file(folder, language).is_file() for language in LANGUAGES):
        message = f"{folder}: expected LANGUAGE/LC_MESSAGES/{DOMAIN}.mo for one of {', '.join(LANGUAGES)}, found none"
        raise FileNotFoundError(message)
    _folders[suite] = folder
    _catalogues.cache_clear()
    _table.cache_clear()


class Texts(Mapping[str, str]):
    """The words of one language as one suite says them; None for words that belong to no suite.

    A key is sought under the suite, then among the words of all suites, then under the other suites (pages show metrics
    that joined from another suite); in the language first, then in English. ``language`` is its code.
    """

    def __init__(self, language: str, suite: str | None = None) -> None:
        self.language = language
        self._suite = suite

    def __getitem__(self, key: str) -> str:
        return _table(self.language, self._suite)[key]

    def __iter__(self) -> Iterator[str]:
        return iter(_table(self.language, self._suite))

    def __len__(self) -> int:
        return len(_table(self.language, self._suite))


@cache
def texts_of(language: str, suite: str | None = None) -> Texts:
    """The words of a language as a suite says them. Raises: KeyError for a language that there is not."""
    if language not in LANGUAGES:
        raise KeyError(language)
    return Texts(language, suite)


ENGLISH = texts_of("en")


def filled(texts: Mapping[str, str], key: str, **parts: object) -> str:
    """The text of that key with its braces filled in; ``{count:turn|turns}`` is the word that goes with the count.

    Raises: KeyError when there is no such text.
    """
    text = texts[key]
    return text.format_map({name: _Counted(part) for name, part in parts.items()} if "|" in text else parts)


class _Counted:
    """A part of a text that also says which of two words goes with it, where it is a count."""

    def __init__(self, part: object) -> None:
        self._part = part

    def __format__(self, spec: str) -> str:
        one, bar, others = spec.partition("|")
        if bar:
            return one if str(self._part) == "1" else others
        return format(self._part, spec)


def worded(texts: Texts, template: str, parts: Mapping[str, object]) -> str:
    """Why something has no figure: the English template in the language of the texts, with ``parts`` for its braces.

    A template that no catalogue holds is worded as it stands. Raises: KeyError for a brace without its part.
    """
    results = (catalogue.pgettext(REASON, template) for catalogue in _catalogues(texts.language))
    return next((text for text in results if text != template), template).format_map(parts)


def worded_reason(texts: Texts, reason: Reason) -> str:
    """A reason in the language of the texts; so is a reason that is part of it."""
    parts = {name: _worded_part(texts, name, part) for name, part in reason.parts.items()}
    return worded(texts, reason.template, parts)


def _worded_part(texts: Texts, name: str, part: str) -> str:
    if name == "reason":
        return worded_reason(texts, Reason.text(part))
    return named(texts, "turn_status", part) if name == "status" else part


def named(texts: Mapping[str, str], prefix: str, name: str) -> str:
    """The text ``prefix_name``, or the name itself where the interface has no word for it."""
    return texts.get(f"{prefix}_{name}", name)


class _Catalogue(GNUTranslations):
    """A catalogue whose texts can be gone through."""

    _catalog: dict[str, str]

    def under(self, context: str) -> Iterator[tuple[str, str]]:
        """Key and text of what stands under a msgctxt ("": under none)."""
        for name, text in self._catalog.items():
            own, _, key = name.rpartition("\x04")
            if own == context and key:
                yield key, "" if text == SILENT else text


@cache
def _table(language: str, suite: str | None) -> Mapping[str, str]:
    """The words of a language as a suite says them; what is found first counts."""
    contexts = dict.fromkeys((suite or "", "", *SUITES, *_folders))
    table: dict[str, str] = {}
    for spoken in dict.fromkeys((language, "en")):
        for context in contexts:
            for catalogue in _catalogues(spoken):
                table = dict(catalogue.under(context)) | table
    return table


@cache
def _catalogues(language: str) -> tuple[_Catalogue, ...]:
    """Our own catalogue of a language, then those of other packages."""
    files = (_file(folder, language) for folder in (resources.files("turnmark.locale"), *_folders.values()))
    return tuple(_Catalogue(BytesIO(file.read_bytes())) for file in files if file.is_file())


def _file(folder: Path | Traversable, language: str) -> Traversable:
    return folder.joinpath(language).joinpath("LC_MESSAGES").joinpath(f"{DOMAIN}.mo")
