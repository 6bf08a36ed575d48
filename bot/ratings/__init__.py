"""Statistics of finished matches.

Pure functions over all matches, oldest first, with reproducible results.
"""
