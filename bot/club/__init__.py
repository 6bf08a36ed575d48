"""The features of a server around its tables, such as leaderboards, ledger and puzzles."""
