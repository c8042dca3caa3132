"""Metrics of RAG answers: counting over verdicts; one file a metric."""
