"""What belongs to a server: settings, standings, debts, welcome, policies."""
