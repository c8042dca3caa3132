"""Which safety rules apply to a patient and what an answer says about them (CSP)."""
