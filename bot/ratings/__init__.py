"""Statistics of finished matches: pure functions over all matches, oldest first, with reproducible results."""
