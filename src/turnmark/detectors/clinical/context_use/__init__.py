"""Which values of the record an answer used, and which the question asked for (CUS)."""
