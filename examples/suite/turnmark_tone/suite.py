"""The suite at work: one reply at a time, from traces or from files of e-mails."""

from turnmark.extension import Evidence, Ratio, SuiteSettings, TurnMarks, TurnSuite
from turnmark_tone.emails import email_lines
from turnmark_tone.metric import TONE
from turnmark_tone.phrases import VERSION, greeting, harsh


class ToneSuite(TurnSuite):
    name = "tone"
    metrics = (TONE,)
    versions = {"tone.phrases": VERSION}  # noqa: RUF012 - never changed

    def __init__(self, settings: SuiteSettings) -> None:
        self.settings = settings

    def lines(self, path):
        return email_lines(path)

    def mark(self, dialog, turn) -> TurnMarks:
        reply = turn.pred_assistant_text or ""
        rude, opening = list(harsh(reply)), greeting(reply)
        pieces = [(found, "violates") for found in rude] + [(found, "present") for found in [opening] if found]
        evidence = [
            Evidence(metric=TONE.name, rule=found.rule, polarity=polarity, start=found.start, end=found.end,
                     quote=found.quote)
            for found, polarity in pieces
        ]  # fmt: skip
        return TurnMarks({TONE.name: [Ratio(not rude, 1), Ratio(opening is not None, 1)]}, evidence)
