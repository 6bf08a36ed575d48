"""The rules to read: articles, search, comparison of two plays, saved rules, the check of a deal."""
