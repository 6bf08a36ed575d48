"""Matches: hands in a row with record, score, seal and file, and their analysis."""
