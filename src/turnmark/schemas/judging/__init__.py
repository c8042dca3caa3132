"""RAG cases and the verdicts of judges."""
