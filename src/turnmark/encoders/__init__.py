"""Texts to vectors: one protocol, the encoder that ships inside a package, and models of the user's by local path."""
