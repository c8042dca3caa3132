"""What a reply or snapshot says of the customer's profile (M2)."""
