"""The engine of house players.

Hands in small integers, roll-outs, search and exact endings, for every game.
"""
