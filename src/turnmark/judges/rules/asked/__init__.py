"""Questions for yes or no, and what the clauses about the same thing say of them."""
