"""Matches: a series of hands with record, score, seal and file, and their analysis."""
