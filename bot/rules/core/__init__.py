"""The elements common to all climbing games: cards, combinations, tricks, turns, legality, premoves."""
