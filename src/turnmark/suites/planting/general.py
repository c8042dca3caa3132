"""Perturbations that fit the replies of every suite, and the controls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from turnmark.suites.planting import edits
from turnmark.suites.planting.material import Changed, Material, Perturbation, on_reply


def said(kind: Literal["promise", "unsupported", "polite"]) -> Callable[[Material], Changed | None]:
    """One sentence more, of those of a kind."""

    def change(at: Material) -> Changed | None:
        sentences: tuple[str, ...] = getattr(edits.words_of(at.reply), kind)
        return at.replied(edits.add(at.reply, at.chance.choice(sentences)))

    return change


def bare_reply(at: Material) -> Changed | None:
    """A reply that says nothing."""
    return at.replied(at.chance.choice(edits.words_of(at.reply).bare))


CONTROLS: tuple[Perturbation, ...] = (
    Perturbation("full_width_digits", "digits of full width", on_reply(edits.full_width_digits)),
    Perturbation("other_points", "punctuation of another width or shape", on_reply(edits.other_points)),
    Perturbation("extra_spaces", "double spaces between sentences", on_reply(edits.extra_spaces)),
    Perturbation("polite_ending", "a polite ending", said("polite")),
    Perturbation("other_manner", "more or less polite forms", on_reply(edits.other_manner)),
    Perturbation("synonyms", "synonyms", on_reply(edits.synonyms)),
    Perturbation("reversed_bullets", "bullets in the opposite order", on_reply(edits.reverse_bullets)),
)
"""Changes of the reply that change nothing it says; they serve every suite."""
