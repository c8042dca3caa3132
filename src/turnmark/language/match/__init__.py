"""Literals and patterns of packs found in texts, in one pass."""
