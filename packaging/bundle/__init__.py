"""Builds the programs that people install: what goes in, what stays out, and the files around it."""
