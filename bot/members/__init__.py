"""People and their servers: who is there, what they may do, what they have chosen, how long any of it is kept."""
