"""A table as everybody may see it: board, lobby, votes, results, notices."""
