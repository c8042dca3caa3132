"""RAG cases from files (JSON Lines, CSV, Parquet) and from the turns of recorded dialogues."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.errors import DataError, MissingExtraError
from turnmark.judges.claims import split_claims
from turnmark.schemas.json_schema import faults
from turnmark.schemas.jsonl import Line, Reader
from turnmark.schemas.judging.cases import EvalCase
from turnmark.schemas.problems import Problem, shown
from turnmark.schemas.trace import TurnTrace
from turnmark.suites.rag.peers import as_ours, python_cell, record_lines

ALIASES = {
    "user_input": "question",
    "input": "question",
    "query": "question",
    "response": "answer",
    "actual_output": "answer",
    "reference": "ground_truth_answer",
    "ground_truth": "ground_truth_answer",
    "expected_output": "ground_truth_answer",
    "contexts": "retrieved_contexts",
    "retrieval_context": "retrieved_contexts",
    "reference_contexts": "ground_truth_contexts",
    "context": "ground_truth_contexts",
    "retrieved_context_ids": "retrieved_ids",
    "reference_context_ids": "relevant_ids",
}
"""Names that other tools give to the fields of a case; a field that is there under its own name wins."""

_LISTS = (
    "ground_truth_contexts",
    "retrieved_contexts",
    "retrieved_ids",
    "relevant_ids",
    "source_units",
    "earlier_turns",
)
_CONTEXTS = ("retrieved_contexts", "ground_truth_contexts")
_OBJECTS = ("persona", "generation_params")
_INSTALL = "pip install 'turnmark[parquet]'"


class TurnCase(NamedTuple):
    """A case made of a turn, and what the trace calls its texts (``answer`` is ``reply`` there)."""

    case: EvalCase
    names: Mapping[str, str]


class EarlierFacts:
    """What the turns before one were told: what the user stated, and what was retrieved; each text once.

    Questions state nothing. Replies are left out: what nothing supported when it was first said is not supported by
    having been said.
    """

    def __init__(self) -> None:
        self._texts: dict[str, None] = {}

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts, in the order of the turns."""
        return tuple(self._texts)

    def add(self, turn: TurnTrace) -> None:
        """A turn that is over."""
        stated = [turn.user_text[claim.start : claim.end] for claim in split_claims(turn.user_text)]
        items = (turn.recall.items if turn.recall is not None else None) or []
        for text in ("\n".join(stated), *(item.content for item in items)):
            if text.strip():
                self._texts[text] = None


def read_cases(path: Path) -> Iterator[EvalCase | Problem]:
    """The cases of a file, in order, and what is wrong with the lines that are none.

    The kind of file is told by its name: ``.csv`` (a header; cells of lists hold JSON arrays, or lists as Python
    and numpy show them), ``.parquet`` (needs ``turnmark[parquet]``), everything else is JSON Lines or one JSON array,
    plain or compressed.

    Raises: DataError when the file cannot be read; MissingExtraError for Parquet without the extra.
    """
    if path.suffix.lower() == ".csv":
        yield from _csv_cases(path)
    elif path.suffix.lower() in (".parquet", ".pq"):
        yield from _parquet_cases(path)
    else:
        for line in record_lines(path):
            yield line if isinstance(line, Problem) else case_of_line(line)


def case_of_line(line: Line) -> EvalCase | Problem:
    """The case in one line of JSON, or the first thing that is wrong with it."""
    decoded = Reader(dict).decode(line)
    if isinstance(decoded, list):
        return decoded[0]
    return case_of_record(decoded.value, line.file, line.number)


def case_of_record(record: Mapping[str, Any], file: str, line: int) -> EvalCase | Problem:
    """The case in one record with names of its own or of other tools."""
    fields = as_ours(record)
    for alias, name in ALIASES.items():
        if alias in fields and fields.get(name) is None:
            fields[name] = fields.pop(alias)
    for name in _CONTEXTS:
        if isinstance(fields.get(name), str):
            fields[name] = [fields[name]]
    if isinstance(fields.get("id"), int):
        fields["id"] = str(fields["id"])
    known = {name: value for name, value in fields.items() if name in EvalCase.__struct_fields__ and value is not None}
    try:
        return msgspec.convert(known, EvalCase)
    except msgspec.ValidationError as error:
        for fault in faults(known, EvalCase):
            return Problem(
                file=file,
                line=line,
                field=fault.path,
                expected=fault.expected,
                found=fault.found,
                advice=_advice(fault.path),
            )
        return Problem(file=file, line=line, expected=f"a RAG case ({error})")


