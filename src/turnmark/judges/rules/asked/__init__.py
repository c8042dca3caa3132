"""What a question asks for: the value that answers it, or whether it is so, and what a short answer says of that."""
