"""Where what metrics need meets who produces it: evaluate, score, check, report."""
