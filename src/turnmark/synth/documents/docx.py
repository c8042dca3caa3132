"""Word to text: paragraphs, headings, list items and tables in their order, written as in Markdown."""

from __future__ import annotations

import io
import re
import zipfile

from turnmark.errors import MissingExtraError
from turnmark.synth.documents.html import table_lines
from turnmark.synth.documents.model import INSTALL, Document, DocumentError

try:
    import docx
    from docx.opc.exceptions import PackageNotFoundError
    from docx.table import Table
    from docx.text.paragraph import Paragraph
except ImportError as error:
    message = f"Word files are read by python-docx, which is not installed; {INSTALL}"
    raise MissingExtraError(message) from error

_HEADING = re.compile(r"(?:heading|标题|제목) ?([1-6])", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_LARGEST_PART = 256 * 1024 * 1024
_SAVE_AGAIN = "open it in a word processor and save it as .docx again"


def read_docx(raw: bytes, file: str) -> Document:
    """The document of a Word file. Raises: DocumentError when it is none or is broken."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as parts:
            size = sum(part.file_size for part in parts.infolist())
        if size > _LARGEST_PART:
            raise DocumentError(
                f"at most {_LARGEST_PART // 1024**2} MiB of parts", f"{size // 1024**2} MiB", "split it"
            )
        word = docx.Document(io.BytesIO(raw))
        blocks = [_block(item) for item in word.iter_inner_content()]
        title = word.core_properties.title or ""
    except (zipfile.BadZipFile, PackageNotFoundError, KeyError, ValueError, SyntaxError, OSError) as error:
        if isinstance(error, DocumentError):
            raise
        raise DocumentError("a Word document (.docx)", str(error)[:200] or type(error).__name__, _SAVE_AGAIN) from error
    return Document(file, _joined([block for block in blocks if block]), "docx", title.strip())


def _block(item: Paragraph | Table) -> str:
    if isinstance(item, Table):
        rows = [[_SPACE.sub(" ", cell.text).replace("|", "/").strip() for cell in row.cells] for row in item.rows]
        return "".join(table_lines(rows))
    text = _SPACE.sub(" ", item.text).strip()
    style = (item.style.name if item.style is not None else "") or ""
    heading = _HEADING.fullmatch(style)
    if text and (heading or style == "Title"):
        return f"{'#' * int(heading[1]) if heading else '#'} {text}"
    listed = style.startswith("List") or (item._p.pPr is not None and item._p.pPr.numPr is not None)
    return f"- {text}" if text and listed else text


def _joined(blocks: list[str]) -> str:
    """Blocks with an empty line between them; the items of one list stand below each other."""
    results: list[str] = []
    for index, block in enumerate(blocks):
        gap = "\n" if index and block.startswith("- ") and blocks[index - 1].startswith("- ") else "\n\n"
        results += [gap, block] if index else [block]
    return "".join(results) + ("\n" if results else "")
