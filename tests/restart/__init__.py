"""A restart with many live tables, on a Discord that enforces its rate limits."""
