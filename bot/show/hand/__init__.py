"""The private hand of a player, and the screens that open in its place."""
