"""Answers to questions from retrieved passages."""
