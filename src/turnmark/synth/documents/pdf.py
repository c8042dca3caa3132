"""PDF to text: the lines of every page, joined into paragraphs."""

from __future__ import annotations

import io
import logging
import re

from turnmark.errors import MissingExtraError
from turnmark.synth.documents.model import INSTALL, Document, DocumentError

try:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError
except ImportError as error:
    message = f"PDF is read by pypdf, which is not installed; {INSTALL}"
    raise MissingExtraError(message) from error

_SPACE = re.compile(r"[ \t\u00a0]+")
_PAGE_NUMBER = re.compile(r"[-–— ]*(?:第 ?)?\d{1,4}(?: ?[/页쪽]| of)?[ \d页쪽-]*")
_ITEM = re.compile(r"[-*•·▪●○■□◆▶※]\s*(?=\S)|\d{1,2}[.)]\s+")
_ENDS = tuple('.。!！?？:：;；…"”’」』)）')
_HANGUL = re.compile("[\uac00-\ud7a3]")
_DENSE = re.compile("[\u3400-\u9fff]")
_KOREAN_REST = re.compile(
    "(?:[을를은는의에와과도만로]|이(?! (?:제품|상품|약|카드|펀드|기기|책|경우))|가|으로|에서|에게|까지|부터|보다"
    "|[입합됩습]니다|니다|십?시오|세요"
    "|[다요고며면]|[하되](?:고|며|면|여|어)|해야|[한할된될])(?=[ .,]|$)"
)
"""What is no word of its own: a line that begins so goes on in the middle of a word."""
_SHORT = 0.75
"""A line shorter than this part of the page's longest ends a paragraph when it ends a sentence."""


def read_pdf(raw: bytes, file: str) -> Document:
    """The document of a PDF file. Raises: DocumentError when it is none, is broken or asks for a password."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it warns on standard error of every oddity
    try:
        reader = PdfReader(io.BytesIO(raw))
        _unlock(reader)
        pages = [_paragraphs(page.extract_text()) for page in reader.pages]
        title = str((reader.metadata and reader.metadata.title) or "").strip()
    except DocumentError:
        raise
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError) as error:
        result = " ".join(str(error).split())[:200] or type(error).__name__
        raise DocumentError("a PDF document", result, "print it to PDF again") from error
    # What a broken table of characters gives: half of a pair can not be written as UTF-8.
    text = "\n\n".join(page for page in pages if page).encode("utf-8", "replace").decode("utf-8")
    return Document(file, text + "\n" if text else "", "pdf", title)


def _unlock(reader: PdfReader) -> None:
    if reader.is_encrypted and not reader.decrypt(""):
        raise DocumentError("a PDF without a password", "one that asks for one", "save a copy without it")


def _paragraphs(text: str) -> str:
    """The lines of one page; a line goes on in the next one unless it ends a sentence, or the next one is an item."""
    lines = [_SPACE.sub(" ", line).strip() for line in text.splitlines()]
    width = max(map(len, lines), default=0)
    results: list[str] = []
    goes_on = False
    for line in lines:
        if not line or _PAGE_NUMBER.fullmatch(line):
            goes_on = False
            continue
        item = _ITEM.match(line)
        if item:
            line = f"- {line[item.end() :]}" if not line[0].isdigit() else line  # noqa: PLW2901 - the same line
        if goes_on and not item:
            results[-1] += line if _DENSE.match(results[-1][-1]) and _DENSE.match(line) else _glued(results[-1], line)
        else:
            results.append(line)
        # A short line that ends no sentence is a heading or an entry of a list.
        goes_on = len(line) >= _SHORT * width and not (line.endswith(_ENDS) and len(line) < 0.95 * width)
    return "\n".join(results)


def _glued(before: str, line: str) -> str:
    if before.endswith("-") and line[:1].islower():
        return line
    if _HANGUL.match(before[-1]) and _KOREAN_REST.match(line):
        return line
    dense = _DENSE.match(line) or before.endswith(tuple("，、；：（“"))
    return line if dense else f" {line}"
