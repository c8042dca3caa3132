"""What a clinical event says of retrieval: the texts put before the model, and the reference, where it has one.

Users write these fields at the top level of an event or under ``metadata``, by the names of their tools.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from turnmark.schemas.problems import Problem, shown

_LISTS: Mapping[str, tuple[str, ...]] = {
    "retrieved_contexts": ("retrieved_contexts", "contexts", "retrieval_context"),
    "ground_truth_contexts": ("ground_truth_contexts", "reference_contexts"),
}
_TEXTS: Mapping[str, tuple[str, ...]] = {
    "ground_truth_answer": ("ground_truth_answer", "ground_truth", "reference", "expected_output"),
}
_CONTENT = ("content", "text", "page_content")
"""Under which name an entry that is an object holds its text."""


class EventContexts(NamedTuple):
    """Texts of one event; None where it does not say, an empty list where retrieval found nothing."""

    retrieved_contexts: list[str] | None = None
    ground_truth_contexts: list[str] | None = None
    ground_truth_answer: str | None = None


def contexts_of(event: Mapping[str, Any]) -> EventContexts:
    """What an event says of retrieval; a field that is neither a text nor a list of texts is as if it were not there.

    ``contexts_problems`` names such fields.
    """
    results: dict[str, Any] = {}
    for name, aliases in _LISTS.items():
        _, value = _named(event, aliases)
        results[name] = _texts(value)
    for name, aliases in _TEXTS.items():
        _, value = _named(event, aliases)
        results[name] = value if isinstance(value, str) and value.strip() else None
    return EventContexts(**results)


def contexts_problems(event: Mapping[str, Any], file: str, line: int) -> Iterator[Problem]:
    """Fields of an event that should hold contexts and do not; the event is used without them."""
    for name, aliases in _LISTS.items():
        path, value = _named(event, aliases)
        if value is not None and _texts(value) is None:
            yield Problem(
                file=file,
                line=line,
                field=path,
                expected=f"a list of texts, or of objects with one of {', '.join(_CONTENT)}",
                found=shown(value),
                advice=f"the event is used without {name}",
                severity="warning",
            )


def _named(event: Mapping[str, Any], aliases: tuple[str, ...]) -> tuple[str, Any]:
    """The path and value of the first of these names that the event or its metadata holds; None when there is none."""
    metadata = event.get("metadata")
    for name in aliases:
        if event.get(name) is not None:
            return f"$.{name}", event[name]
        if isinstance(metadata, Mapping) and metadata.get(name) is not None:
            return f"$.metadata.{name}", metadata[name]
    return "", None


def _texts(value: Any) -> list[str] | None:
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list):
        return None
    texts = [_text(entry) for entry in value]
    return None if None in texts else [text for text in texts if text is not None]


def _text(entry: Any) -> str | None:
    if isinstance(entry, Mapping):
        entry = next((entry[name] for name in _CONTENT if isinstance(entry.get(name), str)), None)
    return entry if isinstance(entry, str) else None
