"""Messages to players: turn pings, notices of slow tables, direct messages, and announcements in channels."""
