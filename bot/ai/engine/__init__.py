"""The engine of house players: hands in small integers, roll-outs, search and exact endings, for every game."""
