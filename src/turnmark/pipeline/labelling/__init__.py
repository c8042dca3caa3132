"""Detectors and judges held against labels, and what labels improve."""
