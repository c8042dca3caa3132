"""What ``promptfoo eval -o`` writes: a table with a column a prompt and provider, or JSON with all results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from turnmark.readers.forms import Forms
from turnmark.readers.protocol import Numbered, Sample
from turnmark.readers.records import record_lines
from turnmark.readers.tables import DELIMITED, read_table
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.problems import Problem

_MARKED = re.compile(r"\[(PASS|FAIL|ERROR)\] ?(?:\(-?\d+\.\d\d(?:, [^)\n]*)?\)\s*)?")
_REASON = re.compile(r"\n\n(?:Pass|Fail) Reason: ")
"""What stands behind the answer in versions that write the reason of the grade."""
_MARKED_BYTES = re.compile(rb"\[(?:PASS|FAIL|ERROR)\]")
_LOOKED_AT = 1 << 16


class PromptfooTable:
    """Columns of variables, then one a prompt and provider, whose cells begin with ``[PASS]``, ``[FAIL]``, ``[ERROR]``.

    The mark is left out of the answer, as are the score and the reason that stand around it. A cell of ``[ERROR]`` is
    no answer.
    """

    version = "promptfoo eval -o, .csv"
    gives: Literal["cases"] = "cases"

    def recognise(self, sample: Sample) -> bool:
        """Whether the first row has a cell that begins with a mark."""
        path = sample.path
        if path.suffix.lower() not in DELIMITED:
            return False
        with path.open("rb") as file:
            if not _MARKED_BYTES.search(file.read(_LOOKED_AT)):
                return False
        row = next(read_table(path, lambda _: False).rows, None)
        return row is not None and not isinstance(row, Problem) and bool(_outputs(row.cells))

    def read(self, path: Path) -> Iterator[Numbered]:
        """One record a row and column of answers."""
        for position, row in enumerate(read_table(path, lambda _: False).rows, 1):
            if isinstance(row, Problem):
                yield row.line, row
                continue
            outputs = _outputs(row.cells)
            variables = {name: cell for name, cell in row.cells.items() if name not in outputs}
            for column, cell in enumerate(outputs.values(), 1):
                name = f"{position}-{column}" if len(outputs) > 1 else str(position)
                yield row.number, {"id": name, **variables, "answer": _answer(cell)}


def _outputs(cells: Mapping[str, Any]) -> dict[str, str]:
    return {name: cell for name, cell in cells.items() if isinstance(cell, str) and _MARKED.match(cell)}


def _answer(cell: str) -> str | None:
    mark = _MARKED.match(cell)
    text = cell[mark.end() :] if mark else cell
    if mark and mark[1] == "ERROR":
        return None
    reasons = list(_REASON.finditer(text))
    return (text[: reasons[-1].start()] if mark and reasons else text) or None


class PromptfooJson:
    """One object whose ``results.results`` hold ``vars`` and ``response.output``."""

    version = "promptfoo eval -o, .json"
    gives: Literal["cases"] = "cases"

    def recognise(self, sample: Sample) -> bool:
        """Whether there are such results."""
        return bool(_results(sample.first)) and "vars" in _results(sample.first)[0]

    def read(self, path: Path) -> Iterator[Numbered]:
        """One record a result."""
        reader = Reader(Any)
        for line in record_lines(path):
            decoded = line if isinstance(line, Problem) else reader.decode(line)
            if isinstance(decoded, Problem):
                yield decoded.line, decoded
            elif isinstance(decoded, list):
                yield decoded[0].line, decoded[0]
            else:
                for number, result in enumerate(_results(decoded.value), 1):
                    yield number, _record(result, number)


def _results(value: Any) -> list[dict[str, Any]]:
    results = value.get("results") if isinstance(value, dict) else None
    entries = results.get("results") if isinstance(results, dict) else None
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _record(result: Mapping[str, Any], number: int) -> dict[str, Any]:
    variables, response = result.get("vars"), result.get("response")
    output = response.get("output") if isinstance(response, dict) else None
    if output is not None and not isinstance(output, str):
        output = msgspec.json.encode(output).decode()
    return {"id": str(number), **(variables if isinstance(variables, dict) else {}), "answer": output}


PROMPTFOO = Forms("results of promptfoo (version 3): .csv and .json", (PromptfooTable(), PromptfooJson()))
