"""Errors planted into good answers, and whether the marks notice them."""
