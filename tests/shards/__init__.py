"""Several processes that share a database and Discord's shards: whatever becomes of one, the others go on."""
