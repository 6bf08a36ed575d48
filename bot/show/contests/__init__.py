"""Puzzles, the deal of the day, practice, lessons, the end of a season."""
