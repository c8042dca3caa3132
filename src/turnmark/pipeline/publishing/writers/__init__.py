"""Scored runs as files of other tools: one module a format behind `protocol.Writer`, joined in `registry`."""
