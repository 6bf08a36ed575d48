"""Hands in a row: a match with its record, score, seal and file, and what a finished one tells."""
