"""Statements of an answer about the patient, held against the record (SFS)."""
