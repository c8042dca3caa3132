"""The registration: all that turnmark asks about this suite."""

from pathlib import Path

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
    locale=Path(__file__).parent / "locale",
)
