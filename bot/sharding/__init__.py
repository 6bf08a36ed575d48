"""Discord's shards, shared by several processes.

The owner of each shard connects and answers its interactions.
"""
