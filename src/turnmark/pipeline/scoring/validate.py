"""Checking files: whether each is what it claims to be, line by line, and whether a run folder belongs together."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.detectors.pack_check import pack_problems
from turnmark.errors import DataError, UsageError
from turnmark.packs import loading
from turnmark.packs.literal import LiteralPack
from turnmark.packs.rules import RulePack
from turnmark.readers.characters import empty_said, is_empty
from turnmark.readers.chats import chat_records
from turnmark.readers.tables import is_table
from turnmark.runs.folder import MANIFEST, artifacts, read_manifest
from turnmark.runs.integrity import altered
from turnmark.schemas.dataset import DatasetDialog
from turnmark.schemas.dialog import validity
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.jsonl import Line, Reader
from turnmark.schemas.labels.overrides import Override
from turnmark.schemas.marked_turn import MarkedTurn, Row
from turnmark.schemas.problems import Problem, readable
from turnmark.schemas.results.manifest import RunManifest
from turnmark.schemas.results.summary import EvalSummary
from turnmark.schemas.trace import DialogTrace, ProfileGroundTruth
from turnmark.schemas.trace_reader import repeated_turns
from turnmark.schemas.turn_eval import TurnEvalRow
from turnmark.suites.checking import once, records
from turnmark.suites.file_kinds import file_kinds, kind_of
from turnmark.suites.known_names import KnownNames, UnreadDoubt, known_names, unknown_names, unread_constraints
from turnmark.suites.registry import broken_suites, suite_definitions


class Checked(NamedTuple):
    """What a check found in one file."""

    path: Path
    kind: str
    records: int
    problems: list[Problem]


def check(path: Path, kind: str | None = None, packs: Sequence[Path] = ()) -> Iterator[Checked]:
    """Check a file, or every artifact of a run folder.

    Kinds: those of `checks`; records are JSON Lines (manifest and summary JSON, packs YAML, and what a suite says of
    its own). Without ``kind`` it is told by name and content. ``packs`` are rules of the user, whose labels are known
    names of a ground truth.

    Raises: UsageError when there is no such kind, the path does not exist or its kind cannot be told; DataError when it
    cannot be read.
    """
    if path.is_dir():
        yield from _folder(path, packs)
        return
    if not path.is_file():
        message = f"{path}: expected a file or a run folder, found nothing"
        raise UsageError(message)
    kind = kind or _kind_or_refuse(path)
    problems: list[Problem] = []
    known = checks()
    if kind not in known:
        message = f"--kind: expected one of {', '.join(known)}, found {kind!r}"
        raise UsageError(message)
    of_truth = _OF_TRUTH.get(kind)
    if of_truth is not None:
        yield Checked(path, kind, of_truth(path, problems, _known(packs)), problems)
    else:
        yield _filled(Checked(path, kind, known[kind](path, problems), problems))


def _filled(found: Checked) -> Checked:
    """What was found, with a fault of a table that has names of columns and no row."""
    if not found.records and not found.problems and is_table(found.path):
        found.problems.append(
            Problem(
                file=readable(found.path), expected="rows under the names of the columns", found="none",
                advice="nothing can be scored; write the table again with its rows",
            )
        )  # fmt: skip
    return found


def _kind_or_refuse(path: Path) -> str:
    result = kind_of(path)
    if is_empty(path) and (result is None or is_table(path)):
        raise UsageError(empty_said(path))
    if result is None:
        lines = [f"{path}: expected a file of a known kind; say which with --kind ({', '.join(checks())})"]
        message = "\n".join([*lines, *broken_suites()])
        raise UsageError(message)
    return result


def _folder(folder: Path, packs: Sequence[Path]) -> Iterator[Checked]:
    result = list(artifacts(folder))
    problems: list[Problem] = []
    manifest: dict[str, object] | None = {}
    # A manifest that cannot be read is named by its own check.
    with contextlib.suppress(DataError):
        manifest = read_manifest(folder)
    if manifest is None and not result:
        problems.append(
            Problem(
                file=str(folder), expected="a run folder", found="none of its files", advice="name the files to check"
            )
        )
    elif manifest is None:
        problems.append(
            Problem(
                file=str(folder / MANIFEST),
                expected="the manifest of a finished run",
                found="none",
                advice="the run was stopped before it was finished; run it again",
            )
        )
    else:
        problems.extend(altered(folder, manifest))
    yield Checked(folder, "run folder", len(result), problems)
    for path in result:
        yield from check(path, None, packs)


class _Known(NamedTuple):
    """What is understood of a ground truth: names, and constraints by what suites say of them."""

    names: KnownNames
    unread: Sequence[Callable[[str], str | None]]


def _known(packs: Sequence[Path] = ()) -> _Known:
    readers = [read for definition in suite_definitions() if (read := definition.unread_constraint())]
    return _Known(
        known_names([loading.read(pack, RulePack)[0] for pack in packs]),
        [functools.partial(read, tuple(packs)) for read in readers],
    )


def _unread(profile: ProfileGroundTruth | None, known: _Known, told: set[str]) -> Iterator[UnreadDoubt]:
    """A doubt for each constraint that no rule reads and that was not ``told`` of before."""
    texts = (profile.constraints_gt if profile else None) or []
    for read in known.unread:
        yield from unread_constraints(texts, read, told)


def _trace(path: Path, problems: list[Problem], known: _Known) -> int:
    count = 0
    told: set[str] = set()
    seen: dict[Any, int] = {}
    for record in records(DialogTrace, path, problems):
        count += 1
        dialog, line = record.value, record.line
        once(problems, line, seen, dialog.dialog_id, "$.dialog_id")
        problems.extend(problem for _, problem in repeated_turns(line, dialog))
        tags = ((f"$.turns[{index}].gt_turn_tags", turn.gt_turn_tags) for index, turn in enumerate(dialog.turns or ()))
        problems.extend(doubt.at(line) for doubt in unknown_names(tags, known.names))
        problems.extend(doubt.at(line) for doubt in _unread(dialog.profile_gt, known, told))
    return count


def _chats(path: Path, problems: list[Problem]) -> int:
    records = [record for _, record in chat_records(path)]
    problems.extend(record for record in records if isinstance(record, Problem))
    return sum(not isinstance(record, Problem) for record in records)


def _dataset(path: Path, problems: list[Problem], known: _Known) -> int:
    count = 0
    told: set[str] = set()
    seen: dict[Any, int] = {}
    for record in records(DatasetDialog, path, problems):
        count += 1
        once(problems, record.line, seen, record.value.dialog_id, "$.dialog_id")
        tags = ((f"$.turns[{index}].turn_tags", turn.turn_tags) for index, turn in enumerate(record.value.turns))
        problems.extend(doubt.at(record.line) for doubt in unknown_names(tags, known.names))
        problems.extend(doubt.at(record.line) for doubt in _unread(record.value.profile_gt, known, told))
        valid, reason = validity(msgspec.to_builtins(record.value))
        if not valid:
            problems.append(
                Problem(
                    file=record.line.file,
                    line=record.line.number,
                    expected="a dialogue that can be evaluated",
                    found=str(reason),
                    advice="it will be skipped",
                    severity="warning",
                )
            )
    return count


def _with_shipped_names(
    check_truth: Callable[[Path, list[Problem], _Known], int], path: Path, problems: list[Problem]
) -> int:
    return check_truth(path, problems, _known())


def _rows(path: Path, problems: list[Problem]) -> int:
    count = 0
    seen: dict[Any, int] = {}
    for record in records(_row_type(path), path, problems):
        count += 1
        row = record.value
        once(problems, record.line, seen, (row.run_id, row.dialog_id, row.turn_pair_id), "$.turn_pair_id")
    return count


def _row_type(path: Path) -> type[Row]:
    """The row that a file holds, told by its first line: rows of turn_eval v1 name no suite."""
    first = next((item for item in Reader(dict).read(path) if not isinstance(item, Problem)), None)
    return MarkedTurn if first is not None and "suite" in first.value else TurnEvalRow


def _evidence(path: Path, problems: list[Problem]) -> int:
    count = 0
    for record in records(Evidence, path, problems):
        count += 1
        piece, line = record.value, record.line
        if len(piece.quote) != piece.end - piece.start:
            result = f"{len(piece.quote)} characters for {piece.start} to {piece.end}"
            problems.append(
                Problem(file=line.file, line=line.number, field="$.quote", expected="as long as its span", found=result)
            )
    return count


def _overrides(path: Path, problems: list[Problem]) -> int:
    count = 0
    seen: dict[Any, int] = {}
    for record in records(Override, path, problems):
        count += 1
        result = record.value
        once(
            problems,
            record.line,
            seen,
            (result.dialog_id, result.turn_pair_id, result.metric, result.label, result.reviewer),
            "$",
        )
    return count


def _problems(path: Path, problems: list[Problem]) -> int:
    return sum(1 for _ in records(Problem, path, problems))


def _whole(record_type: type[Any]) -> Callable[[Path, list[Problem]], int]:
    def check_whole(path: Path, problems: list[Problem]) -> int:
        try:
            raw = path.read_bytes()
        except OSError as error:
            message = f"{path}: cannot be read: {error.strerror or error}"
            raise DataError(message) from error
        decoded = Reader(record_type).decode(Line(str(path), 1, raw.removeprefix(b"\xef\xbb\xbf")))
        if isinstance(decoded, list):
            problems.extend(msgspec.structs.replace(problem, line=0) for problem in decoded)
            return 0
        if decoded.warning:
            problems.append(msgspec.structs.replace(decoded.warning, line=0))
        return 1

    return check_whole


def _pack(path: Path, problems: list[Problem]) -> int:
    try:
        raw = path.read_bytes()
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise DataError(message) from error
    keys = loading.keys_of(raw)
    checks = [check for definition in suite_definitions() if (check := definition.pack_check())]
    of_suites = (result for check in checks if (result := check(path, raw, keys)) is not None)
    result = next(of_suites, None)
    if result is None and "detector" in keys:
        result = pack_problems(raw, str(path))
    elif result is None:
        result = loading.problems(raw, str(path), LiteralPack)
    problems.extend(result)
    return 0 if result else 1


_OF_TRUTH: dict[str, Callable[[Path, list[Problem], _Known], int]] = {"trace": _trace, "dataset": _dataset}
"""Kinds that hold a ground truth, whose names packs may add to."""
_GENERAL: dict[str, Callable[[Path, list[Problem]], int]] = {
    **{kind: functools.partial(_with_shipped_names, check) for kind, check in _OF_TRUTH.items()},
    "chats": _chats,
    "turn_eval": _rows,
    "evidence": _evidence,
    "problems": _problems,
    "overrides": _overrides,
    "manifest": _whole(RunManifest),
    "summary": _whole(EvalSummary),
    "pack": _pack,
}


@functools.cache
def checks() -> dict[str, Callable[[Path, list[Problem]], int]]:
    """How each kind of file is checked, those of suites too."""
    of_suites = {kind.name: kind.check for kind in file_kinds() if kind.check is not None}
    return dict(sorted({**of_suites, **_GENERAL}.items()))
