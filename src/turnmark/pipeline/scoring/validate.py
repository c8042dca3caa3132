"""Checking files: whether each is what it claims to be, line by line, and whether a run folder belongs together."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.detectors.pack_check import pack_problems
from turnmark.errors import DataError, UsageError
from turnmark.packs import loading
from turnmark.packs.literal import LiteralPack
from turnmark.packs.profile import ProfilePack
from turnmark.packs.risk_tags import RiskTags
from turnmark.pipeline.scoring.line_faults import repeated_turns
from turnmark.pipeline.scoring.validate_clinical import check_events, check_rules, check_scripts
from turnmark.runs.folder import MANIFEST, artifact_of, artifacts, read_manifest
from turnmark.schemas.dataset import DatasetDialog
from turnmark.schemas.dialog import validity
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.jsonl import Decoded, Line, Reader, read_lines
from turnmark.schemas.labels.finance import read_labels
from turnmark.schemas.labels.overrides import Override
from turnmark.schemas.marked_turn import MarkedTurn, Row
from turnmark.schemas.problems import Problem
from turnmark.schemas.results.manifest import Artifact, RunManifest
from turnmark.schemas.results.summary import EvalSummary
from turnmark.schemas.trace import DialogTrace
from turnmark.schemas.turn_eval import TurnEvalRow
from turnmark.suites.file_kinds import kind_of
from turnmark.suites.finance.known_names import known_names, unknown_names
from turnmark.suites.rag.read_cases import read_cases


class Checked(NamedTuple):
    """What a check found in one file."""

    path: Path
    kind: str
    records: int
    problems: list[Problem]


def check(path: Path, kind: str | None = None) -> Iterator[Checked]:
    """Check a file, or every artifact of a run folder.

    Kinds: trace, dataset, turn_eval, evidence, labels, problems, overrides, scripts, events, cases
    (JSON Lines; cases CSV and Parquet too), manifest,
    summary (JSON), pack (YAML; safety rules and slots of the clinical suite too).
    Without ``kind`` it is told by name and content.

    Raises: UsageError when the path does not exist or its kind cannot be told; DataError when it cannot be read.
    """
    if path.is_dir():
        yield from _folder(path)
        return
    if not path.is_file():
        message = f"{path}: expected a file or a run folder, found nothing"
        raise UsageError(message)
    kind = kind or _kind_or_refuse(path)
    problems: list[Problem] = []
    records = _CHECKS[kind](path, problems)
    yield Checked(path, kind, records, problems)


def _kind_or_refuse(path: Path) -> str:
    found = kind_of(path)
    if found is None:
        message = f"{path}: expected a file of a known kind; say which with --kind ({', '.join(sorted(_CHECKS))})"
        raise UsageError(message)
    return found


def _folder(folder: Path) -> Iterator[Checked]:
    found = list(artifacts(folder))
    problems: list[Problem] = []
    manifest: dict[str, object] | None = {}
    # A manifest that cannot be read is named by its own check.
    with contextlib.suppress(DataError):
        manifest = read_manifest(folder)
    if manifest is None and not found:
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
        problems.extend(_strangers(folder, manifest))
    yield Checked(folder, "run folder", len(found), problems)
    for path in found:
        yield from check(path)


def _strangers(folder: Path, manifest: dict[str, object]) -> Iterator[Problem]:
    """Artifacts that are not the ones that the manifest was written for."""
    try:
        named = msgspec.convert(manifest.get("artifacts") or {}, dict[str, Artifact])
    except msgspec.ValidationError:
        return  # named by the manifest's own check
    for name, expected in named.items():
        path = folder / name
        if not path.is_file():
            yield Problem(file=str(path), expected="the artifact that the manifest names", found="none")
            continue
        actual = artifact_of(path)
        if actual != expected:
            yield Problem(
                file=str(path),
                expected=f"{expected.bytes} bytes with SHA-256 {expected.sha256[:12]}…",
                found=f"{actual.bytes} bytes with SHA-256 {actual.sha256[:12]}…",
                advice="the file was changed after the run, or belongs to another run; score again",
            )


def _records(record_type: type[Any], path: Path, problems: list[Problem]) -> Iterator[Decoded[Any]]:
    for found in Reader(record_type).read(path):
        if isinstance(found, Problem):
            problems.append(found)
            continue
        if found.warning:
            problems.append(found.warning)
        yield found


def _once(problems: list[Problem], line: Line, seen: dict[Any, int], key: Any, field: str) -> None:
    earlier = seen.setdefault(key, line.number)
    if earlier != line.number:
        problems.append(
            Problem(
                file=line.file,
                line=line.number,
                field=field,
                expected="each one once",
                found=f"{key!r} again, first in line {earlier}",
            )
        )


def _trace(path: Path, problems: list[Problem]) -> int:
    count = 0
    seen: dict[Any, int] = {}
    for record in _records(DialogTrace, path, problems):
        count += 1
        dialog, line = record.value, record.line
        _once(problems, line, seen, dialog.dialog_id, "$.dialog_id")
        problems.extend(repeated_turns(line, dialog))
        tags = ((f"$.turns[{place}].gt_turn_tags", turn.gt_turn_tags) for place, turn in enumerate(dialog.turns or ()))
        problems.extend(unknown_names(tags, line, known_names()))
    return count


def _dataset(path: Path, problems: list[Problem]) -> int:
    count = 0
    seen: dict[Any, int] = {}
    for record in _records(DatasetDialog, path, problems):
        count += 1
        _once(problems, record.line, seen, record.value.dialog_id, "$.dialog_id")
        told = ((f"$.turns[{place}].turn_tags", turn.turn_tags) for place, turn in enumerate(record.value.turns))
        problems.extend(unknown_names(told, record.line, known_names()))
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


def _rows(path: Path, problems: list[Problem]) -> int:
    count = 0
    seen: dict[Any, int] = {}
    for record in _records(_row_type(path), path, problems):
        count += 1
        row = record.value
        _once(problems, record.line, seen, (row.run_id, row.dialog_id, row.turn_pair_id), "$.turn_pair_id")
    return count


def _row_type(path: Path) -> type[Row]:
    """The row that a file holds, told by its first line: those of suites other than finance name their suite."""
    first = next((line for line in read_lines(path) if not isinstance(line, Problem)), None)
    return MarkedTurn if first is not None and b'"marks"' in first.raw else TurnEvalRow


def _evidence(path: Path, problems: list[Problem]) -> int:
    count = 0
    for record in _records(Evidence, path, problems):
        count += 1
        piece, line = record.value, record.line
        if len(piece.quote) != piece.end - piece.start:
            found = f"{len(piece.quote)} characters for {piece.start} to {piece.end}"
            problems.append(
                Problem(file=line.file, line=line.number, field="$.quote", expected="as long as its span", found=found)
            )
    return count


def _labels(path: Path, problems: list[Problem]) -> int:
    count = 0
    seen: dict[Any, int] = {}
    for record in _records(dict, path, problems):
        label = read_labels(record.value, record.line.file, record.line.number)
        if isinstance(label, Problem):
            problems.append(label)
            continue
        count += 1
        _once(problems, record.line, seen, label.id, "$.id")
    return count


def _overrides(path: Path, problems: list[Problem]) -> int:
    count = 0
    seen: dict[Any, int] = {}
    for record in _records(Override, path, problems):
        count += 1
        one = record.value
        _once(problems, record.line, seen, (one.dialog_id, one.turn_pair_id, one.metric, one.label, one.reviewer), "$")
    return count


def _cases(path: Path, problems: list[Problem]) -> int:
    count = 0
    for case in read_cases(path):
        if isinstance(case, Problem):
            problems.append(case)
        else:
            count += 1
    return count


def _problems(path: Path, problems: list[Problem]) -> int:
    return sum(1 for _ in _records(Problem, path, problems))


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
    clinical = check_rules(path, raw, keys)
    if clinical is not None:
        found = clinical
    elif "detector" in keys:
        found = pack_problems(raw, str(path))
    else:
        form = next((form for field, form in _PACKS_BY_FIELD if field in keys), LiteralPack)
        found = loading.problems(raw, str(path), form)
    problems.extend(found)
    return 0 if found else 1


_PACKS_BY_FIELD: tuple[tuple[str, type[Any]], ...] = (("families", ProfilePack), ("aliases", RiskTags))

_CHECKS: dict[str, Callable[[Path, list[Problem]], int]] = {
    "trace": _trace,
    "dataset": _dataset,
    "cases": _cases,
    "turn_eval": _rows,
    "evidence": _evidence,
    "labels": _labels,
    "problems": _problems,
    "overrides": _overrides,
    "manifest": _whole(RunManifest),
    "summary": _whole(EvalSummary),
    "pack": _pack,
    "scripts": check_scripts,
    "events": check_events,
}
KINDS = tuple(sorted(_CHECKS))
