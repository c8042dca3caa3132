"""What each suite knows: one folder and one registration a suite."""
