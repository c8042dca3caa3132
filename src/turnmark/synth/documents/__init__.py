"""Documents of users to text with units: what questions are made from."""
