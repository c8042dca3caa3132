"""What no rule asserts and a small learned model finds likely: shown to reviewers, counted in no figure."""
