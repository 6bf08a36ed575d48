"""What every climbing game is made of: cards, combinations, tricks, turns, legality, premoves."""
