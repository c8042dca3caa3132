"""Files of a folder to documents, by kept libraries: plain text, Markdown, HTML, PDF, Word."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from turnmark.errors import UsageError
from turnmark.readers.characters import UnreadableError, decode
from turnmark.schemas.problems import Problem
from turnmark.synth.documents.model import Document, DocumentError

Read = Callable[[bytes, str], Document]
LARGEST = 64 * 1024 * 1024
"""Bytes of the largest file that is read; what is inside of a PDF or Word file may be much more."""


def _plain(raw: bytes, file: str) -> Document:
    text, encoding = decode(raw)
    return Document(file, text, encoding)


def _html(raw: bytes, file: str) -> Document:
    from turnmark.synth.documents.html import read_html  # noqa: PLC0415 - an extra

    return read_html(raw, file)


def _pdf(raw: bytes, file: str) -> Document:
    from turnmark.synth.documents.pdf import read_pdf  # noqa: PLC0415 - an extra

    return read_pdf(raw, file)


def _docx(raw: bytes, file: str) -> Document:
    from turnmark.synth.documents.docx import read_docx  # noqa: PLC0415 - an extra

    return read_docx(raw, file)


READERS: dict[str, Read] = {
    ".txt": _plain,
    ".text": _plain,
    ".md": _plain,
    ".markdown": _plain,
    ".html": _html,
    ".htm": _html,
    ".pdf": _pdf,
    ".docx": _docx,
}
"""Who reads a file, by the end of its name."""


def files_of(folder: Path) -> list[Path]:
    """The documents of a folder and of those in it, ordered by name; hidden ones are left out.

    Raises: UsageError when the folder is none or holds no document.
    """
    kinds = " ".join(READERS)
    if not folder.is_dir():
        message = f"{folder}: expected a folder of documents ({kinds})"
        raise UsageError(message)
    files = [
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in READERS
        and path.is_file()
        and not any(part.startswith((".", "~$")) for part in path.relative_to(folder).parts)
    ]
    if not files:
        message = f"{folder}: expected documents ({kinds}), found none"
        raise UsageError(message)
    return sorted(files, key=lambda path: path.relative_to(folder).as_posix())


def read_document(path: Path, file: str | None = None) -> Document:
    """One document; ``file`` is what it is called, the name of the file when left out.

    Raises: DocumentError when it cannot be read as what its name says; MissingExtraError without the extra.
    """
    name = file or path.name
    try:
        if path.stat().st_size > LARGEST:
            raise DocumentError(
                f"at most {LARGEST // 1024**2} MiB", f"{path.stat().st_size // 1024**2} MiB", "split the document"
            )
        raw = path.read_bytes()
    except OSError as error:
        raise DocumentError("a file that can be read", error.strerror or str(error), "check its permissions") from error
    document = READERS[path.suffix.lower()](raw, name)
    if not document.text.strip():
        advice = "a scanned document has to go through text recognition first" if path.suffix.lower() == ".pdf" else ""
        raise DocumentError("some text", "none", advice or "leave the file out")
    return document


def read_documents(folder: Path) -> Iterator[Document | Problem]:
    """The documents of a folder one by one, and what is wrong with files that give none. Raises: as `files_of`."""
    for path in files_of(folder):
        file = path.relative_to(folder).as_posix()
        try:
            yield read_document(path, file)
        except UnreadableError as error:
            yield Problem(file=str(path), expected=error.expected, found=error.found, advice=error.advice)
