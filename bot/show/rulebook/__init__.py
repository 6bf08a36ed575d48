"""The rule book: articles, search, comparison of two plays, house rules, deal checks."""
