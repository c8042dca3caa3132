"""Finance advisers with memory."""
