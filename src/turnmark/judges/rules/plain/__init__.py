"""A short claim laid side by side with one statement: by the words and values of both, in their order and roles."""
