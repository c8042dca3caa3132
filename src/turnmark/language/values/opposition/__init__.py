"""Words that say the opposite of each other: pairs of opposites, polarity of values, and the sides that a text takes."""
