"""Logs of inspect_ai: ``.eval`` (a ZIP archive whose members are packed by zstandard) and ``.json``."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from turnmark.errors import DataError
from turnmark.readers.forms import Forms
from turnmark.readers.protocol import Numbered, Sample
from turnmark.readers.records import record_lines
from turnmark.schemas.compressed import MOST_EXPANSION, limit
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.problems import Problem, readable

_ZSTANDARD = 93
_HEADER = struct.Struct("<26xHH")


class InspectArchive:
    """The samples of an archive, in the order of their members."""

    version = "inspect_ai logs, .eval"
    gives: Literal["cases"] = "cases"

    def recognise(self, sample: Sample) -> bool:
        """Whether it is called ``.eval`` and is an archive."""
        return sample.path.suffix.lower() == ".eval" and zipfile.is_zipfile(sample.path)

    def read(self, path: Path) -> Iterator[Numbered]:
        """One record a sample."""
        try:
            with zipfile.ZipFile(path) as archive:
                members = [member for member in archive.infolist() if member.filename.startswith("samples/")]
                for number, member in enumerate(members, 1):
                    try:
                        yield number, _record(msgspec.json.decode(_content(path, archive, member), type=dict))
                    except (msgspec.DecodeError, ValueError, EOFError) as error:
                        yield (
                            number,
                            Problem(
                                file=readable(path), line=number, expected=f"a sample in {member.filename}",
                                found=str(error), advice="the sample is left out; copy the file again",
                            ),
                        )  # fmt: skip
        except (OSError, zipfile.BadZipFile) as error:
            message = f"{path}: cannot be read as a log of inspect_ai: {error}"
            raise DataError(message) from error


def _content(path: Path, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """A member's bytes; the standard library knows zstandard from Python 3.14 only. Raises: ValueError."""
    most = member.compress_size * limit(MOST_EXPANSION)
    if member.file_size > max(most, 1 << 20):
        message = f"an expansion beyond {MOST_EXPANSION}"
        raise ValueError(message)
    if member.compress_type != _ZSTANDARD:
        return archive.read(member)
    import zstandard  # noqa: PLC0415 - only for such files

    with path.open("rb") as file:
        file.seek(member.header_offset)
        lengths = _HEADER.unpack(file.read(_HEADER.size))
        file.seek(sum(lengths), 1)
        packed = file.read(member.compress_size)
    try:
        with zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True) as stream:
            return stream.read(member.file_size)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error


class InspectJson:
    """One object with ``eval`` and ``samples``."""

    version = "inspect_ai logs, .json"
    gives: Literal["cases"] = "cases"

    def recognise(self, sample: Sample) -> bool:
        """Whether it has both."""
        first = sample.first
        return isinstance(first, dict) and "eval" in first and isinstance(first.get("samples"), list)

    def read(self, path: Path) -> Iterator[Numbered]:
        """One record a sample."""
        for line in record_lines(path):
            decoded = line if isinstance(line, Problem) else Reader(dict).decode(line)
            if isinstance(decoded, Problem):
                yield decoded.line, decoded
            elif isinstance(decoded, list):
                yield decoded[0].line, decoded[0]
            else:
                for number, sample in enumerate(decoded.value.get("samples", ()), 1):
                    yield number, _record(sample)


def _record(sample: Mapping[str, Any]) -> dict[str, Any]:
    """A sample as a record: what its metadata hold (contexts, say) keeps its names."""
    asked, target, output = sample.get("input"), sample.get("target"), sample.get("output")
    if isinstance(asked, list):
        asked = next((_text(one) for one in reversed(asked) if one.get("role") == "user"), None)
    choices = output.get("choices") if isinstance(output, dict) else None
    metadata = sample.get("metadata")
    return {
        **(metadata if isinstance(metadata, dict) else {}),
        "id": f"{sample.get('id')}-{sample.get('epoch', 1)}",
        "question": asked,
        "answer": (_text(choices[0].get("message") or {}) or None) if choices else None,
        "ground_truth_answer": (target[0] if target else None) if isinstance(target, list) else target or None,
    }


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(part["text"] for part in content if isinstance(part, dict) and part.get("type") == "text")
    return content if isinstance(content, str) else ""


INSPECT = Forms("logs of inspect_ai (version 2): .eval and .json", (InspectArchive(), InspectJson()))
