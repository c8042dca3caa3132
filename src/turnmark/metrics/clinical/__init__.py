"""Metrics of the clinical suite: one file a metric, counting only."""
