"""Outcomes to estimates: tallies, intervals and agreement."""
