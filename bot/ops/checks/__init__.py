"""``python -m bot check``: the state of the installation, a line per check, with a remedy for each fault."""
