"""The rule book: articles, search, comparison of two plays, house rules, the check of a deal."""
