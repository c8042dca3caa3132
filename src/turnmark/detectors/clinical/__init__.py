"""Detectors of clinical answers."""
