"""How a sentence means a word: asserted, negated, asked, quoted, conditional, advised against."""
