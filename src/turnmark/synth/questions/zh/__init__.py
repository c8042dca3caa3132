"""Questions in Chinese."""
