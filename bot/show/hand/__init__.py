"""The private hand of one player, and what can be opened in its place."""
