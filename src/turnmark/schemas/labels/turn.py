"""Labels that people give to turns of a scored run (``labels.jsonl``): what the viewer writes and ``correct`` reads."""

from __future__ import annotations

from typing import Annotated

import msgspec

from turnmark.schemas.json_schema import NOT_BLANK

Name = Annotated[str, msgspec.Meta(pattern=NOT_BLANK)]


class TurnLabel(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What one person says one measure of one turn should be.

    ``measure`` is a metric's code or name, a dot, and a measure (``M4.severe_violation_rate``). ``value`` is true or
    false for measures that are yes or no, a number on the measure's scale for others, null for "cannot tell".
    ``chosen`` is true where the turn was picked by its mark or by hand: such labels show errors but say nothing about
    how common they are among turns that nobody looked at. ``at`` says when the label was given (ISO 8601, UTC), and
    ``fingerprint`` of what (`turnmark.schemas.labels.fingerprint`): where the turn has become another one, the label is
    named and not used. The viewer fills both in.
    """

    dialog_id: str
    turn_pair_id: int
    measure: Name
    value: bool | float | None
    annotator: Name
    note: str = ""
    chosen: bool = False
    at: str = ""
    fingerprint: str = ""
