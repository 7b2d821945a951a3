"""Model files: what exists, where it comes from, and that it is intact."""
