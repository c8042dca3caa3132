"""Scoring by partitions on several machines: engines, and shards that outlive their workers and their driver."""
