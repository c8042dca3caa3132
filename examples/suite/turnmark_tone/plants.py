"""What the self-test plants: a harsh sentence, no greeting; and what must move nothing."""

from turnmark.suites.planting import edits
from turnmark.suites.planting.general import CONTROLS
from turnmark.suites.planting.material import Perturbation, down, on_reply
from turnmark.suites.protocol import Plants
from turnmark_tone.phrases import greeting


def _without_greeting(reply: str) -> str | None:
    opening = greeting(reply)
    return None if opening is None else reply[opening.end :].lstrip(" ,，!！.。") or None


PLANTS = Plants((
    Perturbation("harsh_sentence", "one harsh sentence more",
                 on_reply(lambda reply: edits.add(reply, "As I already told you, this is not my problem.")),
                 down("TONE.courteous")),
    Perturbation("no_greeting", "the greeting taken away", on_reply(_without_greeting), down("TONE.greeted")),
    *CONTROLS,
))  # fmt: skip
