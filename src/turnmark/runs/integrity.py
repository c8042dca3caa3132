"""Whether the files of a run are those that its manifest was written for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from turnmark.errors import DataError
from turnmark.runs.folder import artifact_of, read_manifest
from turnmark.schemas.problems import Problem
from turnmark.schemas.results.manifest import Artifact


def altered(folder: Path, manifest: Mapping[str, object] | None = None) -> Iterator[Problem]:
    """Artifacts that are missing or not the ones that the manifest names; none where it cannot be read or names none.

    ``manifest`` is read from the folder where it is not given.
    """
    try:
        manifest = manifest if manifest is not None else read_manifest(folder) or {}
        named = msgspec.convert(manifest.get("artifacts") or {}, dict[str, Artifact])
    except (DataError, msgspec.ValidationError):
        return  # `turnmark check` names what is wrong with a manifest itself
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
