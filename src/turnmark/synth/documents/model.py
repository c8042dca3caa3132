"""A document as text, and the units of it that questions rest on."""

from __future__ import annotations

from typing import NamedTuple

from turnmark.readers.characters import UnreadableError

INSTALL = "pip install 'turnmark[documents]'"


class DocumentError(UnreadableError):
    """A file cannot be read as a document."""


class Document(NamedTuple):
    """One document.

    ``file`` is its path below the folder of documents, with ``/``. ``text`` is what all offsets point into: the file's
    own characters for plain text and Markdown; for HTML, PDF and Word what they say, headings, list items and tables
    written as in Markdown. ``encoding`` says how bytes became characters (``utf-8``, ``gb18030`` …; for PDF and Word,
    which say so themselves, the name of the format). ``title`` is the one that the file names, "" when it names none.
    """

    file: str
    text: str
    encoding: str
    title: str = ""


class Unit(NamedTuple):
    """A passage of a document that stands by itself: ``document.text[start:end] == text``, in code points.

    ``id`` is the file and a number from 1. ``headings`` are those that it stands under, the document's title first.
    """

    id: str
    file: str
    start: int
    end: int
    text: str
    headings: tuple[str, ...] = ()
