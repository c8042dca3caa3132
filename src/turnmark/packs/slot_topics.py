"""Whether and how context use (CUS) is also told by an encoder of texts (``slot_topics.yaml`` of a user's folder)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from turnmark.packs.loading import read


class SlotTopicsFile(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A slot that the answer does not use by its words counts as reflected where a clause is close enough to it.

    ``encoder`` is ``shipped`` (the extra ``embed``) or a folder with an encoder, relative to the file. ``threshold`` is
    the least cosine of clause and paraphrase; cosines of different encoders are not to be compared.
    """

    threshold: Annotated[float, msgspec.Meta(gt=0.0, le=1.0)]
    encoder: str = "shipped"

    def folder(self, file: Path) -> Path | None:
        """Where the encoder lies; None for the shipped one."""
        return None if self.encoder == "shipped" else file.parent / self.encoder


def load_slot_topics(path: Path) -> tuple[SlotTopicsFile, str]:
    """The file and its digest. Raises: PackError when it cannot be read or is wrong."""
    return read(path, SlotTopicsFile)
