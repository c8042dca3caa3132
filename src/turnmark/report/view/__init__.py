"""What pages show of a run, chosen and formatted."""
