"""Candidate cases from the material of users: a folder of FHIR bundles to a file of conversation scripts."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from turnmark.errors import UsageError
from turnmark.packs.terminology import Language, terminology
from turnmark.runs.folder import ArtifactWriter
from turnmark.schemas.clinical.events import ScriptLine
from turnmark.schemas.problems import Problem
from turnmark.synth.fhir.bundle import read_bundle
from turnmark.synth.fhir.record import Record, records
from turnmark.synth.fhir.slots import slots
from turnmark.synth.scripts import script


def clinical_scripts(
    folder: Path,
    language: Language,
    *,
    most_patients: int | None = None,
    seed: int = 0,
    on: dt.date | None = None,
) -> Iterator[ScriptLine | Problem]:
    """The script of every patient of a folder of FHIR bundles, in the order of files, and what is wrong on the way.

    One bundle is in memory at a time. ``seed`` chooses among wordings, for each patient by itself, so that a script
    does not depend on which other patients there are. ``on`` is the day to look at; by default the last day of each
    record.

    Raises: UsageError when the folder is none or holds no ``.json`` file.
    """
    if not folder.is_dir():
        message = f"{folder}: expected a folder of FHIR bundles (*.json)"
        raise UsageError(message)
    files = sorted(path for path in folder.iterdir() if path.suffix == ".json" and path.is_file())
    if not files:
        message = f"{folder}: expected FHIR bundles (*.json), found none"
        raise UsageError(message)
    yield from _limited(_of_files(files, language, seed, on), most_patients)


def _limited(found: Iterable[ScriptLine | Problem], most: int | None) -> Iterator[ScriptLine | Problem]:
    count = 0
    for item in found:
        if most is not None and count >= most:
            return
        count += isinstance(item, ScriptLine)
        yield item


def _of_files(files: list[Path], language: Language, seed: int, on: dt.date | None) -> Iterator[ScriptLine | Problem]:
    seen: dict[str, Path] = {}
    terms = terminology()
    for path in files:
        bundle = read_bundle(path)
        if isinstance(bundle, Problem):
            yield bundle
            continue
        for record in records(bundle, terms, on):
            if isinstance(record, Problem):
                yield record
            elif record.patient_id in seen:
                yield Problem(
                    file=str(path),
                    field="$.entry",
                    expected=f"a patient that is not in {seen[record.patient_id].name}",
                    found=record.patient_id,
                    advice="keep one of the two files",
                )
            else:
                seen[record.patient_id] = path
                yield _script(record, language, seed)


def _script(record: Record, language: Language, seed: int) -> ScriptLine:
    terms = terminology()
    choice = random.Random(f"{seed}/{record.patient_id}")  # noqa: S311 - chooses a wording, guards nothing
    result, assumed = slots(record, terms, language, choice)
    line = script(record.patient_id, result, terms, language, choice, record.age_in_months)
    line.assumed = assumed
    return line


def write_scripts(items: Iterable[ScriptLine | Problem], out: Path) -> tuple[int, list[Problem]]:
    """Write scripts to a file that appears whole; the number of scripts, and the problems met."""
    out.parent.mkdir(parents=True, exist_ok=True)
    writer = ArtifactWriter(out)
    problems: list[Problem] = []
    count = 0
    try:
        for item in items:
            if isinstance(item, Problem):
                problems.append(item)
            else:
                writer.write(msgspec.json.encode(item) + b"\n")
                count += 1
        writer.close()
        writer.commit()
    except BaseException:
        writer.discard()
        raise
    return count, problems
