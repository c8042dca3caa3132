"""Overrides that reviewers write in the browser, into the file of the run that ``turnmark report`` reads."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import NamedTuple, get_args

import msgspec

from turnmark.errors import UsageError
from turnmark.locale.texts import Texts, named
from turnmark.metrics.catalog import current_name
from turnmark.report.view.claims import is_verdict
from turnmark.report.view.data import TurnView
from turnmark.report.view.names import worded_name
from turnmark.report.view.overrides import with_raw
from turnmark.report.view.tables import known_metric
from turnmark.runs.folder import OVERRIDES, append_line
from turnmark.schemas.labels.overrides import Override
from turnmark.schemas.trace import ComplianceLabel
from turnmark.schemas.turn_eval import REPLY_STATES, WHOLE_LABEL, TurnEvalRow
from turnmark.viewer.posted import OverrideRequest

LONGEST_REASON = 2000
_STATE = "reply_state"
_COMPLIANCE = "m4_compliance"
_ASKED = {"risk_tags": "m3_risk_coverage", "rubric": "m5_explainability", "memory_keys": "m1_context_continuity"}
"""The metric of each group of things that a turn was asked for."""


class Choice(NamedTuple):
    """One mark of a turn that can be overridden, in words, with what it is now and what it may be said to be."""

    metric: str
    label: str
    about: str
    now: bool | str | None
    values: tuple[tuple[bool | str, str], ...]


def choices_of(view: TurnView, texts: Texts) -> list[Choice]:
    """What can be overridden in a turn: what was found or may be there, what was asked for, the state of the reply."""
    found = [(piece.metric, piece.label) for piece in (*view.evidence, *view.possible) if piece.label
             and piece.label != WHOLE_LABEL and not is_verdict(piece)]  # fmt: skip
    found += [(_ASKED[item.group], item.name) for item in view.row.asked() if item.group in _ASKED]
    results = [_choice(view, metric, label, texts) for metric, label in dict.fromkeys(found)]
    if isinstance(view.row, TurnEvalRow):
        labels = tuple((label, worded_name(label, texts)) for label in get_args(ComplianceLabel))
        title = named(texts, "metric", _COMPLIANCE)
        results.append(Choice(_COMPLIANCE, WHOLE_LABEL, title, view.row.pred_compliance_label, labels))
    states = tuple((state, named(texts, "state", state)) for state in REPLY_STATES)
    return [*results, Choice(_STATE, "", texts["viewer_state"], view.row.reply_state, states)]


def _choice(view: TurnView, metric: str, label: str, texts: Texts) -> Choice:
    known = known_metric(current_name(metric))
    title = named(texts, "metric", metric) if known else metric
    asked = Override(
        dialog_id=view.dialog_id, turn_pair_id=view.turn_pair_id, metric=metric, label=label, marked=True,
        reviewer="-", reason="-", date="2000-01-01",
    )  # fmt: skip
    now = with_raw(asked, view.row, view.evidence).raw
    values = ((True, texts["mark_true"]), (False, texts["mark_false"]))
    return Choice(metric, label, f"{title}: {worded_name(label, texts)}", now, values)


def write_override(folder: Path, said: OverrideRequest, view: TurnView, now: str, texts: Texts) -> None:
    """Append an override to the run's own file; it is on disk, whole, when this returns, or nothing of it is.

    ``now`` is the fingerprint of the turn. Raises: UsageError for a mark that the turn does not have, a value that it
    cannot have, a day that there is not, no reason, or a file that leads out of the folder; OSError, DataError as
    `append_line`.
    """
    choices = {(one.metric, one.label): one for one in choices_of(view, texts)}
    choice = choices.get((said.metric, said.label))
    if choice is None:
        message = f"metric, label: expected a mark of this turn, found {said.metric!r}, {said.label!r}"
        raise UsageError(message)
    values = [value for value, _ in choice.values]
    if said.marked not in values:
        message = f"marked: expected one of {', '.join(map(str, values))}, found {said.marked!r}"
        raise UsageError(message)
    reason = said.reason.strip()
    if not reason or len(reason) > LONGEST_REASON:
        message = f"reason: expected 1 to {LONGEST_REASON} characters, found {len(reason)}"
        raise UsageError(message)
    try:
        day = dt.date.fromisoformat(said.date).isoformat()
    except ValueError as error:
        message = f"date: expected a day as YYYY-MM-DD, found {said.date!r}"
        raise UsageError(message) from error
    path = folder / OVERRIDES
    if path.is_symlink():
        message = f"{OVERRIDES}: expected a file of the run, found a link; nothing is written through it"
        raise UsageError(message)
    override = Override(
        dialog_id=said.dialog_id, turn_pair_id=said.turn_pair_id, metric=said.metric, label=said.label,
        marked=said.marked, reviewer=said.reviewer, reason=reason, date=day, fingerprint=now or msgspec.UNSET,
    )  # fmt: skip
    append_line(path, msgspec.json.encode(override))
