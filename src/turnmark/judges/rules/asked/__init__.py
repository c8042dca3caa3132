"""What a question asks for, which value of the material answers it, and whether a short answer gives that one."""
