"""Values by key and values in order, however many: beyond a number of bytes they wait in temporary files.

Files of spans are larger than memory. Temporary files have no name, so that nothing is left when the process dies.
Values are kept as MessagePack, which has no numbers beyond 64 bits: what may hold any (JSON of users) comes as bytes.
"""

from __future__ import annotations

import heapq
import struct
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import IO, Any, Generic, TypeVar

import msgspec

T = TypeVar("T")

HELD = 1 << 25
"""Bytes that are held in memory before any are written: 32 MB."""
_FILES = 64
_ONE = 200
"""About what a value takes in memory beside its bytes."""
_LENGTHS = struct.Struct(">QQ")


class Groups(Generic[T]):
    """Values of a type by key, those of one key in the order in which they came; ``held`` bytes of them in memory."""

    def __init__(self, kind: Any, held: int = HELD) -> None:
        self._pack, self._unpack = msgspec.msgpack.Encoder().encode, _unpacked(kind)
        self._most, self._held = held, 0
        self._values: dict[str, list[bytes]] = {}
        self._stack = ExitStack()
        self._files: list[IO[bytes]] = []

    def add(self, key: str, value: T) -> None:
        """Keep a value, which is copied."""
        packed = self._pack(value)
        self._values.setdefault(key, []).append(packed)
        self._held += len(packed) + _ONE
        if self._held > self._most:
            self._write()

    def take(self) -> Iterator[tuple[str, list[T]]]:
        """Every key with its values, once; keys come as they were first added where all fitted into memory."""
        with self._stack:
            if self._files:
                self._write()
            for file in self._files or (None,):
                values, self._values = (self._values if file is None else _grouped(file)), {}
                for key in list(values):
                    yield key, [self._unpack(packed) for packed in values.pop(key)]

    def _write(self) -> None:
        """Move what is held into files, all of one key into the same."""
        if not self._files:
            self._files = [_temporary(self._stack) for _ in range(_FILES)]
        for key, packed in self._values.items():
            name = key.encode()
            file = self._files[zlib.crc32(name) % _FILES]
            for each in packed:
                _append(file, name, each)
        self._values, self._held = {}, 0


class Ordered(Generic[T]):
    """Values of a type by a place of their own, given back from the least on; ``held`` bytes of them in memory."""

    def __init__(self, kind: Any, held: int = HELD) -> None:
        self._pack, self._unpack = msgspec.msgpack.Encoder().encode, _unpacked(kind)
        self._most, self._held = held, 0
        self._values: list[tuple[tuple[float, ...], bytes]] = []
        self._stack = ExitStack()
        self._files: list[IO[bytes]] = []

    def add(self, place: tuple[float, ...], value: T) -> None:
        """Keep a value, which is copied."""
        packed = self._pack(value)
        self._values.append((place, packed))
        self._held += len(packed) + _ONE
        if self._held > self._most:
            self._write()

    def take(self) -> Iterator[T]:
        """The values in order, once."""
        with self._stack:
            self._values.sort()
            runs = [_placed(file) for file in self._files]
            for _, packed in heapq.merge(*runs, self._values):
                yield self._unpack(packed)

    def _write(self) -> None:
        """Move what is held into a file of its own, in order."""
        self._values.sort()
        self._files.append(_temporary(self._stack))
        for place, packed in self._values:
            _append(self._files[-1], self._pack(place), packed)
        self._values, self._held = [], 0


def _unpacked(kind: Any) -> Callable[[bytes], T]:
    return msgspec.msgpack.Decoder(kind).decode


def _temporary(stack: ExitStack) -> IO[bytes]:
    return stack.enter_context(tempfile.TemporaryFile())


def _append(file: IO[bytes], name: bytes, packed: bytes) -> None:
    file.write(_LENGTHS.pack(len(name), len(packed)))
    file.write(name)
    file.write(packed)


def _read(file: IO[bytes]) -> Iterator[tuple[bytes, bytes]]:
    file.seek(0)
    while head := file.read(_LENGTHS.size):
        name, packed = _LENGTHS.unpack(head)
        yield file.read(name), file.read(packed)


def _grouped(file: IO[bytes]) -> dict[str, list[bytes]]:
    values: dict[str, list[bytes]] = {}
    for name, packed in _read(file):
        values.setdefault(name.decode(), []).append(packed)
    return values


def _placed(file: IO[bytes]) -> Iterator[tuple[tuple[Any, ...], bytes]]:
    for place, packed in _read(file):
        yield msgspec.msgpack.decode(place, type=tuple[Any, ...]), packed
