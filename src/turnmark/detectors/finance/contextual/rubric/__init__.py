"""The elements of an explanation that a reply has (M5)."""
