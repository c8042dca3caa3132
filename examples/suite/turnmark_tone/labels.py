"""Labels of readers, one a line: ``{"id": …, "reply": …, "courteous": true, "greeted": null}``; null is not judged."""

import msgspec

from turnmark.extension import Cell, Labels, Problem, by_cells, read_labels
from turnmark_tone.phrases import greeting, harsh


class Label(msgspec.Struct):
    id: str
    reply: str
    courteous: bool | None = None
    greeted: bool | None = None


def _read(value, file, line):
    try:
        return msgspec.convert(value, Label)
    except msgspec.ValidationError as error:
        return Problem(file=file, line=line, expected=f"a label ({error})")


def _cells(label):
    rude, opening = list(harsh(label.reply)), greeting(label.reply)
    said = {
        "courteous": (label.courteous, not rude, rude),
        "greeted": (label.greeted, opening is not None, [opening] if opening else []),
    }
    for field, (gold, predicted, found) in said.items():
        if gold is not None:
            quote = " | ".join(one.quote for one in found)
            yield Cell("tone", field, gold, predicted, label.id, label.id, quote=quote)


def agree(path, request):
    problems = []
    labels = read_labels(path, _read, problems, "labels of tone")
    return by_cells([cell for label in labels for cell in _cells(label)], len(labels), problems)


LABELS = Labels(agree)
