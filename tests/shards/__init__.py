"""Several processes share a database and Discord's shards: when one fails, the others continue."""
