"""Texts as folded characters, sentences and clauses with offsets."""
