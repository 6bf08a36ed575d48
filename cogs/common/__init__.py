"""What all cogs share: the table that a command means."""
