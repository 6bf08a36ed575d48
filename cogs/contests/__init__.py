"""Puzzles, the deal of the day, practice."""
