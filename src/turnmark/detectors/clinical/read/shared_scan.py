"""The words that are looked for in every clinical answer, in one pass."""

from __future__ import annotations

from functools import cache

from turnmark.language.match.shared_automaton import SharedAutomaton


@cache
def answer_words() -> SharedAutomaton:
    """Cues of statements, of context and of stance, things that rules speak of, and halves of long names."""
    return SharedAutomaton()
