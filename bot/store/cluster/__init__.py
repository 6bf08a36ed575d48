"""Processes that share a database.

Membership, and the transfer of shards between processes.
"""
