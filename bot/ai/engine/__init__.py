"""The engine of house players for every game: packed hands, roll-outs, search, endings."""
