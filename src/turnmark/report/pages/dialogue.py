"""The page of one dialogue: all its turns in order, so that a reviewer reads a marked reply in its context."""

from __future__ import annotations

from turnmark.locale.texts import ENGLISH, Texts
from turnmark.report.pages.environment import rendered
from turnmark.report.view.data import DialogData
from turnmark.report.view.triage import flagged
from turnmark.report.view.turn import turn_page


def render_dialog(data: DialogData, texts: Texts = ENGLISH) -> str:
    """The page of a dialogue. The same data gives the same bytes."""
    view = data.views[0] if data.views else None
    return rendered(
        "dialog.html.j2",
        texts,
        script=True,
        run_id=data.run_id,
        link=data.link,
        scenario=view.scenario if view else "",
        difficulty=view.difficulty if view else "",
        masked=data.masked,
        before=data.before,
        after=data.after,
        turns=[(turn_page(view, texts, data.rules), flagged(view.row)) for view in data.views],
    )
