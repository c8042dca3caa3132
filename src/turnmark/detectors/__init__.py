"""Detectors: (turn, pack) -> evidence, by rules."""
