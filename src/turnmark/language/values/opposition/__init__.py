"""Words that say the opposite of each other: pairs of opposites, polarity of values, the sides that a text takes."""
