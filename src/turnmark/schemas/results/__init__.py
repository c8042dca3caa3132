"""What is computed from a run: manifest, summary, comparison, gate, self-test."""
