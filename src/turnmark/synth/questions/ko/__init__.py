"""Questions in Korean."""
