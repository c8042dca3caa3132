"""Whole documents: report, comparison, sign-off, LaTeX, tables."""
