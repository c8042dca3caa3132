"""What the self-test plants: a harsh sentence, no greeting; and what must move nothing."""

from turnmark.extension import CONTROLS, Perturbation, Plants, add_sentence, down, on_reply
from turnmark_tone.phrases import greeting


def _without_greeting(reply: str) -> str | None:
    opening = greeting(reply)
    return None if opening is None else reply[opening.end :].lstrip(" ,，!！.。") or None


PLANTS = Plants((
    Perturbation("harsh_sentence", "one harsh sentence more",
                 on_reply(lambda reply: add_sentence(reply, "As I already told you, this is not my problem.")),
                 down("TONE.courteous")),
    Perturbation("no_greeting", "the greeting taken away", on_reply(_without_greeting), down("TONE.greeted")),
    *CONTROLS,
))  # fmt: skip
