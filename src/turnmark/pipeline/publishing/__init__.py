"""Run folders as pages and files."""
