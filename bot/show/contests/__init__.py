"""Puzzles, the deal of the day, practice, lessons, and the end of a season."""
