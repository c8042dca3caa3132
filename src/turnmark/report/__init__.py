"""Reports: a summary in, pages out. Nothing is computed here; figures are arranged and shown."""
