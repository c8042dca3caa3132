"""The summary of a run as it is written: piece by piece, since every dialogue has figures of its own in it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from turnmark.runs.folder import pretty_json
from turnmark.schemas.results.summary import EvalSummary

_TOGETHER = 1024
"""Dialogues that are encoded at once."""
_INDENT = b"\n" + b" " * 6
_EMPTY = _INDENT + b'"by_dialog": {}'
"""How the field stands in a metric without dialogues: no other field of that name lies as deep, and no text is so."""


def summary_pieces(summary: EvalSummary) -> Iterator[bytes]:
    """The bytes of `pretty_json` of a summary, a thousand dialogues at a time."""
    metrics = {name: msgspec.structs.replace(result, by_dialog={}) for name, result in summary.metrics.items()}
    before, *behind = pretty_json(msgspec.structs.replace(summary, metrics=metrics)).split(_EMPTY)
    yield before
    for result, text in zip(summary.metrics.values(), behind, strict=True):
        yield _EMPTY[:-1]
        yield from _entries(result.by_dialog.items())
        yield b"}" + text


def _entries(figures: Iterable[tuple[str, Mapping[str, float]]]) -> Iterator[bytes]:
    """What stands between the braces of the field."""
    rest, between = iter(figures), b""
    while some := dict(itertools.islice(rest, _TOGETHER)):
        formatted = msgspec.json.format(msgspec.json.encode(some), indent=2)
        yield between + formatted[1:-2].replace(b"\n", _INDENT)
        between = b","
    if between:
        yield _INDENT
