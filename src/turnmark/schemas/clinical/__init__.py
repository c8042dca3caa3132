"""Questions, contexts and events of clinical runs."""
