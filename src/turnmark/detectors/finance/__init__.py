"""Finance detectors: memory keys, risk disclosure, constraints, compliance, rubric elements, profile."""
