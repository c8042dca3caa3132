"""Two offline assistants for finance, so that the whole tool runs on a bare machine: one with memory, one without."""
