"""Members of servers: presence, permissions, preferences, and the retention of their data."""
