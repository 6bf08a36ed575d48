"""Playing: the hand, moves, premoves, votes, the cut, one's seat."""
