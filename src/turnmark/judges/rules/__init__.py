"""The offline judge ``rules``: overlap, quantities, names, polarity and question focus, weighed by fitted weights."""
