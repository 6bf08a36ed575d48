"""Messages to people: turn pings, notices of slow tables, direct messages, and news to a channel."""
