"""What people do in Discord, and what they get to see: the real bot and store against a simulated Discord."""
