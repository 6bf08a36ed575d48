"""Discord's shards where several processes share them: who is connected to which, and who answers what comes there."""
