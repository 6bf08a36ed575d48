"""Menus around a lobby and a table: options, invitations, the cut, moderation."""
