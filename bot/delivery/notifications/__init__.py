"""Messages to players: turn pings, notices, direct messages, and announcements."""
