"""Processes that share a database: membership, and shards that go from one process to another."""
