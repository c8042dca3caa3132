"""What a command's exit code says; 0 is fine."""

FINDINGS = 1
MISUSE = 2
SOME_FAILED = 3
"""Finished, but some lines or rows failed, or files of a run are not as scoring left them."""
INTERRUPTED = 130
