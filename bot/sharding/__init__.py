"""Discord's shards, shared by several processes: the owner of each shard connects and answers its interactions."""
