"""Questions in English."""
