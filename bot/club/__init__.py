"""What a server has beside its tables: leaderboards, ledger, saved rules, practice, puzzles, deal of the day."""
