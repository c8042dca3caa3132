"""HTML to text: what a reader of the page sees, with headings, list items and tables written as in Markdown."""

from __future__ import annotations

import re

from turnmark.errors import MissingExtraError
from turnmark.readers.characters import decode
from turnmark.synth.documents.model import INSTALL, Document

try:
    from selectolax.lexbor import LexborHTMLParser, LexborNode
except ImportError as error:
    message = f"HTML is read by selectolax, which is not installed; {INSTALL}"
    raise MissingExtraError(message) from error

_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{2,30})", re.IGNORECASE)
_HEAD = 2048
_UNSEEN = "script, style, noscript, template, nav, footer, head, svg, button, select, form, [hidden]"
_BLOCKS = frozenset(
    [
        "p",
        "div",
        "section",
        "article",
        "main",
        "header",
        "aside",
        "blockquote",
        "dl",
        "dt",
        "dd",
        "figure",
        "figcaption",
        "address",
        "pre",
        "ul",
        "ol",
        "body",
        "center",
        "details",
        "summary",
        "fieldset",
    ]
)
_SPACE = re.compile(r"[ \t\r\n\f\u00a0]+")
_DEEPEST = 200
"""Elements inside of each other; what is deeper is taken as text."""


def read_html(raw: bytes, file: str) -> Document:
    """The document of an HTML file. Raises: DocumentError when its bytes are no text."""
    text, encoding = _decoded(raw)
    page = LexborHTMLParser(text)
    title = page.css_first("title")
    name = _SPACE.sub(" ", title.text()).strip() if title is not None else ""
    for node in page.css(_UNSEEN):
        node.decompose()
    lines = _Lines()
    if page.body is not None:
        lines.block(page.body, 0)
    return Document(file, lines.text(), encoding, name)


def _decoded(raw: bytes) -> tuple[str, str]:
    """As the page declares it, where that can be; else as for any text."""
    declared = _DECLARED.search(raw[:_HEAD])
    if declared and not raw.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        name = declared[1].decode("ascii").lower()
        # What the web calls gb2312 and euc-kr are their supersets.
        name = {"gb2312": "gb18030", "gbk": "gb18030", "euc-kr": "cp949", "ks_c_5601-1987": "cp949"}.get(name, name)
        try:
            return raw.decode(name), name
        except (LookupError, UnicodeDecodeError):
            pass
    return decode(raw)


class _Lines:
    """Collects lines; inline text waits in ``_inline`` until its block ends."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._inline: list[str] = []

    def text(self) -> str:
        self._end()
        return "\n\n".join(self._lines).replace("\n\n\x00", "\n").replace("\x00", "") + ("\n" if self._lines else "")

    def block(self, node: LexborNode, depth: int) -> None:
        for child in node.iter(include_text=True):
            tag = child.tag or ""
            if tag == "-text":
                self._inline.append(child.text(deep=False))
            elif tag == "br":
                self._end()
            elif len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":
                self._line(child, "#" * int(tag[1]) + " ")
            elif tag == "table":
                self._table(child)
            elif tag == "li" and depth < _DEEPEST:
                self._item(child, depth)
            elif tag in _BLOCKS and depth < _DEEPEST:
                self._end()
                self.block(child, depth + 1)
                self._end()
            elif depth < _DEEPEST:
                self.block(child, depth + 1)
            else:
                self._inline.append(child.text())

    def _end(self, opening: str = "") -> None:
        line = _SPACE.sub(" ", "".join(self._inline)).replace("\x00", "").strip()
        self._inline.clear()
        if line:
            self._lines.append(opening + line)

    def _line(self, node: LexborNode, opening: str) -> None:
        self._end()
        self._inline.append(node.text(separator=" ") if node.css_first("br") else node.text())
        self._end(opening)

    def _item(self, node: LexborNode, depth: int) -> None:
        self._end()
        before = len(self._lines)
        self.block(node, depth + 1)
        self._end()
        if len(self._lines) > before:
            # Items of one list stand below each other without an empty line.
            joined = "\x00" if before and self._lines[before - 1].lstrip("\x00").startswith("- ") else ""
            self._lines[before] = f"{joined}- {self._lines[before].lstrip(chr(0)).removeprefix('- ')}"

    def _table(self, node: LexborNode) -> None:
        self._end()
        rows = [
            [
                _SPACE.sub(" ", cell.text(separator=" ")).replace("|", "/").strip()
                for cell in row.css("th, td")
            ]
            for row in node.css("tr")
        ]  # fmt: skip
        self._lines += table_lines(rows)


def table_lines(rows: list[list[str]]) -> list[str]:
    """Rows as the lines of a Markdown table, joined into one text; the first row is its header."""
    rows = [row for row in rows if any(row)]
    if not rows:
        return []
    width = max(map(len, rows))
    lines = ["| " + " | ".join(row + [""] * (width - len(row))) + " |" for row in rows]
    return ["\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])]
