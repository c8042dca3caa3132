"""Runs held against each other and against thresholds."""
