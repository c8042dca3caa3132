"""Documents of a folder (txt, md, html, pdf, docx) as passages with headings, as ``turnmark synth rag`` reads them.

Needs ``turnmark[documents]`` for html, pdf and docx. `read_documents` gives a `Problem` for a file that cannot be read
and goes on.
"""

from __future__ import annotations

from turnmark.schemas.problems import Problem
from turnmark.synth.documents.model import Document, Unit
from turnmark.synth.documents.reading import read_document, read_documents
from turnmark.synth.documents.units import Line, Passage, passages

__all__ = ["Document", "Line", "Passage", "Problem", "Unit", "passages", "read_document", "read_documents"]
