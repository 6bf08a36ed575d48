"""How house players play each game."""
