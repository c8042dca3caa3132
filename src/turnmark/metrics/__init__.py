"""Metrics: evidence -> outcome. Pure counting: no text analysis, no client, no clock, no file."""
