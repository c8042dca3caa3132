"""What a cell of a table holds: a text, or a list or an object in one of the ways in which these get into cells."""

from __future__ import annotations

import ast
import re
from typing import Any

import msgspec

from turnmark.schemas.problems import shown

_CONTEXTS = ("retrieved_contexts", "ground_truth_contexts")
_LISTS = (*_CONTEXTS, "retrieved_ids", "relevant_ids", "source_units", "earlier_turns")
_OBJECTS = ("persona", "generation_params")
_BETWEEN_CONTEXTS = re.compile(r"\r?\n[ \t]*-{3,}[ \t]*\r?\n")
_TEXT = re.compile(r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""", re.DOTALL)
_BETWEEN = " \t\r\n,"
_ARRAY = re.compile(r"^\s*array\(\s*(?P<list>\[.*\])\s*(?:,\s*dtype=[^)]*)?\)\s*$", re.DOTALL)
_LIKE_A_LIST = re.compile(r"\s*(?:\[\s*(?:[\"'\]]|array\(|-?\d+\s*[,\]])|array\()")


class CellError(ValueError):
    """A cell does not hold what its column does. ``field``, ``expected`` and ``found`` as in a `Problem`."""

    def __init__(self, field: str, expected: str, found: str) -> None:
        super().__init__(f"{field}: expected {expected}, found {found}")
        self.field, self.expected, self.found = field, expected, found


def cell_value(field: str, cell: Any) -> Any:
    """The value of a cell, in the form that the field of a case has; cells that are no texts are as they are.

    Lists stand in cells as JSON, as Python and numpy show them, or, of contexts, as texts with a line of ``---``
    between. A context that begins with a bracket and is no list (``[Notice] …``) is a text.

    Raises: CellError where a list or an object breaks off, or an object was wanted.
    """
    if not isinstance(cell, str):
        return cell
    if field in _OBJECTS or (field in (*_LISTS, "answers") and cell.lstrip()[:1] == "{"):
        return _structure(field, cell)
    if field in (*_LISTS, "answers") and _LIKE_A_LIST.match(cell):
        return _structure(field, cell)
    if field in _CONTEXTS:
        parts = [part.strip() for part in _BETWEEN_CONTEXTS.split(cell) if part.strip()]
        return parts if len(parts) > 1 else cell
    return [cell] if field in _LISTS else cell


def _structure(field: str, cell: str) -> Any:
    try:
        return msgspec.json.decode(cell)
    except (msgspec.DecodeError, RecursionError) as error:
        try:
            return python_cell(cell)
        except ValueError as reason:
            raise CellError(f"$.{field}", f"JSON in the cell ({error}; {reason})", shown(cell)) from reason


def python_cell(cell: str) -> Any:
    """The value of a cell that holds the repr of a Python list, tuple or dict, or of a numpy array.

    Raises: ValueError when it holds none, or one that numpy cut short.
    """
    array = _ARRAY.match(cell)
    text = (array["list"] if array else cell).strip()
    if text[:1] == "[" and text[-1:] == "]":
        texts = _texts(text[1:-1])
        if texts is not None:
            return texts
    try:
        value = ast.literal_eval(_Plain().visit(ast.parse(text, mode="eval")))
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        message = f"no JSON, and no Python value: {error}"
        raise ValueError(message) from error
    return list(value) if isinstance(value, tuple) else value


class _Plain(ast.NodeTransformer):
    """Arrays and numbers of numpy within a list or dict (``array([…], dtype=object)``, ``np.float64(…)``) as they are.

    Nothing is called: the first argument takes the place of the call.
    """

    def visit_Call(self, node: ast.Call) -> ast.AST:
        owner = node.func.value if isinstance(node.func, ast.Attribute) else node.func
        known = isinstance(owner, ast.Name) and owner.id in {"array", "np", "numpy"}
        return self.visit(node.args[0]) if known and node.args else node


def _texts(inner: str) -> list[str] | None:
    """Texts in quotes, with commas (Python) or only spaces (numpy) between; None when there is anything else.

    Python itself would make one text of those that only spaces part.
    """
    results: list[str] = []
    position = _after(inner, 0)
    while position < len(inner):
        if inner.startswith("...", position):
            message = "numpy left entries out (...); save the column as JSON"
            raise ValueError(message)
        text = _TEXT.match(inner, position)
        if text is None:
            return None
        results.append(str(ast.literal_eval(text[0].replace("\n", "\\n"))))
        position = _after(inner, text.end())
    return results


def _after(text: str, place: int) -> int:
    """The place of the next character that is no white space or comma."""
    while place < len(text) and text[place] in _BETWEEN:
        place += 1
    return place
