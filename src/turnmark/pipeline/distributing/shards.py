"""Shards of a job that outlive it: each committed by a manifest, so that a job that is started again skips them."""

from __future__ import annotations

import hashlib
import io
import pickle

import msgspec
import zstandard

from turnmark import __version__
from turnmark.pipeline.distributing.location import Location
from turnmark.pipeline.scoring.partitions import Shard
from turnmark.pipeline.scoring.worker import Batch, ScoreRequest, no_collection
from turnmark.runs.folder import artifact_of
from turnmark.schemas.problems import Problem

_FORM = 2


class _Manifest(msgspec.Struct):
    """What a shard was made of and what it is, by SHA-256."""

    form: int
    request: str
    lines: str
    shard: str


class Shards:
    """The shards of one request in a folder, by the number of their partition. It can be pickled.

    What lies there are pickles: they must come from folders only that nobody else writes to.
    """

    def __init__(self, place: str, request: ScoreRequest) -> None:
        self._location = Location(place)
        self._request = request_digest(request)

    def load(self, number: int, lines: Batch) -> Shard | None:
        """The shard of a partition; None where it is not there whole, or is of other lines or another request.

        Raises: DataError when the folder cannot be read.
        """
        packed = self._packed(number, lines)
        if packed is None:
            return None
        with no_collection():
            unpacked = io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(packed), 1 << 18)
            results = pickle.load(unpacked)  # noqa: S301 - what this job wrote, see the class
        return Shard(lines, results)

    def has(self, number: int, lines: Batch) -> bool:
        """Whether the shard of a partition is there, as `load` would give it; it is not unpacked."""
        return self._packed(number, lines) is not None

    def _packed(self, number: int, lines: Batch) -> bytes | None:
        raw = self._location.read(_name(number, "json"))
        try:
            manifest = None if raw is None else msgspec.json.decode(raw, type=_Manifest)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None
        if manifest is None or manifest.form != _FORM or manifest.request != self._request:
            return None
        if manifest.lines != lines_digest(lines):
            return None
        packed = self._location.read(_name(number, "shard"))
        return None if packed is None or hashlib.sha256(packed).hexdigest() != manifest.shard else packed

    def commit(self, number: int, shard: Shard) -> None:
        """Write a shard, then its manifest: a worker that dies in between has written nothing."""
        stream = io.BytesIO()
        # What is packed goes through bit by bit: the whole of it unpacked would be held twice.
        with zstandard.ZstdCompressor(3).stream_writer(stream, closefd=False) as packing:
            pickle.dump(shard.results, packing, protocol=5)
        packed = stream.getvalue()
        self._location.write(_name(number, "shard"), packed)
        digest = hashlib.sha256(packed).hexdigest()
        manifest = _Manifest(_FORM, self._request, lines_digest(shard.lines), digest)
        self._location.write(_name(number, "json"), msgspec.json.encode(manifest))


def lines_digest(lines: Batch) -> str:
    """The digest of lines, with the files that they stand in and their numbers, which problems name."""
    digest = hashlib.sha256()
    for line in lines:
        if isinstance(line, Problem):
            digest.update(b"!" + msgspec.json.encode(line))
        else:
            digest.update(f"{line.file}\0{line.number}\0{line.lines}\0".encode("utf-8", "surrogateescape") + line.raw)
    return digest.hexdigest()


def request_digest(request: ScoreRequest) -> str:
    """The digest of all that shapes a shard beside its lines: settings, rules, versions, ground truth."""
    suite = request.make_suite()
    shaping = request._replace(traces=(), out=None, workers=1, packs=(), dataset=None, intervals="percentile")
    told = [
        __version__, repr(shaping), sorted(suite.versions.items()), sorted(suite.packs.items()),
        artifact_of(request.dataset).sha256 if request.dataset else "",
        [artifact_of(pack).sha256 for pack in request.packs if pack.is_file()],
    ]  # fmt: skip
    return hashlib.sha256(msgspec.json.encode(told)).hexdigest()


def _name(number: int, suffix: str) -> str:
    return f"part-{number:06d}.{suffix}"
