"""How house players of most games try things out in worlds that their seat can imagine."""
