"""What people said of turns."""
