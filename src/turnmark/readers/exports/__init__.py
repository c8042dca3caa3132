"""Results that other tools export, as records under names of RAG cases: one module a form."""
