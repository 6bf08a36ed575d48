"""The features of a server around its tables: leaderboards, ledger, saved rules, practice, puzzles, deal of the day."""
