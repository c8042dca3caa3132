"""Packs: rule files as data, and how they are loaded and validated."""
