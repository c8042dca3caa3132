"""Datasets played to agents."""
