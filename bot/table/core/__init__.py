"""Everything a table decides, as pure functions of its state, a command and facts."""
