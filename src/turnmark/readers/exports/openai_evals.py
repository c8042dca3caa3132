"""Evaluations of OpenAI: logs of ``oaieval`` (events), output items of the Evals API, sample files (``ideal``).

Of a log the events of one sample are one case: what was sampled last, and the answer that was expected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from turnmark.readers.forms import Forms
from turnmark.readers.protocol import Numbered, Sample
from turnmark.readers.sampling import entries_of, left_out, objects
from turnmark.schemas.dialog import role_of
from turnmark.schemas.problems import Problem

_EVENT = {"run_id", "event_id", "sample_id", "type", "data"}
_ITEM = "eval.run.output_item"
_REPORTS = ("spec", "final_report")
"""Lines of a log that are about the whole run."""


class _Log:
    version = "event log of evals 3.0"
    gives: Literal["cases"] = "cases"

    def recognise(self, sample: Sample) -> bool:
        """Whether it begins with the specification of a run, or an event of one."""
        first = sample.first if isinstance(sample.first, dict) else {}
        spec = first.get("spec")
        return first.keys() >= _EVENT or (isinstance(spec, dict) and "run_id" in spec and "eval_name" in spec)

    def read(self, path: Path) -> Iterator[Numbered]:
        """One case a sample, in the order in which samples began; events may come in any order."""
        samples: dict[str, tuple[int, dict[str, Any]]] = {}
        for number, event in objects(path):
            if isinstance(event, Problem):
                yield number, event
                continue
            if any(isinstance(event.get(name), dict) for name in _REPORTS):
                continue
            name, data = event.get("sample_id"), event.get("data")
            if name is None or not isinstance(data, dict):
                field, value = ("$.sample_id", name) if name is None else ("$.data", data)
                yield number, left_out(path, number, field, "an event of oaieval", value)
                continue
            _, case = samples.setdefault(str(name), (number, {"id": str(name)}))
            _hear(case, str(event.get("type")), data)
        for number, case in samples.values():
            if case.get("question"):
                yield number, case
            else:
                yield number, left_out(path, number, "$.data.prompt", "a sample of which a prompt was recorded", None)


class _Items:
    version = "output items of the Evals API (openai 2)"
    gives: Literal["cases"] = "cases"

    def recognise(self, sample: Sample) -> bool:
        """Whether the first record is an output item, alone or in a list of the API."""
        first = next(iter(_listed(sample.first)), None)
        return isinstance(first, dict) and first.get("object") == _ITEM

    def read(self, path: Path) -> Iterator[Numbered]:
        """One case an item."""
        for number, record in objects(path):
            if isinstance(record, Problem):
                yield number, record
                continue
            for item in _listed(record):
                sample = item.get("sample") if isinstance(item, dict) else None
                if not isinstance(sample, dict):
                    yield number, left_out(path, number, "$.sample", "an output item with its sample", sample)
                    continue
                yield number, _of_item(item, sample)


class _Samples:
    version = "sample files of evals 3.0 (input, ideal)"
    gives: Literal["cases"] = "cases"

    def recognise(self, sample: Sample) -> bool:
        """Whether there are messages as ``input``, and ``ideal``."""
        first = sample.first
        return isinstance(first, dict) and "ideal" in first and isinstance(first.get("input"), list)

    def read(self, path: Path) -> Iterator[Numbered]:
        """One case a line, without an answer."""
        for number, record in objects(path):
            if isinstance(record, Problem):
                yield number, record
                continue
            asked = _question(record.get("input"))
            if not asked:
                yield (
                    number,
                    left_out(path, number, "$.input", "messages, one of them of the user", record.get("input")),
                )
                continue
            rest = {name: value for name, value in record.items() if name not in {"input", "ideal"}}
            yield number, {"metadata": rest, "question": asked, **_reference(record.get("ideal"))}


def _listed(value: Any) -> list[Any]:
    """The objects of a list of the API (``{"object": "list", "data": […]}``)."""
    if isinstance(value, dict) and value.get("object") == "list" and isinstance(value.get("data"), list):
        return list(value["data"])
    return entries_of(value)


def _hear(case: dict[str, Any], kind: str, data: Mapping[str, Any]) -> None:
    """What an event says of its sample."""
    if kind == "sampling":
        case["question"] = _question(data.get("prompt")) or case.get("question")
        case["answer"] = _text(data.get("sampled"))
    elif kind in {"match", "raw_sample"}:
        wanted = data.get("expected", data.get("ideal"))
        case |= _reference(wanted)
        case.setdefault("answer", _text(data.get("sampled") or data.get("picked")))
    if kind != "sampling":
        case.setdefault("events", []).append({"type": kind, **data})


def _of_item(item: Mapping[str, Any], sample: Mapping[str, Any]) -> dict[str, Any]:
    source = item.get("datasource_item")
    source = dict(source) if isinstance(source, dict) else {}
    kept = {name: value for name, value in item.items() if name not in {"sample", "datasource_item", "object"}}
    asked = _question(sample.get("input"))
    reference = next((source[name] for name in ("ideal", "reference", "expected", "answer") if source.get(name)), None)
    kept |= {"datasource_item": source, "model": sample.get("model"), "usage": sample.get("usage")}
    return {
        "id": str(item.get("id")),
        "metadata": kept,
        "question": asked,
        "answer": _text(sample.get("output")),
        "finish_reason": sample.get("finish_reason"),
        **_reference(reference),
        **{name: source[name] for name in ("retrieved_contexts", "contexts", "context") if name in source},
    }  # fmt: skip


def _reference(value: Any) -> dict[str, Any]:
    """The expected answer: the first of several, the others beside it."""
    if isinstance(value, list):
        others = {"other_ideals": value[1:]} if len(value) > 1 else {}
        return {**_reference(value[0]), **others} if value else {}
    return {} if value is None else {"ground_truth_answer": str(value)}


def _question(prompt: Any) -> str | None:
    """The last message of the user; a prompt that is a text as it is."""
    if isinstance(prompt, list):
        spoken = [each for each in prompt if isinstance(each, dict) and role_of(str(each.get("role"))) == "user"]
        return _text([spoken[-1]]) if spoken else None
    return prompt if isinstance(prompt, str) else None


def _text(value: Any) -> str | None:
    if isinstance(value, list):
        texts = [_text(each.get("content", each.get("text")) if isinstance(each, dict) else each) for each in value]
        return "\n".join(text for text in texts if text) or None
    return value if isinstance(value, str) and value else None


OPENAI_EVALS = Forms(
    "logs and sample files of evals 3.0, output items of the Evals API (openai 2)", (_Log(), _Items(), _Samples())
)
