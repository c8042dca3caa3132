"""Traces as platforms of observation export them, read as spans: one module a platform."""
