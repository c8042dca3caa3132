"""What data looks like: typed records, their JSON Schemas, and streaming JSON Lines."""
