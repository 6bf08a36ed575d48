"""The features of a server around its tables.

Leaderboards, ledger, saved rules, practice, puzzles, deal of the day.
"""
