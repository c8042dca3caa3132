"""The judge ``nli``: verdicts of an inference model of the user's, by local path."""
