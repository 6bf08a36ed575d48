"""The elements common to all climbing games, such as cards, tricks, turns and premoves."""
