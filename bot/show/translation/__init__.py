"""Keeps the catalogues of sentences up to date with the sources."""
