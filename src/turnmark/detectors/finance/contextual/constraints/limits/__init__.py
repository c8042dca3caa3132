"""Limits that constraints set: what numbers and grades measure, and whether a reply keeps to them."""
