"""Overrides: what a reviewer says against or for a raw mark (``overrides.jsonl``, written by people).

Pages show an override beside the raw mark. No figure, row or piece of evidence is changed by it.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from turnmark.schemas.json_schema import NOT_BLANK

NonBlankText = Annotated[str, msgspec.Meta(pattern=NOT_BLANK)]
Day = Annotated[str, msgspec.Meta(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]


class Override(msgspec.Struct, kw_only=True):
    """One mark of one turn as a reviewer sees it.

    ``metric`` is that of the evidence (``m3_risk_coverage``, ``m4_compliance``, ``m5_explainability``,
    ``m1_context_continuity``, ``reply_state`` …; its code or a former name will do) and ``label`` what the mark is
    about: a risk tag, an element of explanation, a category of forbidden content, a memory key, a constraint; ``label``
    is ``compliance_label`` for the label as a whole. ``marked`` is true where it is present, false where it is not, or
    the right value (``compliant``, ``normal``). ``fingerprint`` says of what it was said
    (`turnmark.schemas.labels.fingerprint`; the viewer shows it beside every turn): where the turn has become another
    one, the override is named and not shown beside it.
    """

    dialog_id: str
    turn_pair_id: int
    metric: NonBlankText
    label: str
    marked: bool | NonBlankText
    reviewer: NonBlankText
    reason: NonBlankText
    date: Day
    fingerprint: str | msgspec.UnsetType = msgspec.UNSET
