"""RAG cases from files (JSON Lines, CSV, Parquet) and from the turns of recorded dialogues."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.errors import DataError
from turnmark.readers.advice import columns_of
from turnmark.readers.headers import ALIASES
from turnmark.readers.records import record_lines
from turnmark.readers.registry import reader_of
from turnmark.readers.tables import is_table, read_table
from turnmark.schemas.json_schema import faults
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.judging.cases import EvalCase
from turnmark.schemas.problems import Problem, readable
from turnmark.schemas.trace import TurnTrace
from turnmark.suites.rag.cells import CellError, cell_value
from turnmark.suites.rag.field_names import FieldNames, field_names, is_known
from turnmark.suites.rag.peers import SQUAD, as_ours, other_answers

_CONTEXTS = ("retrieved_contexts", "ground_truth_contexts")


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
        from turnmark.judges.claims import split_claims  # noqa: PLC0415 - its words load only where a claim is read

        stated = [turn.user_text[claim.start : claim.end] for claim in split_claims(turn.user_text)]
        items = (turn.recall.items if turn.recall is not None else None) or []
        for text in ("\n".join(stated), *(item.content for item in items)):
            if text.strip():
                self._texts[text] = None


def read_cases(path: Path, columns: Mapping[str, str] | None = None) -> Iterator[EvalCase | Problem]:
    """The cases of a file, in order, and what is wrong with the lines that are none.

    Results of promptfoo and inspect_ai are told by what they hold, all else by its name: tables
    (`turnmark.readers.tables`; cells of lists hold JSON arrays, lists as Python and numpy show them, or texts with
    lines of ``---`` between), everything else is JSON Lines or one JSON array, plain or compressed. ``columns`` maps
    fields to names of the user's own.

    Raises: DataError when the file cannot be read or no column is the question; UsageError for columns that there are
    not; MissingExtraError for a kind of table whose extra is not there.
    """
    for _, read in numbered_cases(path, columns):
        if not isinstance(read, Problem) or read.severity == "error":
            yield read


def numbered_cases(
    path: Path, columns: Mapping[str, str] | None = None, form: str | None = None
) -> Iterator[tuple[int, EvalCase | Problem]]:
    """As `read_cases`, with warnings too, each with the number of its line or row."""
    for number, read in case_records(path, columns, form):
        yield number, read if isinstance(read, Problem) else case_of_record(read, readable(path), number)


def case_records(
    path: Path, columns: Mapping[str, str] | None = None, form: str | None = None
) -> Iterator[tuple[int, dict[str, Any] | Problem]]:
    """The records of a file under the names of the fields of a case, whatever else they hold kept as it is."""
    reader_of_cases = reader_of(path, "cases", form)
    if reader_of_cases is not None:
        for number, record in reader_of_cases.read(path):
            if not isinstance(record, Problem):
                record = field_names(tuple(record), columns).renamed(as_ours(record))  # noqa: PLW2901
            yield number, record
        return
    if is_table(path):
        yield from _table_records(path, columns)
        return
    yield from _json_records(path, columns)


def _json_records(path: Path, columns: Mapping[str, str] | None) -> Iterator[tuple[int, dict[str, Any] | Problem]]:
    reader, asked = Reader(dict), False
    for line in record_lines(path):
        decoded = line if isinstance(line, Problem) else reader.decode(line)
        if isinstance(decoded, Problem):
            yield decoded.line, decoded
            continue
        if isinstance(decoded, list):
            yield decoded[0].line, decoded[0]
            continue
        number = decoded.line.number
        if not asked:
            asked = True
            yield from _limits_unread(path, tuple(decoded.value))
        for warning in (decoded.warning, other_answers(decoded.value, decoded.line.file, number)):
            if warning is not None:
                yield number, warning
        yield number, field_names(tuple(decoded.value), columns).renamed(as_ours(decoded.value))


def case_of_record(fields: dict[str, Any], file: str, line: int) -> EvalCase | Problem:
    """The case in one record under the names of its own."""
    for name in _CONTEXTS:
        if isinstance(fields.get(name), str):
            fields[name] = [fields[name]]
    if isinstance(fields.get("id"), int):
        fields["id"] = str(fields["id"])
    known = {name: value for name, value in fields.items() if name in EvalCase.__struct_fields__ and value is not None}
    known |= _kept(fields)
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


def _kept(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What a record holds beside the fields of a case, under ``metadata`` beside what stands there."""
    told = fields.get("metadata")
    others = {
        name: value
        for name, value in fields.items()
        if name not in EvalCase.__struct_fields__ and value not in (None, "", [], {})
    }
    metadata = told if isinstance(told, dict) else {} if told is None else {"metadata": told}
    return {"metadata": {**metadata, **others}} if metadata or others else {}


def _advice(path: str) -> str:
    others = [alias for alias, name in ALIASES.items() if path == f"$.{name}"]
    return f"write it as {path.removeprefix('$.')} or {', '.join(others)}" if others else ""


def _table_records(path: Path, columns: Mapping[str, str] | None) -> Iterator[tuple[int, dict[str, Any] | Problem]]:
    table = read_table(path, is_known)
    names = FieldNames(table.names, columns)
    if "question" not in names.fields:
        message = f"{path}: {names.lacks_question()}"
        raise DataError(message)
    yield from _limits_unread(path, table.names)
    for row in table.rows:
        if isinstance(row, Problem):
            yield row.line, row
            continue
        try:
            record = {name: cell_value(_meant(names.field(name), name), cell) for name, cell in row.cells.items()}
        except CellError as error:
            yield (
                row.number,
                Problem(
                    file=readable(path), line=row.number, field=error.field, expected=error.expected, found=error.found
                ),
            )
            continue
        warning = other_answers(record, readable(path), row.number)
        if warning is not None:
            yield row.number, warning
        yield row.number, names.renamed(as_ours(record))


def _meant(field: str, name: str) -> str:
    """The field that a cell is read as: those of SQuAD's answers are objects, whatever else their column may be."""
    return SQUAD if name == SQUAD else field


def _limits_unread(path: Path, names: tuple[str, ...]) -> Iterator[tuple[int, Problem]]:
    """The warning about columns that hold limits of users, which no metric of RAG answers reads."""
    columns = columns_of(names)
    for name in columns.limits if columns.answer else ():
        yield (
            1,
            Problem(
                file=readable(path), line=1, field=f"$.{name}", expected="columns of a RAG case",
                found=f"the column {name!r}, which names limits of the user",
                advice="not checked; `turnmark score FILE --suite finance --from advice` holds replies to them",
                severity="warning",
            ),
        )  # fmt: skip


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
