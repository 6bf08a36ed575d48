"""What belongs to a server: settings, standings, ledger, moderation."""
