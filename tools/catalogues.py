"""Catalogues of texts: which keys the source looks up, whether each language has them, and what is compiled of them.

``turnmark.po`` of English is the source of all texts; those of the other languages are brought up to it (new keys come
with an empty text, gone ones are kept as comments, a text whose English changed is marked fuzzy until someone has
looked at it). ``turnmark.mo`` is what a page reads.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

from turnmark.locale.texts import LANGUAGES, REASON, SILENT
from turnmark.schemas.reasons import ERROR, TEMPLATES

SOURCE = Path(__file__).resolve().parent.parent / "src/turnmark"
FOLDER = SOURCE / "locale"
PACKAGES = (SOURCE.parents[1] / "examples/suite/turnmark_tone/locale",)
"""Catalogues of example packages: compiled here, for the rest their own affair."""
ROOMS = ("report", "viewer", "pipeline/publishing", "cli", "pipeline/comparing", "suites", "schemas/turn_eval.py")
"""Where texts are looked up."""

_PLACES = re.compile(r"\{(\w+)\}")
_ONE_LINE = 10**6  # width 0 would still fold comments


class Undated(Catalog):
    """A catalogue whose head holds no date and no version of a tool: the same texts give the same bytes."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """The lines of the head."""
        return [("Language", str(self.locale)), ("Content-Type", "text/plain; charset=utf-8")]

    @mime_headers.setter
    def mime_headers(self, _value: object) -> None:
        pass


def files(*, check: bool) -> Iterator[tuple[Path, bytes]]:
    """Every catalogue with what it should hold. ``check``: the .mo of the .po files as they are."""
    english = _read("en")
    for language in LANGUAGES:
        catalogue = english if language == "en" else _up_to(english, _read(language))
        folder = FOLDER / language / "LC_MESSAGES"
        yield folder / "turnmark.po", write(catalogue)
        yield folder / "turnmark.mo", _compiled(_read(language) if check else catalogue)
    for written in (path for package in PACKAGES for path in sorted(package.rglob("turnmark.po"))):
        yield written.with_suffix(".mo"), _compiled(_parsed(written, written.parts[-3]))


def write(catalogue: Catalog) -> bytes:
    """A catalogue as the text of a .po file."""
    written = BytesIO()
    catalogue.header_comment = f"# Texts of turnmark's pages, {catalogue.locale}. Edit msgstr, then run `make docs`."
    write_po(written, catalogue, width=_ONE_LINE)
    return written.getvalue()


def _compiled(catalogue: Catalog) -> bytes:
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    return compiled.getvalue()


def faults() -> list[str]:
    """What is wrong with the catalogues: texts that are lacking, unused, unfinished, or with other braces."""
    english = _read("en")
    exact, literals, families = used()
    keys = {message.id for message in english if message.id}
    found = [f"en: no text {key!r}, looked up in {place}" for key, place in sorted(exact.items()) if key not in keys]
    found += [
        f"en: {message.id!r} is looked up nowhere"
        for message in english
        if message.id and message.id not in literals and not message.id.startswith(families)
    ]
    found += [f"en: {message.id!r} has no text" for message in english if message.id and not message.string]
    wanted = _template(english)
    for language in LANGUAGES:
        if language != "en":
            found += [f"{language}: {fault}" for fault in _compared(wanted, _read(language))]
    return found


def used() -> tuple[dict[str, str], set[str], tuple[str, ...]]:
    """Keys that are looked up by name, with the file; names that stand in the source; beginnings of made-up keys."""
    exact: dict[str, str] = {}
    literals: set[str] = set()
    families: set[str] = set()
    for path in _sources():
        place = path.relative_to(SOURCE).as_posix()
        for kind, name in _in_python(path) if path.suffix == ".py" else _in_template(path):
            if kind == "key":
                exact.setdefault(name, place)
            if kind == "family":
                families.add(name)
            else:
                literals.add(name)
    return exact, literals, tuple(sorted(families))


def _sources() -> Iterator[Path]:
    for room in ROOMS:
        path = SOURCE / room
        yield from [path] if path.is_file() else sorted([*path.rglob("*.py"), *path.rglob("*.j2")])


def _in_python(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield "literal", node.value
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            begun = str(node.values[0].value)
            if re.fullmatch(r"[a-z]+_", begun):
                yield "family", begun
        elif isinstance(node, ast.Subscript) and _is_texts(node.value) and isinstance(node.slice, ast.Constant):
            if isinstance(node.slice.value, str):  # a number: some list of texts, no catalogue
                yield "key", node.slice.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) > 1:
            second = node.args[1]
            if isinstance(second, ast.Constant) and node.func.id in ("filled", "named"):
                yield ("key", str(second.value)) if node.func.id == "filled" else ("family", f"{second.value}_")


def _is_texts(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("texts", "ENGLISH")


def _in_template(path: Path) -> Iterator[tuple[str, str]]:
    tree = Environment(autoescape=True).parse(path.read_text("utf-8"))
    for text in tree.find_all(nodes.Const):
        if isinstance(text.value, str):
            yield ("family" if re.fullmatch(r"[a-z]+_", text.value) else "literal"), text.value
    for attribute in tree.find_all(nodes.Getattr):
        if attribute.node == nodes.Name("t", "load") and attribute.attr not in ("get", "language"):
            yield "key", attribute.attr
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and len(call.args) > 1 and isinstance(call.args[1], nodes.Const):
            name = str(call.args[1].value)
            yield from {"filled": [("key", name)], "named": [("family", f"{name}_")]}.get(call.node.name, [])


def _read(language: str) -> Catalog:
    path = FOLDER / language / "LC_MESSAGES" / "turnmark.po"
    return _parsed(path, language) if path.is_file() else Undated(locale=language, fuzzy=False)


def _parsed(path: Path, language: str) -> Catalog:
    read = read_po(BytesIO(path.read_bytes()), locale=language, charset="utf-8", abort_invalid=True)
    catalogue = Undated(locale=language, fuzzy=False)
    for message in read:
        if message.id:
            catalogue.add(
                message.id, message.string, context=message.context, flags=message.flags - {"python-format",
                "python-brace-format"}, auto_comments=message.auto_comments, user_comments=message.user_comments,
            )  # fmt: skip
    catalogue.obsolete.update(read.obsolete)
    return catalogue


def _template(english: Catalog) -> Catalog:
    """What the other languages need: every text with the English one as comment, and the reasons of metrics."""
    template = Undated(locale="en", fuzzy=False)
    for message in english:
        if message.id:
            template.add(message.id, "", context=message.context, auto_comments=[str(message.string).strip()])
    for code, reason in TEMPLATES.items():
        if code != ERROR:
            template.add(reason, "", context=REASON)
    return template


def _up_to(english: Catalog, catalogue: Catalog) -> Catalog:
    template = _template(english)
    changed = [
        (old.id, old.context)
        for old in catalogue
        if old.id and (new := _same(template, old)) and old.string and old.auto_comments
        and old.auto_comments != new.auto_comments
    ]  # fmt: skip
    catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
    for key, context in changed:
        if message := catalogue.get(key, context):
            message.flags.add("fuzzy")
    return catalogue


def _compared(template: Catalog, catalogue: Catalog) -> Iterator[str]:
    for wanted in template:
        have = _same(catalogue, wanted)
        if not wanted.id:
            continue
        if have is None or not have.string:
            yield f"{_name(wanted)} has no text"
            continue
        if have.fuzzy:
            yield f"{_name(wanted)} is marked fuzzy: its English changed; look at it, then take the mark away"
        source = wanted.auto_comments[0] if wanted.auto_comments else str(wanted.id)
        if have.string != SILENT and set(_PLACES.findall(source)) != set(_PLACES.findall(str(have.string))):
            yield f"{_name(wanted)} has other braces than the English text"
    for have in catalogue:
        if have.id and _same(template, have) is None:
            yield f"{_name(have)} is not in the English catalogue"


def _same(catalogue: Catalog, message: Message) -> Message | None:
    return catalogue.get(message.id, message.context)


def _name(message: Message) -> str:
    return f"{message.context}: {message.id}" if message.context else str(message.id)
