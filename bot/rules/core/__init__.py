"""The elements common to all climbing games.

Cards, combinations, tricks, turns, legality, premoves.
"""
