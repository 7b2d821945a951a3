"""Conversations as files for other programs, and back."""
