"""Material of users to candidate cases: patient records to conversation scripts."""
