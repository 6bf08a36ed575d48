"""The match in progress: hands, moves, premoves, votes, the cut, seats."""
