"""Whether a reply breaks or honours what the customer laid down (M1)."""
