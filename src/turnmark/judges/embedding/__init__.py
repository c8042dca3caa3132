"""The judge ``embedding``: the judge ``rules`` with measures of meaning beside its own."""
