"""Units of documents to questions with their answers, by rules of each language or by a model."""
