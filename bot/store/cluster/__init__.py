"""Processes that share a database: membership, and the transfer of shards."""
