"""What models are asked about the answers of a run, and where their verdicts go."""
