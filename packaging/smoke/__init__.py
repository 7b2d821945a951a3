"""Installs a package as a user would, starts it, and holds a spoken conversation with it."""
