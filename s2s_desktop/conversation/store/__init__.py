"""Conversations that last: one SQLite file, written while the turn happens."""
