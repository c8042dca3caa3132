"""Answers to patients, grounded in their record."""
