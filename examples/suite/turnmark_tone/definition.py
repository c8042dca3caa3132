"""The registration: all that turnmark asks about this suite."""

from turnmark.extension import SuiteDefinition
from turnmark_tone.metric import TONE

SUITE = SuiteDefinition(
    name="tone",
    suite="turnmark_tone.suite:ToneSuite",
    detect=("phrases",),
    metrics=(TONE,),
    kinds="turnmark_tone.emails:KINDS",
    labels="turnmark_tone.labels:LABELS",
    plants="turnmark_tone.plants:PLANTS",
    words={
        "en": {"user": "E-mail", "reply": "Answer"},
        "zh": {"user": "邮件", "reply": "回信"},
        "ko": {"user": "이메일", "reply": "회신"},
    },
)
