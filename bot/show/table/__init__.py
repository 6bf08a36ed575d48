"""The public screens of a table: board, lobby, votes, results, notices."""
