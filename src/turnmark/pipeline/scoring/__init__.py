"""Traces to run folders: evidence, rows, figures."""
