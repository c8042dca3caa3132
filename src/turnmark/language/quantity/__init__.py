"""Numbers, units and what they measure, with their spans."""