def _advice(path: str) -> str:
    others = [alias for alias, name in ALIASES.items() if path == f"$.{name}"]
    return f"write it as {path.removeprefix('$.')} or {', '.join(others)}" if others else ""


def _csv_cases(path: Path) -> Iterator[EvalCase | Problem]:
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        message = (
            f"{path}: expected UTF-8, found byte 0x{error.object[error.start]:02x} at {error.start}; save it as UTF-8"
        )
        raise DataError(message) from error
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise DataError(message) from error
    # The module's limit is 131,072 characters a cell; whole documents are longer.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    rows = csv.DictReader(io.StringIO(text, newline=""))
    for row in rows:
        number = rows.line_num
        if None in row:
            yield Problem(
                file=str(path),
                line=number,
                expected=f"{len(rows.fieldnames or ())} cells, as in the header",
                found=f"{len(row) - 1 + len(row[None])}",
                advice="quote cells that hold commas",
            )
            continue
        record: dict[str, Any] = {}
        for name, cell in row.items():
            value = _cell(ALIASES.get(name, name), cell)
            if isinstance(value, Problem):
                yield msgspec.structs.replace(value, file=str(path), line=number)
                break
            record[name] = value
        else:
            yield case_of_record(record, str(path), number)


def _cell(name: str, cell: str | None) -> Any:
    """The value of a cell: JSON where the field is a list or an object, None where it is empty."""
    if not cell:
        return None
    structured = cell.lstrip()[:1] in ("[", "{") or cell.lstrip().startswith("array(")
    wants_json = name in _OBJECTS or (name in (*_LISTS, "answers") and structured)
    if not wants_json:
        return [cell] if name in _LISTS and name not in _CONTEXTS else cell  # of texts, `case_of_record` makes lists
    try:
        return msgspec.json.decode(cell)
    except (msgspec.DecodeError, RecursionError) as error:
        try:
            return python_cell(cell)
        except ValueError as reason:
            expected = f"JSON in the cell ({error}; {reason})"
            return Problem(file="", field=f"$.{name}", expected=expected, found=shown(cell))


def _parquet_cases(path: Path) -> Iterator[EvalCase | Problem]:
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError as error:
        message = f"{path}: Parquet is read by pyarrow, which is not installed; {_INSTALL}"
        raise MissingExtraError(message) from error
    try:
        file = parquet.ParquetFile(path)
    except (OSError, pa.ArrowException) as error:
        message = f"{path}: cannot be read as Parquet: {error}"
        raise DataError(message) from error
    with file:
        number = 0
        for batch in file.iter_batches(batch_size=256):
            for record in batch.to_pylist():
                number += 1
                yield case_of_record(record, str(path), number)


def case_of_turn(turn: TurnTrace, earlier: tuple[str, ...] = (), language: str | None = None) -> TurnCase:
    """A recorded turn as a case: the recalled items are its retrieved contexts.

    ``earlier`` are texts of the turns before it, when these may support the reply too.
    """
    items = turn.recall.items if turn.recall is not None else None
    references = turn.ground_truth_contexts
    case = EvalCase(
        question=turn.user_text,
        ground_truth_answer=turn.gt_assistant_text or None,
        ground_truth_contexts=None if isinstance(references, msgspec.UnsetType) else references,
        answer=turn.pred_assistant_text,
        retrieved_contexts=None if items is None else [item.content for item in items],
        earlier_turns=list(earlier),
        lang=language,
    )
    names = {"answer": "reply", "ground_truth_answer": "gt_assistant_text"}
    names.update(
        {f"retrieved_contexts[{index}]": f"recall.items[{index}].content" for index in range(len(items or ()))}
    )
    return TurnCase(case, names)
