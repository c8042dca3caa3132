"""Name and version of the judge ``rules``, which the signature of a run holds; the version goes up with its answers."""

NAME = "rules"
VERSION = "2.4.0"
