"""Judges: claims and material to verdicts, by rules or by models."""
