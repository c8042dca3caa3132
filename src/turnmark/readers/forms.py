"""A format of several forms, one of which every file has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from turnmark.readers.protocol import FormatReader, Numbered, Sample
from turnmark.readers.sampling import sample_of


class Forms:
    """A format that has several forms, of which each file has one."""

    gives: Literal["dialogues", "cases"] = "cases"

    def __init__(self, version: str, forms: Sequence[FormatReader]) -> None:
        self.version = version
        self._forms = forms

    def recognise(self, sample: Sample) -> bool:
        """Whether a file is of any of the forms."""
        return any(form.recognise(sample) for form in self._forms)

    def read(self, path: Path) -> Iterator[Numbered]:
        """The records, by the first form that the file has, else by the last one."""
        sample = sample_of(path)
        form = next((form for form in self._forms if form.recognise(sample)), self._forms[-1])
        return form.read(path)
