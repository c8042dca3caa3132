"""Whether memory held a key and whether the reply used it (M1, M1b)."""
